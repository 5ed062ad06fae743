// SPDX-License-Identifier: GPL-2.0-only
// Says things with trace_printk(): with arguments, without, and of a string that is not constant.

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>

static char changing[] = "a string of its own";

static int __init teller_init(void)
{
	for (int i = 0; i < 3; i++)
		trace_printk("number %d of %s, hex %#llx, char %c\n", i, current->comm,
			     0x123456789abcdef0ull >> i, 'a' + i);
	trace_printk("only words\n");
	trace_printk("a symbol %ps, and one with its offset %pS\n", &schedule,
		     (void *)&schedule + 4);
	trace_puts("put as it is\n");
	trace_puts(changing);
	trace_printk("long %ld short %hd size %zu %-6s| %5u|%%\n", -5L, (short)-6, sizeof(int), "x",
		     42u);
	return 0;
}

static void __exit teller_exit(void)
{
}

module_init(teller_init);
module_exit(teller_exit);
MODULE_DESCRIPTION("says things with trace_printk()");
MODULE_LICENSE("GPL");
