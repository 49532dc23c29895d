package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// fullAfter is a disk that takes so many bytes.
func fullAfter(n int) Disk {
	d := TheDisk()
	d.Write = func(f *os.File, data []byte) (int, error) {
		if len(data) <= n {
			return f.Write(data)
		}
		wrote, _ := f.Write(data[:n])
		return wrote, syscall.ENOSPC
	}
	return d
}

func TestFaultsLeaveNoHalfFile(t *testing.T) {
	data := bytes.Repeat([]byte("release "), 1000)
	for name, d := range map[string]Disk{
		"full at once": fullAfter(0),
		"full later":   fullAfter(4000),
		"no sync":      {Write: TheDisk().Write, Sync: func(*os.File) error { return syscall.EIO }, Rename: os.Rename},
		"no rename":    {Write: TheDisk().Write, Sync: TheDisk().Sync, Rename: func(string, string) error { return syscall.EIO }},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "small-0.1.0.rules")
			if err := d.Publish(file, data); !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) {
				t.Errorf("got %v, want the fault of the disk", err)
			}
			wantFiles(t, filepath.Dir(file), ".releases.lock")
			if err := TheDisk().Publish(file, data); err != nil {
				t.Errorf("the next one fails: %v", err)
			}
			wantFiles(t, filepath.Dir(file), ".releases.lock", "small-0.1.0.rules")
		})
	}
}

// TestFullAtEveryByte lets the disk be full after every number of bytes, of a file that is new and of one that is replaced.
func TestFullAtEveryByte(t *testing.T) {
	data := []byte("a release of a few bytes, of which the disk takes some")
	dir := t.TempDir()
	published, replaced := filepath.Join(dir, "small-0.1.0.rules"), filepath.Join(dir, "small.plan")
	if err := TheDisk().WriteWhole(replaced, []byte("the old one")); err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if err := fullAfter(n).Publish(published, data); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("full after %d bytes: published with %v", n, err)
		}
		if err := fullAfter(n).WriteWhole(replaced, data); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("full after %d bytes: replaced with %v", n, err)
		}
		wantFiles(t, dir, ".releases.lock", "small.plan")
		if old, err := os.ReadFile(replaced); err != nil || string(old) != "the old one" {
			t.Fatalf("full after %d bytes: the old file is %q, %v", n, old, err)
		}
	}
	if err := fullAfter(len(data)).Publish(published, data); err != nil {
		t.Errorf("all of it fits: %v", err)
	}
	wantWholeOrNone(t, published, data)
}

// killedAt are disks on which the process is killed at a step.
var killedAt = map[string]func(*Disk){
	"before_writing": func(d *Disk) { d.Write = func(*os.File, []byte) (int, error) { return 0, kill() } },
	"half_written": func(d *Disk) {
		d.Write = func(f *os.File, data []byte) (int, error) {
			_, _ = f.Write(data[:len(data)/2])
			return 0, kill()
		}
	},
	"before_syncing":  func(d *Disk) { d.Sync = func(*os.File) error { return kill() } },
	"before_renaming": func(d *Disk) { d.Rename = func(string, string) error { return kill() } },
	"after_renaming": func(d *Disk) {
		d.Rename = func(from, to string) error {
			_ = os.Rename(from, to)
			return kill()
		}
	},
}

// kill ends this process without any notice.
func kill() error {
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Kill() == nil {
		select {} // until it has happened
	}
	return errors.New("not killed")
}

// What the process that TestKilledAtEveryStep starts is told.
const (
	killStep = "RULES_TEST_KILLED_AT"
	killFile = "RULES_TEST_KILLED_WITH"
)

var wholeRelease = bytes.Repeat([]byte("release "), 1000)

// TestKilledAtEveryStep kills a process that publishes, at every step: nothing stands under a release's name unless it is
// whole, and the next release is not kept from writing it. It starts itself for that.
func TestKilledAtEveryStep(t *testing.T) {
	if step := os.Getenv(killStep); step != "" {
		d := TheDisk()
		killedAt[step](&d)
		t.Fatalf("not killed: %v", d.Publish(os.Getenv(killFile), wholeRelease))
	}
	for step := range killedAt {
		t.Run(step, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "small-0.1.0.rules")
			c := exec.Command(os.Args[0], "-test.run=^TestKilledAtEveryStep$")
			c.Env = append(os.Environ(), killStep+"="+step, killFile+"="+file)
			out, err := c.CombinedOutput()
			if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.Exited() && e.ExitCode() == 0 ||
				bytes.Contains(out, []byte("not killed")) {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			_, err = os.Stat(file)
			if there := err == nil; there != (step == "after_renaming") {
				t.Errorf("a file stands there: %v", there)
			}
			wantWholeOrNone(t, file, wholeRelease)
			if err := TheDisk().Publish(file, wholeRelease); err != nil {
				t.Fatal(err)
			}
			wantFiles(t, filepath.Dir(file), ".releases.lock", "small-0.1.0.rules")
			wantWholeOrNone(t, file, wholeRelease)
		})
	}
}

func wantWholeOrNone(t *testing.T, file string, whole []byte) {
	t.Helper()
	if got, err := os.ReadFile(file); err == nil && !bytes.Equal(got, whole) {
		t.Errorf("%d of %d bytes stand under the name of the release", len(got), len(whole))
	}
}

func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	var got []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the directory holds %v, want %v", got, want)
	}
}

// TestOneOfManyIsPublished lets many publish other contents under one name at once: one is there, whole, and the others
// are told so.
func TestOneOfManyIsPublished(t *testing.T) {
	const many = 16
	file := filepath.Join(t.TempDir(), "small-0.1.0.rules")
	content := func(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "release %2d ", i), 5000) }
	var errs [many]error
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() { errs[i] = TheDisk().Publish(file, content(i)) })
	}
	all.Wait()
	published := 0
	for i, err := range errs {
		if err == nil {
			published++
			wantWholeOrNone(t, file, content(i))
		} else if !exit.Answered[*exit.Denial](err) {
			t.Errorf("publisher %d: %v", i, err)
		}
	}
	if published != 1 {
		t.Errorf("%d of %d were published, want 1", published, many)
	}
}
