/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of groups that watch files. What is expected follows from what fsnotify_fake() lays out. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/fs/fsnotify.h"
#include "core/linux/fs/vfs_fake.h"
#include "core/linux/task/task_impl.h"

#define GROUP (F_END + 0x1000u)
#define MARK(i) (F_END + 0x1100u + (uint64_t)(i)*0x40u)
#define CONNECTOR(i) (F_END + 0x1200u + (uint64_t)(i)*0x40u)
#define DNOTIFY (F_END + 0x1300u) /* the variable */
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

static struct fake_kernel k;
static struct buf said;

static bool saw_group(const struct fsnotify_group *g, void *arg)
{
	(void)arg;
	buf_printf(&said, "%s: ", g->kind);
	return true;
}

static bool saw_mark(const struct fsnotify_group *g, const struct fsnotify_mark *m, void *arg)
{
	(void)g, (void)arg;
	buf_printf(&said, "%s %llu; ", m->on, (unsigned long long)m->ino);
	return true;
}

static void flaw(const struct err *e, void *arg)
{
	(void)arg;
	buf_printf(&said, "(%s) ", e->msg);
}

/* The kernel as v6.12 has it: dnotify watches the inode of passwd, number 3, and what is gone,
 * which is of the kind that has the number of the kinds. No task has a file open. */
static void fsnotify_fake(void)
{
	static const struct enumerator kinds[] = { { "FSNOTIFY_OBJ_TYPE_ANY", (uint64_t)-1 },
						   { "FSNOTIFY_OBJ_TYPE_INODE", 0 },
						   { "FSNOTIFY_OBJ_TYPE_VFSMOUNT", 1 },
						   { "FSNOTIFY_OBJ_TYPE_COUNT", 2 },
						   { "FSNOTIFY_OBJ_TYPE_DETACHED", 2 } };
	const uint64_t marks[] = { MARK(0) + 32, MARK(1) + 32 };
	struct type *s, *object;

	vfs_fake_init(&k);
	task_state(&k.t)->listed = task_state(&k.t)->list_ok = true;
	s = WORDS(&k, "fsnotify_group", "q_len", "max_events", "priority");
	kernel_member(s, "marks_list", INNER(&k, "next", "prev"), 24);
	s->size = 40;
	s = WORDS(&k, "fsnotify_mark", "mask", "ignore_mask", "flags", "connector");
	kernel_member(s, "g_list", INNER(&k, "next", "prev"), 32);
	s->size = 48;
	s = WORDS(&k, "fsnotify_mark_connector", "type");
	object = kernel_struct(&k, "void", 0);
	object->kind = TYPE_VOID;
	k.ptr.target = object;
	kernel_member(s, "obj", &k.ptr, 8);
	s->size = 16;
	s = kernel_struct(&k, "fsnotify_obj_type", 4);
	s->kind = TYPE_ENUM;
	s->enums = (struct enumerator *)(uintptr_t)kinds;
	s->n_enums = ARRAY_SIZE(kinds);
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, "super_block"))
			kernel_member(k.types[i], "s_dev", &k.u64, 96);
	kernel_symbol(&k, "init_task", F_AT(F_TASK));
	kernel_symbol(&k, "dnotify_group", DNOTIFY);
	put64(&k, DNOTIFY, GROUP);
	put_list(&k, GROUP + 24, marks, 2);
	for (unsigned i = 0; i < 2; i++)
		put64(&k, MARK(i) + 24, CONNECTOR(i));
	put64(&k, CONNECTOR(0) + 8, F_AT(F_PASSWD_INODE));
	put64(&k, CONNECTOR(1), 2);
}

static const char *watchers(void)
{
	static const struct fsnotify_fns fns = { saw_group, saw_mark, flaw, NULL };
	const char *ret;
	struct err err;

	if (!fsnotify_each(&k.t, &k.scratch, &fns, &err))
		buf_printf(&said, "%s", err.msg);
	ret = arena_strdup(&k.scratch, buf_text(&said));
	buf_release(&said);
	said = (struct buf){ 0 };
	return ret;
}

TEST(what_is_gone_is_detached)
{
	fsnotify_fake();
	CHECK_STR(watchers(), "dnotify: inode 3; detached 0; ");
	kernel_release(&k);
}

/* That nobody watches, and that nobody knows who does, are two things; that a kernel was built
 * without audit is none. */
TEST(groups_that_are_not_known_are_told)
{
	fsnotify_fake();
	k.syms[k.n_syms - 1].addr = NOWHERE;
	CHECK_STR(watchers(), "(dnotify_group: not mapped) ");
	kernel_release(&k);
	fsnotify_fake();
	k.n_syms--;
	k.t.symbols.tabs.p[0]->partial = true;
	CHECK_CONTAINS(watchers(), "(groups of the kernel's own: 'dnotify_group' is not among ");
	kernel_release(&k);
}

TEST_MAIN
