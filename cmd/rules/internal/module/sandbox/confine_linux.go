//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confineProcess takes from this process, for good, the rights that compiling never needs: programs, connections, and every
// change of a file or of another process. A program that gains privileges cannot be started either. A denied call fails
// with EPERM, so that a part of the compiler that needs it says so.
//
// The filter is a list of denied calls. A list of allowed ones would be stronger, but would have to follow Go's runtime
// from release to release. The same list holds for all threads of the process.
func confineProcess() error {
	runtime.LockOSThread() // the filter is set by one thread, for all
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	filter := newFilter()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("a filter of system calls: %w", errno)
	}
	return nil
}

// newFilter returns the filter: of a call of another architecture, or by a denied number, it makes EPERM.
func newFilter() []unix.SockFilter {
	const (
		number, architecture = 0, 4    // offsets in what the kernel shows of a call
		foreignNumbers       = 1 << 30 // from which on calls of amd64 have the numbers of x32
		deny                 = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		load                 = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equals               = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		atLeast              = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		anyBit               = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		result               = unix.BPF_RET | unix.BPF_K
		firstArgument        = 16       // offset of its lower half
		openFlags            = 16 + 2*8 // offset of the lower half of the third argument
		changes              = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC
	)
	denied := deniedCalls()
	out := []unix.SockFilter{
		{Code: load, K: architecture},
		{Code: equals, K: ownArchitecture, Jt: 1},
		{Code: result, K: deny},
		{Code: load, K: number},
		{Code: atLeast, K: foreignNumbers, Jf: 1},
		{Code: result, K: deny},
	}
	for _, call := range denied {
		out = append(out, unix.SockFilter{Code: equals, K: call, Jf: 1}, unix.SockFilter{Code: result, K: deny})
	}
	return append(out,
		unix.SockFilter{Code: equals, K: unix.SYS_TGKILL, Jf: 4}, // Go's runtime interrupts its own threads
		unix.SockFilter{Code: load, K: firstArgument},
		unix.SockFilter{Code: equals, K: uint32(os.Getpid()), Jf: 1},
		unix.SockFilter{Code: result, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: result, K: deny},
		unix.SockFilter{Code: equals, K: unix.SYS_OPENAT, Jf: 3},
		unix.SockFilter{Code: load, K: openFlags},
		unix.SockFilter{Code: anyBit, K: changes, Jf: 1},
		unix.SockFilter{Code: result, K: deny},
		unix.SockFilter{Code: result, K: unix.SECCOMP_RET_ALLOW})
}

// deniedCalls returns the calls that both architectures have, and those of this one.
func deniedCalls() []uint32 {
	return append([]uint32{
		unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_OPENAT2, // whose flags a filter does not see
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_SENDTO,
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KILL, unix.SYS_PIDFD_OPEN,
		unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_MKDIRAT,
		unix.SYS_MKNODAT, unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_TRUNCATE,
		unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_UTIMENSAT, unix.SYS_SETXATTR, unix.SYS_LSETXATTR,
		unix.SYS_FSETXATTR,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS, unix.SYS_UNSHARE,
		unix.SYS_BPF, unix.SYS_IO_URING_SETUP, unix.SYS_USERFAULTFD, unix.SYS_PERF_EVENT_OPEN, unix.SYS_ADD_KEY,
		unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_KEXEC_LOAD,
		unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_SEND_SIGNAL,
		unix.SYS_PIDFD_GETFD,
		unix.SYS_PRLIMIT64, unix.SYS_SETPRIORITY, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER,
		unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_IOPRIO_SET, unix.SYS_PROCESS_MADVISE,
		unix.SYS_IOCTL, // which types into the terminal that a process has
		unix.SYS_FCHMODAT2, unix.SYS_REBOOT, unix.SYS_SETHOSTNAME, unix.SYS_CLOCK_SETTIME, unix.SYS_SHMGET,
		unix.SYS_MEMFD_CREATE,
	}, ownDeniedCalls...)
}
