/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of BPF programs and maps by their ids: what is said of each, and where programs hang. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/bpf/bpf.h"
#include "core/linux/trace/trace_fake.h"
#include "core/linux/container/walk_fake.h"

static struct trace_fake f;

#define PROGS TRACE_VAR(0) /* IDRs */
#define MAPS TRACE_VAR(1)
#define LINKS TRACE_VAR(2)
#define CPUS TRACE_VAR(3)
#define OFFSETS TRACE_VAR(4)
#define EVENTS TRACE_VAR(6)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

static void enum_type(const char *name, struct enumerator *all, size_t n)
{
	struct type *s = kernel_struct(&f.k, name, 4);

	s->kind = TYPE_ENUM;
	s->enums = all;
	s->n_enums = n;
}

static void enum_types(void)
{
	static struct enumerator progs[] = { { "BPF_PROG_TYPE_UNSPEC", 0 },
					     { "BPF_PROG_TYPE_SOCKET_FILTER", 1 },
					     { "BPF_PROG_TYPE_TRACING", 26 } };
	static struct enumerator maps[] = { { "BPF_MAP_TYPE_HASH", 1 },
					    { "BPF_MAP_TYPE_CGROUP_STORAGE_DEPRECATED", 19 },
					    { "BPF_MAP_TYPE_CGROUP_STORAGE", 19 } };
	static struct enumerator links[] = {
		{ "__MAX_BPF_LINK_TYPE", 2 },     { "BPF_LINK_TYPE_RAW_TRACEPOINT", 1 },
		{ "BPF_LINK_TYPE_TRACING", 2 },   { "BPF_LINK_TYPE_CGROUP", 3 },
		{ "BPF_LINK_TYPE_ITER", 4 },      { "BPF_LINK_TYPE_XDP", 6 },
		{ "BPF_LINK_TYPE_PERF_EVENT", 7 }
	};

	enum_type("bpf_prog_type", progs, ARRAY_SIZE(progs));
	enum_type("bpf_map_type", maps, ARRAY_SIZE(maps));
	enum_type("bpf_link_type", links, ARRAY_SIZE(links));
}

static void prog_types(void)
{
	struct fake_kernel *k = &f.k;
	struct type *s =
		WORDS(k, "bpf_prog", "aux", "type", "len", "tag", "bpf_func", "jited_len", "stats");

	kernel_member(s, "jited", &k->u8, 56);
	s->size = 64;
	s = WORDS(k, "bpf_prog_aux", "id", "load_time", "user", "used_map_cnt", "used_maps",
		  "attach_func_name");
	kernel_member(s, "name", kernel_array(k, &k->u8, 16), 48);
	s->size = 64;
	s = kernel_struct(k, "user_struct", 16);
	kernel_member(s, "uid", INNER(k, "val"), 8);
	WORDS(k, "bpf_prog_stats", "cnt", "nsecs", "misses");
	s = WORDS(k, "bpf_map", "map_type", "id", "key_size", "value_size", "max_entries",
		  "map_flags", "btf");
	kernel_member(s, "btf_key_type_id", &k->u32, 56);
	kernel_member(s, "btf_value_type_id", &k->u32, 60);
	kernel_member(s, "frozen", &k->u8, 64);
	kernel_member(s, "name", kernel_array(k, &k->u8, 16), 72);
	s->size = 88;
}

/* Each kind of link has its struct bpf_link at another place. */
static void link_types(void)
{
	struct fake_kernel *k = &f.k;
	const struct type *link = WORDS(k, "bpf_link", "unused", "type", "prog");
	static const struct {
		const char *type, *member;
	} kinds[] = { { "bpf_raw_tp_link", "btp" },
		      { "bpf_perf_link", "perf_file" },
		      { "bpf_cgroup_link", "cgroup" },
		      { "bpf_xdp_link", "dev" } };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct type *s = kernel_struct(k, kinds[i].type, 64);

		kernel_member(s, kinds[i].member, &k->ptr, 0);
		kernel_member(s, "link", link, 8 * (i + 1));
	}
	WORDS(k, "bpf_raw_event_map", "unused", "tp");
	WORDS(k, "file", "unused", "private_data");
	WORDS(k, "perf_event", "unused", "tp_event");
	WORDS(k, "cgroup", "unused", "kn");
	WORDS(k, "kernfs_node", "unused", "name");
	kernel_member(kernel_struct(k, "net_device", 24), "name", kernel_array(k, &k->u8, 16), 8);
	WORDS(k, "bpf_prog_array_item", "prog", "cookie");
	kernel_member(kernel_struct(k, "bpf_prog_array", 16), "items", &k->ptr, 16);
}

