package golang

import "testing"

// TestNoGo writes files that are no Go: that is an error, whoever formats them.
func TestNoGo(t *testing.T) {
	w := newPackage(Package{Name: "broken"})
	w.addFile("first.go", []string{"func {"})
	w.addFile("second.go", []string{"var x = 1"})
	w.addFile("third.go", []string{"var ="})
	_, err := w.finish()
	want := "first.go: what was generated is no Go: 5:6: expected 'IDENT', found '{'\n" +
		"third.go: what was generated is no Go: 5:5: expected 'IDENT', found '='"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
