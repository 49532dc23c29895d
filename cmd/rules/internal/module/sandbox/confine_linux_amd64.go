package sandbox

import "golang.org/x/sys/unix"

const ownArchitecture = unix.AUDIT_ARCH_X86_64

// ownDeniedCalls are older forms of the denied calls.
var ownDeniedCalls = []uint32{
	unix.SYS_OPEN, unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_UNLINK, unix.SYS_RMDIR, unix.SYS_RENAME, unix.SYS_LINK,
	unix.SYS_SYMLINK,
	unix.SYS_MKDIR, unix.SYS_MKNOD, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_CREAT, unix.SYS_UTIME,
	unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
}
