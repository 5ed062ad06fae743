/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rd: raw memory in words, characters or symbols. */
#include <inttypes.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/linux/memory/user.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"
#include "commands/memory/memory_record.h"
#include "commands/memory/user_context.h"

struct rd_opts {
	bool w8, w16, w32, w64, dec, udec, symbolic, plain, ascii, phys, user, swap, reverse;
	unsigned slab;
	const char *offset, *end, *file, *task;
};
static const struct option opts[] = {
	OPT_FLAG("8", struct rd_opts, w8, "bytes"),
	OPT_FLAG("16", struct rd_opts, w16, "words of 16 bits"),
	OPT_FLAG("32", struct rd_opts, w32, "words of 32 bits"),
	OPT_FLAG("64", struct rd_opts, w64, "words of 64 bits"),
	OPT_FLAG("d", struct rd_opts, dec, "signed decimal"),
	OPT_FLAG("D", struct rd_opts, udec, "unsigned decimal"),
	OPT_FLAG("s", struct rd_opts, symbolic, "symbols where a word is the address of one"),
	OPT_COUNT(
		"S", struct rd_opts, slab,
		"as -s, and the slab cache where it is the address of an object; -SS: that address too"),
	OPT_FLAG("N", struct rd_opts, swap, "words in the order of the network"),
	OPT_FLAG("R", struct rd_opts, reverse,
		 "the address is that of the last word, not the first"),
	OPT_FLAG("x", struct rd_opts, plain, "no characters beside the words"),
	OPT_FLAG("a", struct rd_opts, ascii,
		 "characters; without a count up to the first that does not print"),
	OPT_FLAG("p", struct rd_opts, phys, "the address is physical"),
	OPT_FLAG("u", struct rd_opts, user,
		 "the address is one of a task: the current one, or -c's"),
	OPT_STR("c", "task", struct rd_opts, task, "of this task's memory: pid, address or name"),
	OPT_STR("o", "offset", struct rd_opts, offset, "start that many bytes further"),
	OPT_STR("e", "address", struct rd_opts, end, "up to that address"),
	OPT_STR("r", "file", struct rd_opts, file,
		"write the bytes to a file; the count is of bytes"),
};

/* With -u or -c, whose memory is read. */
static bool rd_user(struct memory_dump *w, const struct rd_opts *o, struct err *err)
{
	const struct task *task;

	if (!o->user && !o->task)
		return true;
	return task_named(w->c, o->task, &task, err) &&
	       user_space_init(&w->user, w->c->t, task, err);
}

static bool rd_check(const struct ctx *c, const struct rd_opts *o, struct err *err)
{
	if (o->w8 + o->w16 + o->w32 + o->w64 > 1)
		return err_set(err, ERR_USAGE, "-8, -16, -32 and -64 exclude each other");
	if (o->phys && (o->user || o->task))
		return err_set(err, ERR_USAGE, "-p and -u exclude each other");
	if (o->reverse && (o->end || o->ascii))
		return err_set(err, ERR_USAGE, "-R excludes -e and -a");
	if (o->end && c->argc == 2)
		return err_set(err, ERR_USAGE, "-e and a count exclude each other");
	if (o->file && c->argc < 2 && !o->end)
		return err_set(err, ERR_USAGE, "-r needs a count of bytes, or -e");
	return (c->argc == 1 || c->argc == 2) ||
	       err_set(err, ERR_USAGE, "an address, and maybe a count, are wanted");
}

/* How many words, and where the first one is. */
static bool rd_range(struct memory_dump *w, const struct rd_opts *o, struct err *err)
{
	uint64_t end, off = 0, count = 1;
	struct ctx *c = w->c;

	if (!stage_place(c, c->argv[0], &w->at, err))
		return false;
	if (c->argc == 2 && (!parse_number(c->argv[1], false, &count) || !count))
		return err_set(err, ERR_USAGE, "'%s' is no count", c->argv[1]);
	if (o->offset && !parse_number(o->offset, false, &off))
		return err_set(err, ERR_USAGE, "'%s' is no offset", o->offset);
	w->at += off;
	if (o->end) {
		if (!stage_place(c, o->end, &end, err))
			return false;
		if (end <= w->at)
			return err_set(err, ERR_USAGE,
				       "the end 0x%" PRIx64 " is not after 0x%" PRIx64, end, w->at);
		count = (end - w->at + w->word - 1) / w->word;
	}
	if (o->reverse && count > w->at / w->word)
		return err_set(err, ERR_USAGE, "-R: there are not so many before 0x%" PRIx64,
			       w->at);
	if (o->reverse && count)
		w->at -= (count - 1) * w->word;
	/* no further than the end of the address space */
	w->left = (UINT64_MAX - w->at) / w->word;
	if (!w->left)
		return err_set_addr(err, ERR_BADADDR, w->at,
				    "0x%" PRIx64 " is the end of all addresses", w->at);
	if (w->left > count)
		w->left = count;
	return true;
}

