package sandbox

import "golang.org/x/sys/unix"

const ownArchitecture = unix.AUDIT_ARCH_AARCH64

// ownDeniedCalls is empty: this architecture has no older forms of the denied calls.
var ownDeniedCalls []uint32
