/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of dynamic events' definitions, as the kernel's dynamic_events file prints them, and of
 * those that cannot be read. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/trace/trace_fake.h"

static struct trace_fake f;

#define HEAD TRACE_VAR(0) /* dyn_event_list */
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

enum {
	OPS_KPROBE,
	OPS_UPROBE,
	OPS_EPROBE,
	OPS_FPROBE,
	OPS_SYNTH,
	OPS_USER,
	DEVENT = 16, /* in every struct that is a dynamic event */
	DYN_OPS = 16,
	TP = 48,     /* struct trace_probe in it: event, nr_args, args[] */
	ARG = 24,    /* the size of one */
	TEXTS = 128, /* where each has what is its own */
	SIZE = 256
};

static struct type *event_type(const char *name)
{
	struct fake_kernel *k = &f.k;
	struct type *s = kernel_struct(k, name, SIZE);
	const struct type *dyn = NULL, *tp = NULL;

	for (size_t i = 0; i < k->n_types; i++) {
		if (!strcmp(k->types[i]->name, "dyn_event"))
			dyn = k->types[i];
		if (!strcmp(k->types[i]->name, "trace_probe"))
			tp = k->types[i];
	}
	kernel_member(s, "devent", dyn, DEVENT);
	kernel_member(s, "tp", tp, TP);
	return s;
}

static void probe_types(void)
{
	struct fake_kernel *k = &f.k;
	struct type *s, *inner;

	s = event_type("trace_kprobe");
	inner = INNER(k, "offset", "addr");
	kernel_member(s, "symbol", &k->ptr, TEXTS);
	kernel_member(s, "rp",
		      inner_struct(k, (const char *const[]){ "handler", "maxactive", NULL }),
		      TEXTS + 16);
	kernel_member((struct type *)(uintptr_t)s->members[3].type, "kp", inner, 16);
	s = event_type("trace_uprobe");
	kernel_member(s, "consumer", INNER(k, "handler", "ret_handler"), TEXTS);
	kernel_member(s, "filename", &k->ptr, TEXTS + 16);
	kernel_member(s, "offset", &k->u64, TEXTS + 24);
	kernel_member(s, "ref_ctr_offset", &k->u64, TEXTS + 32);
	s = event_type("trace_eprobe");
	kernel_member(s, "event_system", &k->ptr, TEXTS);
	kernel_member(s, "event_name", &k->ptr, TEXTS + 8);
	s = event_type("trace_fprobe");
	kernel_member(s, "tpoint", &k->ptr, TEXTS);
	kernel_member(s, "symbol", &k->ptr, TEXTS + 8);
	kernel_member(s, "fp", INNER(k, "exit_handler", "nr_maxactive"), TEXTS + 16);
	s = event_type("synth_event");
	kernel_member(s, "class", INNER(k, "unused", "system"), TEXTS);
	kernel_member(s, "name", &k->ptr, TEXTS + 16);
	kernel_member(s, "n_fields", &k->u32, TEXTS + 24);
	kernel_member(s, "fields", &k->ptr, TEXTS + 32);
	WORDS(k, "synth_field", "type", "name");
}

static void start(void)
{
	static const char *const ops[] = { "trace_kprobe_ops",     "trace_uprobe_ops",
					   "eprobe_dyn_event_ops", "trace_fprobe_ops",
					   "synth_event_ops",      "user_event_dops" };
	struct fake_kernel *k = &f.k;
	struct type *s;

	trace_fake_init(&f);
	s = kernel_struct(k, "dyn_event", 24);
	kernel_member(s, "list", f.list, 0);
	kernel_member(s, "ops", &k->ptr, DYN_OPS);
	s = WORDS(k, "probe_arg", "unused", "name", "comm");
	s = kernel_struct(k, "trace_probe", 16 + 2 * ARG);
	kernel_member(s, "event", &k->ptr, 0);
	kernel_member(s, "nr_args", &k->u32, 8);
	kernel_member(s, "args", &k->ptr, 16);
	WORDS(k, "trace_probe_event", "unused", "call");
	probe_types();
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		kernel_symbol(k, ops[i], TRACE_VAR(8 + i));
	kernel_symbol(k, "dyn_event_list", HEAD);
	put_list(k, HEAD, NULL, 0);
}