/* gdb's $_: the last address that is shown. */
static void keep_last(struct memory_dump *w)
{
	const struct type *type;
	struct err ignored;

	if (!w->phys && w->left && type_find(w->c->t, "unsigned long", &type, &ignored))
		expr_shown(w->c->t, value_int(w->c->t, type_pointer_to(w->c->t, type),
					      w->at + (w->left - 1) * w->word));
}

static bool rd_run(struct ctx *c, struct err *err)
{
	const struct rd_opts *o = c->opts;
	struct memory_dump w = { .c = c,
				 .phys = o->phys,
				 .dec = o->dec,
				 .udec = o->udec,
				 .symbolic = o->symbolic || o->slab,
				 .slab = o->slab,
				 .swap = o->swap,
				 .plain = o->plain };
	struct err why;

	if (!rd_check(c, o, err) || !rd_user(&w, o, err))
		return false;
	w.word = o->w8 || o->ascii || o->file ? 1 : o->w16 ? 2 : o->w32 ? 4 : 8;
	if (w.word == 8 && !o->w64 && c->t->arch)
		w.word = c->t->arch->word;
	if (!rd_range(&w, o, err))
		return false;
	if (!o->phys && !w.user.t)
		(void)user_context(c, w.at, &w.user);
	if (o->file)
		return memory_file(&w, o->file, err);
	if (o->ascii && c->argc < 2 && !o->end) {
		w.left = UINT64_MAX - w.at;
		return memory_text(&w, true, err);
	}
	keep_last(&w);
	if (o->ascii ? memory_text(&w, false, err) : memory_words(&w, err))
		return true;
	why = *err;
	if (why.code == ERR_BADADDR && !o->phys && !w.user.t)
		err_set_addr(err, why.code, why.addr,
			     "%.140s; -u reads a task's memory, -p a physical address", why.msg);
	return false;
}

static const struct record_kind *const emits[] = { &memory_kind, &memory_copy_kind, NULL };
static const struct example examples[] = {
	{ "rd linux_banner 8", "eight words and their characters" },
	{ "rd -a linux_banner", "a string" },
	{ "rd -S init_task 64", "which objects a task points to" },
	{ "rd -32 jiffies", "one word of 32 bits" },
	{ "rd -p 1000 4", "by physical address" },
	{ "rd -r banner linux_banner 64", "64 bytes into the file banner" },
	{ "vm 1 | first 1 | each rd -c 1 {vm_start} 2", "of a task's own memory" },
};
const struct command cmd_rd = {
	.name = "rd",
	.group = "memory",
	.summary = "read memory",
	.needs = NEED_DUMP,
	.operands = "address | symbol [count]",
	OPTS(opts),
	.opts_size = sizeof(struct rd_opts),
	.emits = emits,
	.none = "no character that prints",
	.completes = COMPLETE_SYMBOL,
	.help = "Prints memory from an address on: hexadecimal, symbol, or symbol+offset; one word, or as many "
		"as the count says. The address may be an expression, as p takes it. Words are of the machine's size unless an option says otherwise.\n\n"
		"Where a page is absent the reason stands in its place, once for a run of pages (x 3), and the "
		"pages after it follow; -u and -c read a task's own memory through its page tables, and a page that "
		"it never touched, or that was swapped out, is not mapped. After set has chosen a task, its addresses are read so without -u. With -r nothing is invented: the copy ends before the first absent "
		"page.",
	EXAMPLES(examples),
	.run = rd_run,
};
