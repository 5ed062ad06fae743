/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BPF programs and maps by their ids, and where programs are attached. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/bpf/bpf.h"
#include "core/linux/container/walk.h"

#define NAME_MAX_LENGTH 128u
#define MAPS_MAX 64u /* MAX_USED_MAPS */
#define PROGS_MAX 65536u
#define ARRAY_MAX 64u /* BPF_TRACE_MAX_PROGS */

/* One attachment. */
struct attached {
	uint64_t prog;
	const char *to;
};

struct bpf {
	struct target *t;
	VEC(struct attached) to;
	void (*note)(const struct err *e, void *arg);
	void *arg;
};

/* Enumerators without their prefix, in lower case: "hash" of BPF_MAP_TYPE_HASH. */
static const char *bpf_enum(struct target *t, const char *type, const char *prefix, uint64_t value)
{
	const struct enumerator *all;
	const struct type *found;
	size_t n, skip = strlen(prefix);
	struct err ignored;

	if (type_find(t, type, &found, &ignored)) {
		all = type_enumerators(type_strip(found), &n);
		for (size_t i = 0; i < n; i++) {
			char *s;

			if (all[i].value != value || strncmp(all[i].name, prefix, skip) != 0)
				continue;
			s = arena_strdup(&t->arena, all[i].name + skip);
			for (char *p = s; *p; p++)
				*p = (char)tolower((unsigned char)*p);
			return s;
		}
	}
	return arena_printf(&t->arena, "%" PRIu64, value);
}

static void bpf_tell(struct bpf *b, struct err *err, const char *what, uint64_t addr)
{
	err_wrap(err, "%s at 0x%" PRIx64, what, addr);
	if (b->note)
		b->note(err, b->arg);
}

static const char *text_of(struct target *t, const char *type, uint64_t addr, const char *member)
{
	const char *s;
	uint64_t at;
	struct err ignored;

	return field_u64(t, type, addr, member, &at, &ignored) && at &&
			       mem_str(t, at, NAME_MAX_LENGTH, &t->arena, &s, &ignored)
		       ? s
		       : NULL;
}

/* A char array that is a member. */
static const char *chars_of(struct target *t, const char *type, uint64_t addr, const char *member)
{
	const char *s;
	uint64_t off;
	struct err ignored;

	return field_offset(t, type, member, &off, &ignored) &&
			       mem_str(t, addr + off, NAME_MAX_LENGTH, &t->arena, &s, &ignored)
		       ? s
		       : NULL;
}

static uint64_t number_of(struct target *t, const char *type, uint64_t addr, const char *member)
{
	uint64_t n;
	struct err ignored;

	return field_u64(t, type, addr, member, &n, &ignored) ? n : 0;
}

/* An IDR by its symbol; its xarray is its first member's. */
static bool idr_each(struct target *t, const char *symbol, walk_entry_fn *fn, void *arg,
		     struct err *err)
{
	uint64_t idr, off;

	if (!symbol_addr(t, symbol, &idr))
		return err_set(
			err, ERR_NOSYM,
			"no symbol '%s': the kernel has no BPF, or its symbols lack variables",
			symbol);
	return field_offset(t, "struct idr", "idr_rt", &off, err) &&
	       xarray_each(t, idr + off, symbol, fn, arg, err);
}

/* ---- where programs are attached */

static void bpf_attach(struct bpf *b, uint64_t prog, const char *kind, const char *to)
{
	struct attached *a;

	if (!prog || b->to.n >= PROGS_MAX)
		return;
	a = vec_push(&b->to);
	a->prog = prog;
	a->to = arena_printf(&b->t->arena, "%s%s%s", kind, to ? " " : "", to ? to : "");
}

static const char *event_name(struct target *t, uint64_t event)
{
	const char *system, *name;
	uint64_t call = number_of(t, "struct perf_event", event, "tp_event");
	struct err ignored;

	if (!call || !trace_call_name(t, call, &system, &name, &ignored))
		return NULL;
	return arena_printf(&t->arena, "%s:%s", system, name);
}

