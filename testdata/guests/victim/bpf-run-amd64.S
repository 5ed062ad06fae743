// SPDX-License-Identifier: GPL-3.0-or-later
// bpf-run's two system calls on amd64.

	.globl bpf, leave
bpf:	mov $321, %eax
	syscall
	ret
leave:	mov $60, %eax
	syscall
	.section .note.GNU-stack, "", @progbits
