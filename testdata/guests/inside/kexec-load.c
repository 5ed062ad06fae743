// SPDX-License-Identifier: GPL-3.0-or-later
// kexec-load KERNEL INITRD CMDLINE: loads a crash kernel. The kernel does the work; kexec-tools
// would do the same, but needs the Xen libraries beside it.

#include <fcntl.h>
#include <linux/kexec.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_or_say(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		perror(path);
	return fd;
}

int main(int argc, char **argv)
{
	int kernel, initrd;

	if (argc != 4) {
		fputs("usage: kexec-load KERNEL INITRD CMDLINE\n", stderr);
		return 2;
	}
	kernel = open_or_say(argv[1]);
	initrd = open_or_say(argv[2]);
	if (kernel < 0 || initrd < 0)
		return 1;
	if (syscall(SYS_kexec_file_load, kernel, initrd, strlen(argv[3]) + 1, argv[3],
		    KEXEC_FILE_ON_CRASH)) {
		perror("kexec_file_load");
		return 1;
	}
	return 0;
}
