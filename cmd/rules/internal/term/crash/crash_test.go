package crash

import (
	"regexp"
	"strings"
	"testing"
)

// TestDescribe wants the place at which a value was raised, also where the system raised it, and one line.
func TestDescribe(t *testing.T) {
	for name, c := range map[string]struct {
		fail func()
		want string
	}{
		"a panic of one's own": {func() { panic("two\n\tlines") }, `^the program has failed at crash/crash_test\.go:\d+: two lines$`},
		"a nil pointer": {func() { var p *struct{ n int }; p.n++ },
			`^the program has failed at crash/crash_test\.go:\d+: runtime error: invalid memory address or nil pointer dereference$`},
		"a long text": {func() { panic(strings.Repeat("é", 1000)) }, `^the program has failed at crash/crash_test\.go:\d+: é{150} \.\.\.$`},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := Describe(recover()); !regexp.MustCompile(c.want).MatchString(got) {
					t.Errorf("%q is not %s", got, c.want)
				}
			}()
			c.fail()
		})
	}
}