static void text_put(uint64_t at, const char *s)
{
	put64(&f.k, at, trace_fake_text(&f, s));
}

/* An event of a kind, in the group "night", with n arguments "aN=+N(%di)". */
static uint64_t event_of(unsigned ops, const char *name, unsigned n)
{
	uint64_t at = trace_fake_room(&f, SIZE), probe_event = trace_fake_room(&f, 8 + 64);
	uint64_t call = trace_fake_call(&f, "night", name);

	memmove(&f.k.mem[probe_event + 8 - KERNEL_BASE], &f.k.mem[call - KERNEL_BASE], 64);
	put64(&f.k, at + DEVENT + DYN_OPS, TRACE_VAR(8 + ops));
	put64(&f.k, at + TP, probe_event);
	put32(&f.k, at + TP + 8, n);
	for (unsigned i = 0; i < n; i++) {
		char text[24];

		snprintf(text, sizeof(text), "a%u", i);
		text_put(at + TP + 16 + i * ARG + 8, text);
		snprintf(text, sizeof(text), "+%u(%%di)", i);
		text_put(at + TP + 16 + i * ARG + 16, text);
	}
	return at;
}

struct told {
	struct buf b;
	unsigned notes;
	struct err last;
	const char *enough; /* the kind after which no more are wanted */
};

static bool say(const struct dynamic_event *e, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "%s %s\n", e->kind, e->definition);
	return !told->enough || strcmp(e->kind, told->enough) != 0;
}

static void note(const struct err *e, void *arg)
{
	struct told *told = arg;

	told->notes++;
	told->last = *e;
}

static void list_put(const uint64_t *all, size_t n)
{
	uint64_t links[8];

	for (size_t i = 0; i < n; i++)
		links[i] = all[i] + DEVENT;
	put_list(&f.k, HEAD, links, n);
}

static void check_all(const char *want)
{
	struct told told = { 0 };
	struct err err;

	CHECK_OK(trace_probes_each(&f.k.t, false, say, note, &told, &err), err);
	CHECK_STR(buf_text(&told.b), want);
	CHECK_U64(told.notes, 0);
	buf_release(&told.b);
}

/* trace_kprobe_show() of trace_kprobe.c: "p:GROUP/EVENT SYM[+offset]", "r[maxactive]:..." of those
 * with a handler of returns, the address where no symbol was given, then " name=expression". */
TEST(kprobes)
{
	enum {
		SYMBOL = TEXTS,
		HANDLER = TEXTS + 16,
		MAX = TEXTS + 24,
		OFFSET = TEXTS + 32,
		ADDR = TEXTS + 40
	};
	uint64_t all[5];

	start();
	all[0] = event_of(OPS_KPROBE, "open", 2);
	text_put(all[0] + SYMBOL, "do_sys_open");
	put64(&f.k, all[0] + MAX, 5); /* of a probe that is no return's it means nothing */
	all[1] = event_of(OPS_KPROBE, "inside", 0);
	text_put(all[1] + SYMBOL, "vfs_read");
	put64(&f.k, all[1] + OFFSET, 16);
	all[2] = event_of(OPS_KPROBE, "there", 0);
	put64(&f.k, all[2] + ADDR, 0xffffffff81234567);
	put64(&f.k, all[2] + OFFSET, 16);
	all[3] = event_of(OPS_KPROBE, "back", 1);
	text_put(all[3] + SYMBOL, "vfs_write");
	put64(&f.k, all[3] + HANDLER, 0x1000);
	all[4] = event_of(OPS_KPROBE, "many", 0);
	text_put(all[4] + SYMBOL, "vfs_write");
	put64(&f.k, all[4] + HANDLER, 0x1000);
	put64(&f.k, all[4] + MAX, 20);
	list_put(all, 5);
	check_all("kprobe p:night/open do_sys_open a0=+0(%di) a1=+1(%di)\n"
		  "kprobe p:night/inside vfs_read+16\n"
		  "kprobe p:night/there 0xffffffff81234567\n"
		  "kprobe r:night/back vfs_write a0=+0(%di)\n"
		  "kprobe r20:night/many vfs_write\n");
	kernel_release(&f.k);
}

