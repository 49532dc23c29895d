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

	"github.com/tabletop-rules/rules"
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

// TestFullAtEveryByte lets the disk be full after every number of bytes, of a file that is new and of one that is replaced.
func TestFullAtEveryByte(t *testing.T) {
	data := []byte("a release of a few bytes, of which the disk takes some")
	dir := t.TempDir()
	published, replaced := filepath.Join(dir, "small-0.1.0.rules"), filepath.Join(dir, "small.plan")
	if err := theDisk().writeWhole(replaced, []byte("the old one")); err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if err := fullAfter(n).publish(published, data); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("full after %d bytes: published with %v", n, err)
		}
		if err := fullAfter(n).writeWhole(replaced, data); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("full after %d bytes: replaced with %v", n, err)
		}
		wantFiles(t, dir, ".releases.lock", "small.plan")
		if old, err := os.ReadFile(replaced); err != nil || string(old) != "the old one" {
			t.Fatalf("full after %d bytes: the old file is %q, %v", n, old, err)
		}
	}
	if err := fullAfter(len(data)).publish(published, data); err != nil {
		t.Errorf("all of it fits: %v", err)
	}
	wantWholeOrNone(t, published, data)
}

// killedAt are disks on which the process is killed at a step.
var killedAt = map[string]func(*disk){
	"before_writing": func(d *disk) { d.write = func(*os.File, []byte) (int, error) { return 0, kill() } },
	"half_written": func(d *disk) {
		d.write = func(f *os.File, data []byte) (int, error) {
			_, _ = f.Write(data[:len(data)/2])
			return 0, kill()
		}
	},
	"before_syncing":  func(d *disk) { d.sync = func(*os.File) error { return kill() } },
	"before_renaming": func(d *disk) { d.rename = func(string, string) error { return kill() } },
	"after_renaming": func(d *disk) {
		d.rename = func(from, to string) error {
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

// TestKilledAtEveryStep kills a process that publishes, at every step: nothing stands under a release's name unless it is whole,
// and the next release is not kept from writing it. It starts itself for that.
func TestKilledAtEveryStep(t *testing.T) {
	if step := os.Getenv(killStep); step != "" {
		d := theDisk()
		killedAt[step](&d)
		t.Fatalf("not killed: %v", d.publish(os.Getenv(killFile), wholeRelease))
	}
	for step := range killedAt {
		t.Run(step, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "small-0.1.0.rules")
			c := exec.Command(os.Args[0], "-test.run=^TestKilledAtEveryStep$")
			c.Env = append(os.Environ(), killStep+"="+step, killFile+"="+file)
			out, err := c.CombinedOutput()
			if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.Exited() && e.ExitCode() == 0 || bytes.Contains(out, []byte("not killed")) {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			_, err = os.Stat(file)
			if there := err == nil; there != (step == "after_renaming") {
				t.Errorf("a file stands there: %v", there)
			}
			wantWholeOrNone(t, file, wholeRelease)
			if err := theDisk().publish(file, wholeRelease); err != nil {
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

// TestReleasesAtOnce lets processes release the same at the same time, and then what differs: the same is there once, and of
// what differs one is refused.
func TestReleasesAtOnce(t *testing.T) {
	const many = 4
	dir := t.TempDir()
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			if out, err := exec.Command("rules", "release", "haze", "-o", dir).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	wantFiles(t, dir, ".releases.lock", "haze-0.1.0.rules")

	var codes [2]int
	other := t.TempDir()
	for i := range codes {
		module := filepath.Join(t.TempDir(), "small")
		if err := plant(module, seedling, "NAME", "small", "leaping over things", fmt.Sprint("leaping over ", i, " things")); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			c := exec.Command("rules", "release", "--dir", module, "-o", other)
			_ = c.Run()
			codes[i] = c.ProcessState.ExitCode()
		})
	}
	all.Wait()
	if codes[0]+codes[1] != 1 {
		t.Errorf("the statuses are %v, want one 0 and one 1", codes)
	}
	wantFiles(t, other, ".releases.lock", "small-0.1.0.rules")
}

// TestReleaseIsTheSameEverywhere releases in other places, time zones, languages and homes, on one core and on many, by the
// command and in this process: the bytes are the same.
func TestReleaseIsTheSameEverywhere(t *testing.T) {
	module := t.TempDir()
	if err := os.CopyFS(module, rules.Files); err != nil {
		t.Fatal(err)
	}
	release := func(in string, args, env []string) string {
		t.Helper()
		out := t.TempDir()
		c := exec.Command("rules", append([]string{"release", "tempestas", "-o", out}, args...)...)
		c.Dir, c.Env = in, append(os.Environ(), env...)
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		return readRelease010(t, out)
	}
	want := release(t.TempDir(), nil, nil)
	for name, got := range map[string]string{
		"elsewhere":   release(module, nil, []string{"TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}),
		"from afar":   release(t.TempDir(), []string{"--dir", module}, []string{"HOME=" + t.TempDir(), "USER=nobody", "TZ=UTC"}),
		"on one core": release(t.TempDir(), nil, []string{"GOMAXPROCS=1", "SOURCE_DATE_EPOCH=1"}),
		"on many":     release(t.TempDir(), nil, []string{"GOMAXPROCS=7", "TMPDIR=" + t.TempDir()}),
		"in this one": releasedHere(t),
	} {
		if got != want {
			t.Errorf("%s: %d bytes that are not the %d of here", name, len(got), len(want))
		}
	}
}

func releasedHere(t *testing.T) string {
	t.Helper()
	out := t.TempDir()
	var said bytes.Buffer
	if status := Main([]string{"release", "tempestas", "-o", out}, strings.NewReader(""), &said, &said); status != done {
		t.Fatal(said.String())
	}
	return readRelease010(t, out)
}

func readRelease010(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "tempestas-0.1.0.rules"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