/* Each kind of link is a struct of its own around the struct bpf_link, told by its operations. */
static void attach_link(struct bpf *b, uint64_t link, uint64_t prog, const char *kind)
{
	struct target *t = b->t;
	uint64_t off, at, aux;
	struct err ignored;

	if (!strcmp(kind, "raw_tracepoint") &&
	    field_offset(t, "struct bpf_raw_tp_link", "link", &off, &ignored)) {
		at = number_of(t, "struct bpf_raw_tp_link", link - off, "btp");
		at = number_of(t, "struct bpf_raw_event_map", at, "tp");
		bpf_attach(b, prog, "raw tracepoint", text_of(t, "struct tracepoint", at, "name"));
	} else if (!strcmp(kind, "perf_event") &&
		   field_offset(t, "struct bpf_perf_link", "link", &off, &ignored)) {
		at = number_of(t, "struct bpf_perf_link", link - off, "perf_file");
		at = number_of(t, "struct file", at, "private_data");
		bpf_attach(b, prog, "perf event", event_name(t, at));
	} else if (!strcmp(kind, "cgroup") &&
		   field_offset(t, "struct bpf_cgroup_link", "link", &off, &ignored)) {
		at = number_of(t, "struct bpf_cgroup_link", link - off, "cgroup");
		at = number_of(t, "struct cgroup", at, "kn");
		bpf_attach(b, prog, "cgroup", text_of(t, "struct kernfs_node", at, "name"));
	} else if (!strcmp(kind, "xdp") &&
		   field_offset(t, "struct bpf_xdp_link", "link", &off, &ignored)) {
		at = number_of(t, "struct bpf_xdp_link", link - off, "dev");
		bpf_attach(b, prog, "xdp",
			   at ? chars_of(t, "struct net_device", at, "name") : NULL);
	} else if (!strcmp(kind, "tracing")) {
		aux = number_of(t, "struct bpf_prog", prog, "aux");
		bpf_attach(b, prog, "tracing",
			   text_of(t, "struct bpf_prog_aux", aux, "attach_func_name"));
	} else {
		bpf_attach(b, prog, "link", kind);
	}
}

static bool link_add(const struct walk_entry *e, void *arg)
{
	static const char type[] = "struct bpf_link";
	struct bpf *b = arg;
	uint64_t kind, prog;
	struct err err;

	if (!field_u64(b->t, type, e->entry, "type", &kind, &err) ||
	    !field_u64(b->t, type, e->entry, "prog", &prog, &err))
		bpf_tell(b, &err, "a BPF link", e->entry);
	else
		attach_link(b, e->entry, prog,
			    bpf_enum(b->t, "enum bpf_link_type", "BPF_LINK_TYPE_", kind));
	return b->to.n < PROGS_MAX;
}

/* Programs of perf events that no link holds hang on the event's own array. */
static bool call_add(uint64_t call, void *arg)
{
	struct bpf *b = arg;
	struct target *t = b->t;
	const struct type *item;
	const char *system, *name;
	uint64_t array, items, prog;
	struct err ignored;

	if (!field_u64(t, "struct trace_event_call", call, "prog_array", &array, &ignored) ||
	    !array || !type_find(t, "struct bpf_prog_array_item", &item, &ignored) ||
	    !field_offset(t, "struct bpf_prog_array", "items", &items, &ignored) ||
	    !trace_call_name(t, call, &system, &name, &ignored))
		return true;
	for (unsigned i = 0; i < ARRAY_MAX; i++) {
		if (!field_u64(t, "struct bpf_prog_array_item", array + items + i * item->size,
			       "prog", &prog, &ignored) ||
		    !prog)
			break;
		bpf_attach(b, prog, "event", arena_printf(&t->arena, "%s:%s", system, name));
	}
	return b->to.n < PROGS_MAX;
}