static void start(void)
{
	struct fake_kernel *k = &f.k;

	walk_fake_init(k);
	f.heap = TRACE_HEAP;
	trace_fake_types(&f);
	enum_types();
	prog_types();
	link_types();
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "trace_event_call"))
			kernel_member(k->types[i], "prog_array", &k->ptr, 8 + TRACE_CALL_DATA);
	kernel_symbol(k, "prog_idr", PROGS);
	kernel_symbol(k, "map_idr", MAPS);
	kernel_symbol(k, "link_idr", LINKS);
	kernel_symbol(k, "nr_cpu_ids", CPUS);
	kernel_symbol(k, "__per_cpu_offset", OFFSETS);
	kernel_symbol(k, "ftrace_events", EVENTS);
	put32(k, CPUS, 2);
	put64(k, OFFSETS, 0x1000);
	put64(k, OFFSETS + 8, 0x2000);
	put_list(k, EVENTS, NULL, 0);
}

/* An IDR of a node with entries in slots 1, 2, ... */
static void idr_put(uint64_t idr, const uint64_t *all, size_t n)
{
	uint64_t node = trace_fake_room(&f, 16 + 64 * 8);

	put64(&f.k, idr + 8, node | 2);
	f.k.mem[node + 2 - KERNEL_BASE] = (uint8_t)n;
	for (size_t i = 0; i < n; i++)
		put64(&f.k, node + 16 + 8 * (i + 1), all[i]);
}

static uint64_t aux_of(uint64_t prog)
{
	return target_u64(&f.k.t, &f.k.mem[prog - KERNEL_BASE]);
}

static uint64_t prog_of(uint64_t id, const char *name, uint64_t type)
{
	uint64_t prog = trace_fake_room(&f, 64), aux = trace_fake_room(&f, 64);

	put64(&f.k, prog, aux);
	put64(&f.k, prog + 8, type);
	put64(&f.k, prog + 16, 10 * id);
	put64(&f.k, prog + 24, 0x8877665544332200u + id);
	put64(&f.k, aux, id);
	put_str(&f.k, aux + 48, name);
	return prog;
}

struct told {
	struct buf b;
	unsigned notes, most;
	struct err last;
};

static bool say_prog(const struct bpf_prog *p, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "%u %s %s tag=%02x%02x insns=%llu uid=%lld", p->id, p->name, p->type,
		   p->tag[0], p->tag[7], (unsigned long long)p->insns, (long long)p->uid);
	if (p->jited)
		buf_printf(&told->b, " jited=0x%llx+%llu", (unsigned long long)p->code,
			   (unsigned long long)p->code_size);
	if (p->has_run)
		buf_printf(&told->b, " runs=%llu/%llu/%llu", (unsigned long long)p->run_count,
			   (unsigned long long)p->run_ns, (unsigned long long)p->missed);
	if (p->load_ns)
		buf_printf(&told->b, " load=%llu", (unsigned long long)p->load_ns);
	for (size_t i = 0; i < p->n_maps; i++)
		buf_printf(&told->b, " map=%u", p->maps[i]);
	for (size_t i = 0; i < p->n_attached; i++)
		buf_printf(&told->b, " [%s]", p->attached[i]);
	buf_char(&told->b, '\n');
	return !told->most || --told->most;
}

static void note(const struct err *e, void *arg)
{
	struct told *told = arg;

	told->notes++;
	told->last = *e;
}

static struct told told;

static const char *progs(void)
{
	const char *ret;
	struct err err;

	told.notes = 0;
	if (!bpf_progs_each(&f.k.t, say_prog, note, &told, &err))
		buf_printf(&told.b, "(%s)", err.msg);
	ret = arena_strdup(&f.k.scratch, buf_text(&told.b));
	buf_release(&told.b);
	told.b = (struct buf){ 0 };
	return ret;
}

/* struct bpf_prog_stats is of each CPU: what a program ran is their sum. A program that is not
 * jited runs in the interpreter, and has no code of its own. */