/* trace_uprobe_show(): the offset in as many digits as a pointer has, the counter in parentheses.
 * trace_eprobe.c: "e:GROUP/EVENT SYSTEM.EVENT". */
TEST(uprobes_and_probes_of_events)
{
	uint64_t all[3];

	start();
	all[0] = event_of(OPS_UPROBE, "main", 1);
	text_put(all[0] + TEXTS + 16, "/bin/bash");
	put64(&f.k, all[0] + TEXTS + 24, 0x4245c0);
	all[1] = event_of(OPS_UPROBE, "usdt", 0);
	put64(&f.k, all[1] + TEXTS + 8, 0x1000);
	text_put(all[1] + TEXTS + 16, "/lib/libc.so.6");
	put64(&f.k, all[1] + TEXTS + 24, 0x10);
	put64(&f.k, all[1] + TEXTS + 32, 0x38f0);
	all[2] = event_of(OPS_EPROBE, "wake", 2);
	text_put(all[2] + TEXTS, "sched");
	text_put(all[2] + TEXTS + 8, "sched_waking");
	list_put(all, 3);
	check_all("uprobe p:night/main /bin/bash:0x00000000004245c0 a0=+0(%di)\n"
		  "uprobe r:night/usdt /lib/libc.so.6:0x0000000000000010(0x38f0)\n"
		  "eprobe e:night/wake sched.sched_waking a0=+0(%di) a1=+1(%di)\n");
	kernel_release(&f.k);
}

/* trace_fprobe_show(): 't' of tracepoints, "%return" of what has a handler of exits. */
TEST(fprobes)
{
	uint64_t all[3];

	start();
	all[0] = event_of(OPS_FPROBE, "enter", 1);
	text_put(all[0] + TEXTS + 8, "vfs_read");
	put64(&f.k, all[0] + TEXTS + 24, 7); /* means something to returns only */
	all[1] = event_of(OPS_FPROBE, "leave", 0);
	text_put(all[1] + TEXTS + 8, "vfs_read");
	put64(&f.k, all[1] + TEXTS + 16, 0x1000);
	put64(&f.k, all[1] + TEXTS + 24, 7);
	all[2] = event_of(OPS_FPROBE, "point", 0);
	put64(&f.k, all[2] + TEXTS, 0x2000);
	text_put(all[2] + TEXTS + 8, "sched_switch");
	list_put(all, 3);
	check_all("fprobe f:night/enter vfs_read a0=+0(%di)\n"
		  "fprobe f7:night/leave vfs_read%return\n"
		  "fprobe t:night/point sched_switch\n");
	kernel_release(&f.k);
}

static uint64_t synthetic(const char *const *types, const char *const *names, unsigned n)
{
	uint64_t at = trace_fake_room(&f, SIZE), fields = trace_fake_room(&f, 8 * n);

	put64(&f.k, at + DEVENT + DYN_OPS, TRACE_VAR(8 + OPS_SYNTH));
	text_put(at + TEXTS + 8, "synthetic");
	text_put(at + TEXTS + 16, "wakeup_lat");
	put32(&f.k, at + TEXTS + 24, n);
	put64(&f.k, at + TEXTS + 32, fields);
	for (unsigned i = 0; i < n; i++) {
		uint64_t field = trace_fake_room(&f, 16);

		put64(&f.k, fields + 8 * i, field);
		text_put(field, types[i]);
		text_put(field + 8, names[i]);
	}
	return at;
}

/* __synth_event_show(): a tab behind the name, "; " between fields, no "__data_loc". What has
 * operations that nobody here knows is named by them. */
TEST(synthetic_events_and_others)
{
	static const char *const types[] = { "u64", "__data_loc char[]", "pid_t" };
	static const char *const names[] = { "lat", "comm", "pid" };
	uint64_t all[2];
	struct told told = { .enough = "synthetic" };
	struct err err;

	start();
	all[0] = synthetic(types, names, 3);
	all[1] = event_of(OPS_USER, "user", 0);
	list_put(all, 2);
	check_all("synthetic s:synthetic/wakeup_lat\tu64 lat; char[] comm; pid_t pid\n"
		  "user_event_dops \n");
	CHECK_OK(trace_probes_each(&f.k.t, false, say, NULL, &told, &err), err);
	CHECK_STR(buf_text(&told.b),
		  "synthetic s:synthetic/wakeup_lat\tu64 lat; char[] comm; pid_t pid\n");
	buf_release(&told.b);
	kernel_release(&f.k);
}