static void find_attached(struct bpf *b)
{
	uint64_t head, off, n;
	struct err err;

	/* 70ed506c3bbc (v5.7): before it there are no links to look for */
	if (symbol_addr(b->t, "link_idr", &n) && !idr_each(b->t, "link_idr", link_add, b, &err))
		bpf_tell(b, &err, "the BPF links", n);
	if (symbol_addr(b->t, "ftrace_events", &head) &&
	    field_offset(b->t, "struct trace_event_call", "list", &off, &err) &&
	    !list_each(b->t, head, off, "events", call_add, b, &err))
		bpf_tell(b, &err, "the events' programs", head);
}

/* ---- programs */

/* Of a program, or as 5.10 has it of what hangs on it. */
static bool stats_of(struct target *t, uint64_t prog, uint64_t *ret)
{
	uint64_t aux;
	struct err ignored;

	return field_u64(t, "struct bpf_prog", prog, "stats", ret, &ignored) ||
	       (field_u64(t, "struct bpf_prog", prog, "aux", &aux, &ignored) &&
		field_u64(t, "struct bpf_prog_aux", aux, "stats", ret, &ignored));
}

static void read_runs(struct target *t, struct bpf_prog *p)
{
	static const char type[] = "struct bpf_prog_stats";
	uint64_t stats, cnt, ns, misses = 0, off, v;
	bool has_misses;
	unsigned cpus;
	struct err ignored;

	if (!stats_of(t, p->addr, &stats) || !stats ||
	    !field_offset(t, type, "cnt", &cnt, &ignored) ||
	    !field_offset(t, type, "nsecs", &ns, &ignored) || !cpus_count(t, &cpus, &ignored))
		return;
	has_misses = field_offset(t, type, "misses", &misses, &ignored);
	p->has_run = true;
	for (unsigned i = 0; i < cpus; i++) {
		uint64_t at;

		if (!cpu_is_possible(t, i) || !percpu_offset(t, i, &off, &ignored))
			continue;
		at = percpu_sum(t, stats, off);
		if (mem_u64(t, at + cnt, &v, &ignored))
			p->run_count += v;
		if (mem_u64(t, at + ns, &v, &ignored))
			p->run_ns += v;
		if (has_misses && mem_u64(t, at + misses, &v, &ignored))
			p->missed += v;
	}
}

static void read_maps(struct target *t, struct bpf_prog *p, uint64_t aux)
{
	uint64_t n = number_of(t, "struct bpf_prog_aux", aux, "used_map_cnt");
	uint64_t maps = number_of(t, "struct bpf_prog_aux", aux, "used_maps"), map, id;
	uint32_t *ids;
	struct err ignored;

	if (!maps || n > MAPS_MAX)
		return;
	ids = ARENA_ARRAY(&t->arena, uint32_t, n + 1);
	for (uint64_t i = 0; i < n; i++)
		if (mem_ptr(t, maps + i * t->arch->word, &map, &ignored) &&
		    field_u64(t, "struct bpf_map", map, "id", &id, &ignored))
			ids[p->n_maps++] = (uint32_t)id;
	p->maps = ids;
}

static void read_attached(const struct bpf *b, struct bpf_prog *p)
{
	const char **to = ARENA_ARRAY(&b->t->arena, const char *, BPF_ATTACHED_MAX);

	for (size_t i = 0; i < b->to.n && p->n_attached < BPF_ATTACHED_MAX; i++)
		if (b->to.p[i].prog == p->addr)
			to[p->n_attached++] = b->to.p[i].to;
	p->attached = to;
}

