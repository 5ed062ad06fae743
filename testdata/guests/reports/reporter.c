/* SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later */
/* A kernel module that has the kernel report what it was asked for, by a function named after it.
 */

#include <linux/bottom_half.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* Every call stays a call. */
#define REPORTER __attribute__((noipa))

static DEFINE_MUTEX(reporter_lock);
static volatile long reporter_zero;
static volatile unsigned int reporter_size = 96;

/* Keeps its CPU, with interrupts on: what notices is the configuration's choice. */
static REPORTER void reporter_spin(unsigned long seconds)
{
	unsigned long end = jiffies + seconds * HZ;

	preempt_disable();
	while (time_before(jiffies, end))
		cpu_relax();
	preempt_enable();
}

static REPORTER int reporter_waiter(void *data)
{
	mutex_lock(&reporter_lock);
	mutex_unlock(&reporter_lock);
	return 0;
}

static REPORTER void reporter_hung(void)
{
	mutex_lock(&reporter_lock);
	kthread_run(reporter_waiter, NULL, "waiter");
	msleep_interruptible(9000);
	mutex_unlock(&reporter_lock);
}

/* Softirqs count whatever the preemption; the scheduler itself mends the count. */
static REPORTER void reporter_atomic(void)
{
	local_bh_disable();
	schedule_timeout_uninterruptible(2);
}

static REPORTER void reporter_warn(void)
{
	WARN(1, "a warning\n");
}

static REPORTER void reporter_refcount(void)
{
	static refcount_t count;

	refcount_set(&count, 0);
	refcount_inc(&count);
}

static REPORTER void reporter_list(void)
{
	static struct list_head one;
	static LIST_HEAD(head);

	list_add(&one, &head);
	list_del(&one);
	list_del(&one);
}

static REPORTER void reporter_bug(void)
{
	BUG();
}

static REPORTER long reporter_null(const long *nowhere)
{
	return READ_ONCE(nowhere[8]);
}

/* A pointer out of freed memory that was poisoned. */
static REPORTER long reporter_wild(void)
{
	const long *wild;

	memset(&wild, 0x6b, sizeof(wild));
	OPTIMIZER_HIDE_VAR(wild);
	return READ_ONCE(*wild);
}

static REPORTER long reporter_usercopy(void __user *to)
{
	char *small = kmalloc(64, GFP_KERNEL);
	long left = -ENOMEM;

	OPTIMIZER_HIDE_VAR(small);
	if (small)
		left = copy_to_user(to, small, reporter_size);
	kfree(small);
	return left;
}

static REPORTER void reporter_fortify(char *seen)
{
	char room[16];

	memset(room, 1, reporter_size);
	*seen = room[3];
}

static REPORTER void reporter_undef(void)
{
#if defined(CONFIG_X86)
	asm volatile("ud2");
#elif defined(CONFIG_ARM64)
	asm volatile(".inst 0x00000000");
#else
	asm volatile(".inst 0xe7f000f0");
#endif
}

static REPORTER void reporter_divide(void)
{
#ifdef CONFIG_X86
	reporter_zero = reporter_size / reporter_zero;
#endif
}

static REPORTER void reporter_int3(void)
{
#ifdef CONFIG_X86
	asm volatile("int3");
#endif
}

static struct kmem_cache *reporter_cache(void)
{
	return kmem_cache_create(
		"reporter", 64, 0,
		SLAB_CONSISTENCY_CHECKS | SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER, NULL);
}

/* Writes behind its object: found when it is freed. */
static REPORTER void reporter_redzone(void)
{
	struct kmem_cache *cache = reporter_cache();
	char *object = cache ? kmem_cache_alloc(cache, GFP_KERNEL) : NULL;

	if (!object)
		return;
	OPTIMIZER_HIDE_VAR(object);
	object[64] = 1;
	kmem_cache_free(cache, object);
}

static REPORTER void reporter_twice(void)
{
	struct kmem_cache *cache = reporter_cache();
	char *object = cache ? kmem_cache_alloc(cache, GFP_KERNEL) : NULL;

	if (!object)
		return;
	kmem_cache_free(cache, object);
	kmem_cache_free(cache, object);
}

/* So large that it goes straight to the allocator, which looks at it. */
static REPORTER void reporter_page(void)
{
	struct page *page = alloc_pages(GFP_KERNEL, 5);

	if (!page)
		return;
	page->mapping = (void *)8;
	__free_pages(page, 5);
}

/* Now and then an allocation is one that KFENCE watches. */
static REPORTER char reporter_kfence(void)
{
	char sum = 0;
	int i;

	for (i = 0; i < 3000; i++) {
		char *object = kmalloc(40, GFP_KERNEL);

		if (!object)
			break;
		kfree(object);
		OPTIMIZER_HIDE_VAR(object);
		sum += READ_ONCE(object[8]);
		if (i % 10 == 0)
			usleep_range(500, 1000);
	}
	return sum;
}

static REPORTER long reporter_do(const char *what, void __user *user)
{
	char seen = 0;

	if (!strcmp(what, "soft"))
		reporter_spin(9);
	else if (!strcmp(what, "stall"))
		reporter_spin(7);
	else if (!strcmp(what, "hung"))
		reporter_hung();
	else if (!strcmp(what, "atomic"))
		reporter_atomic();
	else if (!strcmp(what, "warn"))
		reporter_warn();
	else if (!strcmp(what, "refcount"))
		reporter_refcount();
	else if (!strcmp(what, "list"))
		reporter_list();
	else if (!strcmp(what, "bug"))
		reporter_bug();
	else if (!strcmp(what, "null"))
		return reporter_null((const long *)reporter_zero) >> 63;
	else if (!strcmp(what, "wild"))
		return reporter_wild() >> 63;
	else if (!strcmp(what, "usercopy"))
		return reporter_usercopy(user) >> 63;
	else if (!strcmp(what, "fortify"))
		reporter_fortify(&seen);
	else if (!strcmp(what, "undef"))
		reporter_undef();
	else if (!strcmp(what, "divide"))
		reporter_divide();
	else if (!strcmp(what, "int3"))
		reporter_int3();
	else if (!strcmp(what, "redzone"))
		reporter_redzone();
	else if (!strcmp(what, "twice"))
		reporter_twice();
	else if (!strcmp(what, "page"))
		reporter_page();
	else if (!strcmp(what, "kfence"))
		seen = reporter_kfence();
	else
		return -EINVAL;
	return seen & 0;
}

static REPORTER ssize_t reporter_write(struct file *file, const char __user *from, size_t len,
				       loff_t *pos)
{
	char what[16] = "";
	long ret;

	if (len >= sizeof(what))
		return -EINVAL;
	if (copy_from_user(what, from, len))
		return -EFAULT;
	ret = reporter_do(strim(what), (void __user *)from);
	return ret < 0 ? ret : (ssize_t)len;
}

static const struct proc_ops reporter_ops = {
	.proc_write = reporter_write,
};

static int __init reporter_init(void)
{
	return proc_create("reporter", 0200, NULL, &reporter_ops) ? 0 : -ENOMEM;
}

module_init(reporter_init);
MODULE_DESCRIPTION("reported on request");
MODULE_LICENSE("GPL");