TEST(programs_with_what_they_ran_and_use)
{
	uint64_t all[3], user, maps, map;

	start();
	all[0] = prog_of(4, "weave_run", 1);
	all[1] = prog_of(9, "plain", 26);
	all[2] = prog_of(11, "odd", 77);
	idr_put(PROGS, all, 3);
	put64(&f.k, all[0] + 48, KERNEL_BASE + 0x20000 - 0x1000);
	for (uint64_t cpu = 0; cpu < 2; cpu++)
		for (uint64_t i = 0; i < 3; i++)
			put64(&f.k, KERNEL_BASE + 0x20000 + 0x1000 * cpu + 8 * i,
			      (i + 1) * (cpu ? 100 : 1));
	f.k.mem[all[0] + 56 - KERNEL_BASE] = 1;
	put64(&f.k, all[0] + 32, 0x5000);
	put64(&f.k, all[0] + 40, 64);
	put64(&f.k, all[1] + 32, 0x6000); /* the interpreter */
	put64(&f.k, all[1] + 40, 64);
	put64(&f.k, aux_of(all[0]) + 8, 123456789);
	user = trace_fake_room(&f, 16);
	put64(&f.k, user + 8, 1000);
	put64(&f.k, aux_of(all[0]) + 16, user);
	maps = trace_fake_room(&f, 24);
	for (uint64_t i = 0; i < 3; i++) {
		map = trace_fake_room(&f, 88);
		put64(&f.k, map + 8, 20 + i);
		put64(&f.k, maps + 8 * i, map);
	}
	put64(&f.k, aux_of(all[0]) + 24, 2);
	put64(&f.k, aux_of(all[0]) + 32, maps);
	CHECK_STR(progs(), "4 weave_run socket_filter tag=0488 insns=40 uid=1000 jited=0x5000+64 "
			   "runs=101/202/303 load=123456789 map=20 map=21\n"
			   "9 plain tracing tag=0988 insns=90 uid=-1\n"
			   "11 odd 77 tag=0b88 insns=110 uid=-1\n");
	CHECK_U64(told.notes, 0);
	/* a map that cannot be read is left out; 65 maps are more than a program can have */
	put64(&f.k, maps, NOWHERE);
	told.most = 1;
	CHECK_CONTAINS(progs(), "load=123456789 map=21\n");
	put64(&f.k, aux_of(all[0]) + 24, 65);
	told.most = 1;
	CHECK_CONTAINS(progs(), "load=123456789\n");
	kernel_release(&f.k);
}

static void rename_member(const char *type, const char *from, const char *to)
{
	for (size_t i = 0; i < f.k.n_types; i++)
		for (size_t m = 0; m < f.k.types[i]->n_members; m++)
			if (!strcmp(f.k.types[i]->name, type) &&
			    !strcmp(f.k.types[i]->members[m].name, from))
				f.k.types[i]->members[m].name = to;
}

/* struct bpf_prog_aux of 5.10 (include/linux/bpf.h) has the pointer. */
TEST(what_programs_ran_in_older_kernels)
{
	uint64_t prog;

	start();
	rename_member("bpf_prog", "stats", "none");
	rename_member("bpf_prog_aux", "attach_func_name", "stats");
	prog = prog_of(4, "weave_run", 1);
	idr_put(PROGS, &prog, 1);
	put64(&f.k, aux_of(prog) + 40, KERNEL_BASE + 0x20000 - 0x1000);
	put64(&f.k, KERNEL_BASE + 0x20000, 5);
	put64(&f.k, KERNEL_BASE + 0x21000 + 8, 33998);
	CHECK_CONTAINS(progs(), " runs=5/33998/0");
	kernel_release(&f.k);
}

TEST(a_program_that_is_torn)
{
	uint64_t all[2];

	start();
	all[0] = prog_of(4, "torn", 1);
	all[1] = prog_of(9, "whole", 1);
	idr_put(PROGS, all, 2);
	put64(&f.k, all[0], NOWHERE);
	CHECK_STR(progs(), "9 whole socket_filter tag=0988 insns=90 uid=-1\n");
	CHECK_U64(told.notes, 1);
	CHECK_CONTAINS(told.last.msg,
		       arena_printf(&f.k.scratch, "a BPF program at 0x%" PRIx64, all[0]));
	kernel_release(&f.k);
	start();
	f.k.n_syms = 0;
	CHECK_CONTAINS(progs(), "no symbol 'prog_idr': the kernel has no BPF");
	kernel_release(&f.k);
}

static uint64_t pair_of(uint64_t second)
{
	uint64_t at = trace_fake_room(&f, 16);

	put64(&f.k, at + 8, second);
	return at;
}

/* A link of a kind, around prog; its own word points to what. */
static uint64_t link_of(unsigned at, uint64_t kind, uint64_t prog, uint64_t what)
{
	uint64_t s = trace_fake_room(&f, 64), link = s + 8 * (uint64_t)at;

	put64(&f.k, s, what);
	put64(&f.k, link + 8, kind);
	put64(&f.k, link + 16, prog);
	return link;
}

