//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// probeVariable is set for the test program when it tries what a worker may do.
const probeVariable = "SANDBOX_PROBE"

// TestProbe is what the test program does as such a process; as a test it does nothing.
func TestProbe(t *testing.T) {
	if os.Getenv(probeVariable) != "" {
		os.Exit(probe())
	}
}

// probe tries to do what a worker must not do, on threads other than the one that has set the filter, and prints what it
// could. What it must be able to do it reads.
func probe() int {
	if err := confineProcess(); err != nil {
		fmt.Println("not confined:", err)
		return 0
	}
	here := filepath.Join(os.TempDir(), "sandbox-probe")
	for name, try := range map[string]func() error{
		"start a program": func() error { return exec.Command("/bin/true").Run() },
		"open a connection": func() error {
			c, err := net.Listen("tcp", "127.0.0.1:0")
			if err == nil {
				c.Close()
			}
			return err
		},
		"make a file":      func() error { return os.WriteFile(here, nil, 0o600) },
		"make a directory": func() error { return os.Mkdir(here, 0o700) },
		"make a link":      func() error { return os.Symlink("x", here) },
		"change a mode":    func() error { return os.Chmod(os.Args[0], 0o755) },
		"end a process":    func() error { return syscall.Kill(os.Getppid(), 0) },
		"end a thread":     func() error { return syscall.Tgkill(os.Getppid(), os.Getppid(), 0) },
		"bound a process":  func() error { return unix.Prlimit(os.Getppid(), unix.RLIMIT_CORE, nil, nil) },
		"slow a process":   func() error { return unix.Setpriority(unix.PRIO_PROCESS, os.Getppid(), 19) },
		"move a process":   func() error { return unix.SchedSetaffinity(os.Getppid(), &unix.CPUSet{1}) },
		"use a terminal": func() error {
			_, err := unix.IoctlGetInt(0, unix.TIOCINQ)
			return err
		},
	} {
		done := make(chan error)
		go func() {
			runtime.LockOSThread()
			done <- try()
		}()
		if err := <-done; !errors.Is(err, fs.ErrPermission) {
			fmt.Printf("it can %s: %v\n", name, err)
		}
	}
	if _, err := os.ReadFile(os.Args[0]); err != nil {
		fmt.Println("it cannot read:", err)
	}
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		for _, d := range list {
			if to, _ := os.Readlink("/proc/self/fd/" + d.Name()); strings.HasSuffix(to, inheritedName) {
				fmt.Println("it has", to)
			}
		}
	}
	return 0
}

// inheritedName is the name of a file that the parent of a worker has from its own parent.
const inheritedName = "inherited-by-a-worker"

// TestConfinement lets a process that is confined try what compiling never needs, with a descriptor that would be
// inherited.
func TestConfinement(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("this system takes nothing from a worker")
	}
	file := filepath.Join(t.TempDir(), inheritedName)
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Open(file, syscall.O_RDONLY, 0) // as a shell leaves it to what it starts
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	closeInherited()
	c := exec.Command(os.Args[0], "-test.run", "^TestProbe$")
	c.Env = append(os.Environ(), probeVariable+"=1")
	out, err := c.CombinedOutput()
	switch {
	case strings.HasPrefix(string(out), "not confined"):
		t.Skip(string(out))
	case err != nil || len(out) > 0:
		t.Errorf("%s%v", out, err)
	}
}
