/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors that file systems remember: ext4's count and its journal, XFS's and btrfs's state. */
#include "core/linux/fs/fs_error.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/types/shape.h"

#define EXT4_ERROR_FS 2u       /* fs/ext4/ext4.h: of s_state, and of s_mount_state */
#define EXT4_FLAGS_SHUTDOWN 1u /* the same: a bit of s_ext4_flags */
#define EXT4_FUNCTION_BYTES 32u
#define JBD2_ABORT 2u                   /* include/linux/jbd2.h: of j_flags */
#define XFS_OPSTATE_SHUTDOWN 2u         /* fs/xfs/xfs_mount.h: a bit of m_opstate, since v5.15 */
#define XFS_MOUNT_FS_SHUTDOWN (1u << 4) /* the same: of m_flags, before */
#define BTRFS_FS_STATE_ERROR 0u         /* fs/btrfs/ctree.h: a bit of fs_state, before v6.6 */

struct look {
	struct target *t;
	struct arena *a;
	uint64_t info; /* s_fs_info */
	struct buf said;
	struct err *err;
};

static void remember(struct look *l, const char *words)
{
	buf_printf(&l->said, "%s%s", l->said.n ? "; " : "", words);
}

/* Read wherever the type's source is: a file system is often a module. */
static bool word(struct look *l, const char *type, uint64_t at, const char *member, uint64_t *ret)
{
	return field_u64(l->t, type, at, member, ret, l->err);
}

static bool journal(struct look *l, uint64_t at)
{
	uint64_t flags, number;
	int32_t n;

	if (!word(l, "struct journal_s", at, "j_flags", &flags) ||
	    !word(l, "struct journal_s", at, "j_errno", &number))
		return false;
	n = (int32_t)number < 0 ? -(int32_t)number : (int32_t)number;
	if (flags & JBD2_ABORT)
		remember(l, arena_printf(l->a, "its journal was aborted (errno %d)", n));
	else if (n)
		remember(l, arena_printf(l->a, "its journal met errno %d", n));
	return true;
}

/* The function that met the last error, as the file system's own superblock names it. */
static const char *last_function(struct look *l, uint64_t es)
{
	struct err ignored;
	const char *name;
	uint64_t off;

	return field_offset(l->t, "struct ext4_super_block", "s_last_error_func", &off, &ignored) &&
			       mem_str(l->t, es + off, EXT4_FUNCTION_BYTES, l->a, &name,
				       &ignored) &&
			       *name
		       ? arena_printf(l->a, ", the last in %s()", name)
		       : "";
}

static bool ext4(struct look *l)
{
	static const char info[] = "struct ext4_sb_info", super[] = "struct ext4_super_block";
	uint64_t es, state, written, flags, journal_at, count, fresh;
	struct err ignored;

	if (!word(l, info, l->info, "s_es", &es) || !word(l, super, es, "s_state", &written) ||
	    !word(l, info, l->info, "s_mount_state", &state) ||
	    !word(l, super, es, "s_error_count", &count) ||
	    !word(l, info, l->info, "s_ext4_flags", &flags) ||
	    !word(l, info, l->info, "s_journal", &journal_at))
		return false;
	/* counted here until they are written: since v5.11 */
	if (!field_u64(l->t, info, l->info, "s_add_error_count", &fresh, &ignored))
		fresh = 0;
	if (flags >> EXT4_FLAGS_SHUTDOWN & 1)
		remember(l, "it was shut down");
	if (count + fresh)
		remember(l, arena_printf(l->a, "its count of errors is %" PRIu64 "%s",
					 count + fresh, last_function(l, es)));
	else if ((state | written) & EXT4_ERROR_FS)
		remember(l, "it is marked as one with errors");
	return !journal_at || journal(l, journal_at);
}

static bool xfs(struct look *l)
{
	static const char type[] = "struct xfs_mount";
	struct err ignored;
	uint64_t state;
	bool down;

	if (field_u64(l->t, type, l->info, "m_opstate", &state, &ignored)) {
		down = state >> XFS_OPSTATE_SHUTDOWN & 1;
	} else {
		if (!word(l, type, l->info, "m_flags", &state))
			return false;
		down = state & XFS_MOUNT_FS_SHUTDOWN;
	}
	if (down)
		remember(l, "it was shut down");
	return true;
}

static bool btrfs(struct look *l)
{
	static const char type[] = "struct btrfs_fs_info";
	struct err ignored;
	uint64_t number;

	if (field_u64(l->t, type, l->info, "fs_error", &number, &ignored)) {
		if ((int32_t)number)
			remember(l, arena_printf(l->a, "it met errno %d and takes no more writes",
						 (int32_t)number < 0 ? -(int32_t)number
								     : (int32_t)number));
		return true;
	}
	if (!word(l, type, l->info, "fs_state", &number))
		return false;
	if (number >> BTRFS_FS_STATE_ERROR & 1)
		remember(l, "it met an error and takes no more writes");
	return true;
}

static const struct {
	const char *type;
	bool (*look)(struct look *l);
	const char *needs[3]; /* types that may stand in modules */
} kinds[] = {
	{ "ext4", ext4, { "struct ext4_sb_info", "struct ext4_super_block", "struct journal_s" } },
	{ "ext3", ext4, { "struct ext4_sb_info", "struct ext4_super_block", "struct journal_s" } },
	{ "xfs", xfs, { "struct xfs_mount" } },
	{ "btrfs", btrfs, { "struct btrfs_fs_info" } },
};

bool superblock_error(struct target *t, const struct superblock *sb, struct arena *a,
		      const char **ret, struct err *err)
{
	struct look l = { .t = t, .a = a, .err = err };
	bool ok = true;

	*ret = NULL;
	for (size_t i = 0; sb->type && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(sb->type, kinds[i].type))
			ok = field_u64(t, "struct super_block", sb->addr, "s_fs_info", &l.info,
				       err) &&
			     (!l.info || kinds[i].look(&l));
	if (ok && l.said.n)
		*ret = arena_strndup(a, buf_text(&l.said), l.said.n);
	buf_release(&l.said);
	return ok || err_wrap(err, "%s %s", sb->type, sb->id ? sb->id : "?");
}

void superblock_error_types(struct target *t, const char *fs)
{
	const struct type *type;
	struct err ignored;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (size_t k = 0; !strcmp(fs, kinds[i].type) && k < 3; k++)
			if (kinds[i].needs[k])
				(void)!type_find_deep(t, kinds[i].needs[k], &type, &ignored);
}