static bool read_prog(struct bpf *b, uint64_t addr, struct bpf_prog *p, struct err *err)
{
	static const char type[] = "struct bpf_prog", aux_type[] = "struct bpf_prog_aux";
	struct target *t = b->t;
	uint64_t aux, id, kind, tag, user, uid;
	struct err ignored;

	*p = (struct bpf_prog){ .addr = addr, .uid = -1 };
	if (!field_u64(t, type, addr, "aux", &aux, err) ||
	    !field_u64(t, type, addr, "type", &kind, err) ||
	    !field_u64(t, type, addr, "len", &p->insns, err) ||
	    !field_offset(t, type, "tag", &tag, err) ||
	    !mem_read(t, addr + tag, p->tag, sizeof(p->tag), err) ||
	    !field_u64(t, aux_type, aux, "id", &id, err))
		return false;
	p->id = (uint32_t)id;
	p->name = chars_of(t, aux_type, aux, "name");
	p->type = bpf_enum(t, "enum bpf_prog_type", "BPF_PROG_TYPE_", kind);
	p->load_ns = number_of(t, aux_type, aux, "load_time");
	p->jited = number_of(t, type, addr, "jited");
	if (p->jited) {
		p->code = number_of(t, type, addr, "bpf_func");
		p->code_size = number_of(t, type, addr, "jited_len");
	}
	user = number_of(t, aux_type, aux, "user");
	if (user && field_u64(t, "struct user_struct", user, "uid.val", &uid, &ignored))
		p->uid = (int64_t)uid;
	read_runs(t, p);
	read_maps(t, p, aux);
	read_attached(b, p);
	return true;
}

struct progs {
	struct bpf b;
	bool (*fn)(const struct bpf_prog *p, void *arg);
	void *arg;
};

static bool prog_add(const struct walk_entry *e, void *arg)
{
	struct progs *ps = arg;
	struct bpf_prog p;
	struct err err;

	if (read_prog(&ps->b, e->entry, &p, &err))
		return ps->fn(&p, ps->arg);
	bpf_tell(&ps->b, &err, "a BPF program", e->entry);
	return true;
}

bool bpf_progs_each(struct target *t, bool (*fn)(const struct bpf_prog *p, void *arg),
		    void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct progs ps = { .b = { .t = t, .note = note, .arg = arg }, .fn = fn, .arg = arg };
	bool ok;

	find_attached(&ps.b);
	ok = idr_each(t, "prog_idr", prog_add, &ps, err);
	vec_release(&ps.b.to);
	return ok;
}

/* ---- maps */

struct maps {
	struct bpf b;
	bool (*fn)(const struct bpf_map *m, void *arg);
	void *arg;
};

static bool map_add(const struct walk_entry *e, void *arg)
{
	static const char type[] = "struct bpf_map";
	struct maps *ms = arg;
	struct target *t = ms->b.t;
	struct bpf_map m = { .addr = e->entry };
	uint64_t kind, id;
	struct err err;

	if (!field_u64(t, type, m.addr, "map_type", &kind, &err) ||
	    !field_u64(t, type, m.addr, "id", &id, &err) ||
	    !field_u64(t, type, m.addr, "key_size", &m.key_size, &err) ||
	    !field_u64(t, type, m.addr, "value_size", &m.value_size, &err) ||
	    !field_u64(t, type, m.addr, "max_entries", &m.max_entries, &err)) {
		bpf_tell(&ms->b, &err, "a BPF map", m.addr);
		return true;
	}
	m.id = (uint32_t)id;
	m.type = bpf_enum(t, "enum bpf_map_type", "BPF_MAP_TYPE_", kind);
	/* two names have one number each: the older of them, which is no longer the one in use */
	if (!strcmp(m.type, "cgroup_storage_deprecated"))
		m.type = "cgroup_storage";
	m.name = chars_of(t, type, m.addr, "name");
	m.flags = number_of(t, type, m.addr, "map_flags");
	m.frozen = number_of(t, type, m.addr, "frozen");
	m.btf = number_of(t, type, m.addr, "btf");
	m.key_type = (uint32_t)number_of(t, type, m.addr, "btf_key_type_id");
	m.value_type = (uint32_t)number_of(t, type, m.addr, "btf_value_type_id");
	if (!m.name)
		m.name = "";
	return ms->fn(&m, ms->arg);
}

bool bpf_maps_each(struct target *t, bool (*fn)(const struct bpf_map *m, void *arg),
		   void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct maps ms = { .b = { .t = t, .note = note, .arg = arg }, .fn = fn, .arg = arg };

	return idr_each(t, "map_idr", map_add, &ms, err);
}
