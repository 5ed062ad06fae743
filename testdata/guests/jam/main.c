// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* A kernel module that brings tasks to a standstill, or to short waits, as it is told. */

#include <linux/init.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "jam.h"

static ssize_t jam_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	char how[16] = "";

	if (len >= sizeof(how))
		return -EINVAL;
	if (copy_from_user(how, from, len))
		return -EFAULT;
	if (!strcmp(strim(how), "locks"))
		jam_locks();
	else
		return -EINVAL;
	return (ssize_t)len;
}

static const struct proc_ops jam_ops = {
	.proc_write = jam_write,
};

static int __init jam_init(void)
{
	return proc_create("jam", 0200, NULL, &jam_ops) ? 0 : -ENOMEM;
}

module_init(jam_init);
MODULE_DESCRIPTION("brings tasks to a standstill");
MODULE_LICENSE("GPL");