TEST(where_programs_are_attached)
{
	uint64_t prog, other, links[8], array, call, device, point;

	start();
	prog = prog_of(4, "all", 1);
	other = prog_of(5, "other", 1);
	idr_put(PROGS, (const uint64_t[]){ prog, other }, 2);
	point = trace_fake_room(&f, 16);
	put64(&f.k, point, trace_fake_text(&f, "sched_switch"));
	links[0] = link_of(1, 1, prog, pair_of(point));
	call = trace_fake_call(&f, "sched", "sched_waking");
	links[1] = link_of(2, 7, prog, pair_of(pair_of(call)));
	links[2] = link_of(3, 3, prog, pair_of(pair_of(trace_fake_text(&f, "system.slice"))));
	device = trace_fake_room(&f, 32);
	put_str(&f.k, device + 8, "eth0");
	links[3] = link_of(4, 6, prog, device);
	put64(&f.k, aux_of(prog) + 40, trace_fake_text(&f, "do_exit"));
	links[4] = link_of(1, 2, prog, 0);
	links[5] = link_of(1, 4, prog, 0);
	links[6] = link_of(4, 6, prog, 0); /* its device is gone */
	links[7] = link_of(1, 4, 0, 0);    /* its program is */
	idr_put(LINKS, links, 8);
	call = trace_fake_call(&f, "syscalls", "sys_enter");
	array = trace_fake_room(&f, 16 + 4 * 16);
	put64(&f.k, array + 16, other);
	put64(&f.k, array + 32, prog);
	put64(&f.k, array + 64, other); /* behind the end */
	put64(&f.k, call + 8 + TRACE_CALL_DATA, array);
	put_list(&f.k, EVENTS, &call, 1);
	CHECK_STR(progs(), "4 all socket_filter tag=0488 insns=40 uid=-1"
			   " [raw tracepoint sched_switch] [perf event sched:sched_waking]"
			   " [cgroup system.slice] [xdp eth0] [tracing do_exit] [link iter] [xdp]"
			   " [event syscalls:sys_enter]\n"
			   "5 other socket_filter tag=0588 insns=50 uid=-1"
			   " [event syscalls:sys_enter]\n");
	CHECK_U64(told.notes, 0);
	/* links and events that cannot be read hide no program */
	links[0] = NOWHERE;
	idr_put(LINKS, links, 2);
	put64(&f.k, EVENTS, NOWHERE);
	CHECK_STR(progs(), "4 all socket_filter tag=0488 insns=40 uid=-1"
			   " [perf event sched:sched_waking]\n"
			   "5 other socket_filter tag=0588 insns=50 uid=-1\n");
	CHECK_U64(told.notes, 2);
	CHECK_CONTAINS(told.last.msg, "the events' programs at 0x");
	kernel_release(&f.k);
}

static bool say_map(const struct bpf_map *m, void *arg)
{
	struct told *to = arg;

	buf_printf(&to->b, "%u %s %s %llu/%llu/%llu flags=%llu%s btf=%llu/%u/%u\n", m->id, m->name,
		   m->type, (unsigned long long)m->key_size, (unsigned long long)m->value_size,
		   (unsigned long long)m->max_entries, (unsigned long long)m->flags,
		   m->frozen ? " frozen" : "", (unsigned long long)m->btf, m->key_type,
		   m->value_type);
	return true;
}

/* BPF_MAP_TYPE_CGROUP_STORAGE has a second name of the same number, which is not the one in use. */
TEST(maps)
{
	uint64_t all[3];
	struct err err;

	start();
	for (uint64_t i = 0; i < 3; i++) {
		all[i] = trace_fake_room(&f, 88);
		for (uint64_t n = 0; n < 7; n++)
			put64(&f.k, all[i] + 8 * n, 10 * (i + 1) + n);
	}
	put64(&f.k, all[0], 1);
	put64(&f.k, all[1], 19);
	put32(&f.k, all[1] + 56, 5);
	put32(&f.k, all[1] + 60, 6);
	f.k.mem[all[1] + 64 - KERNEL_BASE] = 1;
	put_str(&f.k, all[1] + 72, "storage");
	put_str(&f.k, all[0] + 72, "weave_hash");
	all[2] = NOWHERE;
	idr_put(MAPS, all, 3);
	told.notes = 0;
	CHECK_OK(bpf_maps_each(&f.k.t, say_map, note, &told, &err), err);
	CHECK_STR(buf_text(&told.b),
		  "11 weave_hash hash 12/13/14 flags=15 btf=16/0/0\n"
		  "21 storage cgroup_storage 22/23/24 flags=25 frozen btf=26/5/6\n");
	CHECK_U64(told.notes, 1);
	CHECK_CONTAINS(told.last.msg, "a BPF map at 0xffff800000040000: not mapped");
	buf_release(&told.b);
	kernel_release(&f.k);
}
TEST_MAIN