static void check_lost(uint64_t bad, enum err_code code, const char *why)
{
	struct told told = { 0 };
	struct err err;

	CHECK_OK(trace_probes_each(&f.k.t, false, say, note, &told, &err), err);
	CHECK_STR(buf_text(&told.b), "eprobe e:night/whole a.b\n");
	CHECK_U64(told.notes, 1);
	CHECK_ERR(told.last, code);
	CHECK_CONTAINS(told.last.msg, why);
	CHECK_CONTAINS(told.last.msg,
		       arena_printf(&f.k.scratch, "dynamic event at 0x%" PRIx64, bad + DEVENT));
	buf_release(&told.b);
}

/* One that is damaged costs itself only, and says where it is. */
TEST(a_damaged_event_hides_no_other)
{
	static const char *const word[] = { "u64" };
	uint64_t all[2];

	start();
	all[1] = event_of(OPS_EPROBE, "whole", 0);
	text_put(all[1] + TEXTS, "a");
	text_put(all[1] + TEXTS + 8, "b");
	all[0] = event_of(OPS_EPROBE, "torn", 1);
	text_put(all[0] + TEXTS, "a");
	list_put(all, 2);
	check_lost(all[0], ERR_CORRUPT, "a name is NULL");
	put64(&f.k, all[0] + TEXTS + 8, NOWHERE);
	check_lost(all[0], ERR_UNMAPPED, "not mapped");
	text_put(all[0] + TEXTS + 8, "b");
	put32(&f.k, all[0] + TP + 8, 1025);
	check_lost(all[0], ERR_CORRUPT, "a probe of 1025 arguments");
	put32(&f.k, all[0] + TP + 8, 1);
	put64(&f.k, all[0] + TP + 16 + 8, NOWHERE);
	check_lost(all[0], ERR_UNMAPPED, "not mapped");
	text_put(all[0] + TP + 16 + 8, "a0");
	put64(&f.k, all[0] + TP + 16 + 16, 0);
	check_lost(all[0], ERR_CORRUPT, "a name is NULL");
	put64(&f.k, all[0] + TP, NOWHERE);
	check_lost(all[0], ERR_UNMAPPED, "not mapped");
	put64(&f.k, all[0] + DEVENT + DYN_OPS, 0x10);
	check_lost(all[0], ERR_NOSYM, "0x10");
	all[0] = synthetic(word, word, 1);
	list_put(all, 2);
	put32(&f.k, all[0] + TEXTS + 24, 1025);
	check_lost(all[0], ERR_CORRUPT, "a synthetic event of 1025 fields");
	put32(&f.k, all[0] + TEXTS + 24, 1);
	put64(&f.k, all[0] + TEXTS + 32, NOWHERE);
	check_lost(all[0], ERR_UNMAPPED, "not mapped");
	all[0] = event_of(OPS_UPROBE, "nameless", 0);
	list_put(all, 2);
	check_lost(all[0], ERR_CORRUPT, "a name is NULL");
	all[0] = event_of(OPS_FPROBE, "nameless", 0);
	list_put(all, 2);
	check_lost(all[0], ERR_CORRUPT, "a name is NULL");
	kernel_release(&f.k);
}

TEST(a_kernel_that_has_none_of_these)
{
	struct told told = { 0 };
	struct err err;

	kernel_init(&f.k);
	CHECK_OK(trace_probes_each(&f.k.t, false, say, note, &told, &err), err);
	CHECK(!told.notes && !told.b.n);
	kernel_release(&f.k);
	start();
	put64(&f.k, HEAD, NOWHERE);
	CHECK(!trace_probes_each(&f.k.t, false, say, note, &told, &err));
	CHECK_CONTAINS(err.msg, "dynamic events");
	kernel_release(&f.k);
}
TEST_MAIN
