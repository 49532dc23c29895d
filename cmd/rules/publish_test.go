package main

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
	"time"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// fullAfter is a disk that takes so many bytes.
func fullAfter(n int) disk {
	d := theDisk()
	d.write = func(f *os.File, data []byte) (int, error) {
		if len(data) <= n {
			return f.Write(data)
		}
		wrote, _ := f.Write(data[:n])
		return wrote, syscall.ENOSPC
	}
	return d
}

// errKilled ends a test's process that is killed at a step, as far as anyone else can tell: nothing is tidied up after it.
var errKilled = errors.New("killed")

// killed publishes on a disk whose step ends everything.
func killed(t *testing.T, d disk, name string, data []byte) {
	t.Helper()
	defer func() {
		if recover() != errKilled {
			t.Error("the process was not killed at the step")
		}
	}()
	_ = d.publish(name, data)
}

func TestFaultsLeaveNoHalfFile(t *testing.T) {
	data := bytes.Repeat([]byte("release "), 1000)
	for name, d := range map[string]disk{
		"full at once": fullAfter(0),
		"full later":   fullAfter(4000),
		"no sync":      {write: theDisk().write, sync: func(*os.File) error { return syscall.EIO }, rename: os.Rename},
		"no rename":    {write: theDisk().write, sync: theDisk().sync, rename: func(string, string) error { return syscall.EIO }},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "small-0.1.0.rules")
			if err := d.publish(file, data); !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) {
				t.Errorf("got %v, want the fault of the disk", err)
			}
			wantFiles(t, filepath.Dir(file), ".releases.lock")
			if err := theDisk().publish(file, data); err != nil {
				t.Errorf("the next one fails: %v", err)
			}
			wantFiles(t, filepath.Dir(file), ".releases.lock", "small-0.1.0.rules")
		})
	}
}

// TestKilledAtEveryStep holds that nothing stands under a release's name unless it is whole, and that the next release
// is not kept from writing it.
func TestKilledAtEveryStep(t *testing.T) {
	data := bytes.Repeat([]byte("release "), 1000)
	for name, kill := range map[string]func(*disk){
		"before writing": func(d *disk) { d.write = func(*os.File, []byte) (int, error) { panic(errKilled) } },
		"half written": func(d *disk) {
			d.write = func(f *os.File, data []byte) (int, error) {
				_, _ = f.Write(data[:len(data)/2])
				panic(errKilled)
			}
		},
		"before syncing":  func(d *disk) { d.sync = func(*os.File) error { panic(errKilled) } },
		"before renaming": func(d *disk) { d.rename = func(string, string) error { panic(errKilled) } },
		"after renaming": func(d *disk) {
			d.rename = func(from, to string) error {
				_ = os.Rename(from, to)
				panic(errKilled)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "small-0.1.0.rules")
			d := theDisk()
			kill(&d)
			killed(t, d, file, data)
			wantWholeOrNone(t, file, data)
			if err := theDisk().publish(file, data); err != nil {
				t.Fatal(err)
			}
			wantWholeOrNone(t, file, data)
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
		all.Go(func() { errs[i] = theDisk().publish(file, content(i)) })
	}
	all.Wait()
	published := 0
	for i, err := range errs {
		if err == nil {
			published++
			wantWholeOrNone(t, file, content(i))
		} else if !answered[*denial](err) {
			t.Errorf("publisher %d: %v", i, err)
		}
	}
	if published != 1 {
		t.Errorf("%d of %d were published, want 1", published, many)
	}
}

// TestKilledReleases kills the program at arbitrary moments: what stands there can be read.
func TestKilledReleases(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "tempestas-0.1.0.rules")
	for i := range 12 {
		c := exec.Command("rules", "release", "tempestas", "-o", dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*40) * time.Millisecond)
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if _, err := plan.ReadRelease(data); err != nil {
			t.Fatalf("killed after %d ms: %v", i*40, err)
		}
		os.Remove(file)
	}
	if out, err := exec.Command("rules", "release", "tempestas", "-o", dir).CombinedOutput(); err != nil {
		t.Fatalf("the release after the killed ones: %v\n%s", err, out)
	}
	wantFiles(t, dir, ".releases.lock", "tempestas-0.1.0.rules")
}
