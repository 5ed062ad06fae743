/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that events refer to: tasks that may be dead, code, strings the kernel knew by address. */
#include <string.h>

#include "core/linux/trace/trace.h"
#include "core/linux/container/list.h"
#include "core/linux/module/module.h"
#include "core/linux/task/task.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"

#define COMM_LEN 16
#define STRING_MAX 4096u
#define CONSTANT_MAX 256u /* bytes of a constant that an event points to, its NUL too */
#define STRINGS_MAX 65536u
#define PID_MAP 32769u /* PID_MAX_DEFAULT + 1, the pids that savedcmd tells apart */

struct trace_names {
	struct map comms;   /* pid -> const char *, NULL for none */
	struct map strings; /* address -> const char * */
	bool cmd_tried, strings_tried;
	uint64_t to_cmdline, to_pid, names; /* of savedcmd; 0: not known */
	uint64_t n;
	bool tgid_tried;
	uint64_t tgid_map, tgid_max;
};

static struct trace_names *names(struct target *t)
{
	struct trace_state *st = trace_state(t);

	if (!st->names)
		st->names = ARENA_NEW(&t->arena, struct trace_names);
	return st->names;
}

void linux_trace_release(struct target *t)
{
	struct trace_state *st = t->linux_state->of[LINUX_TRACE];

	if (!st || !st->names)
		return;
	map_release(&st->names->comms);
	map_release(&st->names->strings);
}

/* ---- tasks */

/* struct saved_cmdlines_buffer: pid -> slot, slot -> pid, slot -> 16 bytes of comm. */
static void saved_find(struct target *t, struct trace_names *st)
{
	static const char type[] = "struct saved_cmdlines_buffer";
	uint64_t var, at, off, n;
	const struct type *field;
	struct member_ref ref;
	struct err ignored;

	st->cmd_tried = true;
	if (!symbol_addr(t, "savedcmd", &var) || !mem_ptr(t, var, &at, &ignored) || !at ||
	    !field_u64(t, type, at, "cmdline_num", &n, &ignored) ||
	    !field_u64(t, type, at, "map_cmdline_to_pid", &st->to_pid, &ignored) ||
	    !type_find(t, type, &field, &ignored) ||
	    !type_member(field, "saved_cmdlines", &ref, &ignored))
		return;
	st->names = at + ref.offset;
	/* 8b2b4e45a7cb (v6.8) put them behind the struct; a pointer before */
	if (type_strip(ref.type)->kind == TYPE_POINTER &&
	    !mem_ptr(t, st->names, &st->names, &ignored)) {
		st->names = 0;
		return;
	}
	if (field_offset(t, type, "map_pid_to_cmdline", &off, &ignored)) {
		st->to_cmdline = at + off;
		st->n = n;
	}
}

/* The slot says whose it is; a pid's slot may have been given to another since. */
static const char *saved_comm(struct target *t, struct trace_names *st, int32_t pid)
{
	uint32_t slot, owner;
	char comm[COMM_LEN + 1] = "";
	struct err ignored;

	if (!st->cmd_tried)
		saved_find(t, st);
	if (!st->to_cmdline || pid <= 0 ||
	    !mem_u32(t, st->to_cmdline + 4 * ((uint64_t)pid & (PID_MAP - 2)), &slot, &ignored) ||
	    slot >= st->n || !mem_u32(t, st->to_pid + 4 * (uint64_t)slot, &owner, &ignored) ||
	    owner != (uint32_t)pid ||
	    !mem_read(t, st->names + (uint64_t)COMM_LEN * slot, comm, COMM_LEN, &ignored))
		return NULL;
	return arena_strdup(&t->arena, comm);
}

const char *trace_name_comm(const struct recording *rec, int32_t pid)
{
	struct trace_names *st = names(rec->t);
	const struct task *task;
	const char *comm;
	struct err ignored;
	uint64_t *known = map_get(&st->comms, (uint32_t)pid);
	bool isnew;

	if (known)
		return (const char *)(uintptr_t)*known;
	comm = saved_comm(rec->t, st, pid);
	if (!comm && pid > 0 && task_by_pid(rec->t, pid, &task, &ignored))
		comm = task->comm;
	*map_put(&st->comms, (uint32_t)pid, &isnew) = (uintptr_t)comm;
	return comm;
}

int32_t trace_name_tgid(const struct recording *rec, int32_t pid)
{
	struct target *t = rec->t;
	struct trace_names *st = names(t);
	uint64_t var;
	uint32_t tgid;
	struct err ignored;

	if (!st->tgid_tried) {
		st->tgid_tried = true;
		if (symbol_addr(t, "tgid_map", &var) && mem_ptr(t, var, &st->tgid_map, &ignored) &&
		    st->tgid_map && symbol_addr(t, "tgid_map_max", &var) &&
		    !mem_ptr(t, var, &st->tgid_max, &ignored))
			st->tgid_max = 0;
	}
	if (!st->tgid_map || pid <= 0 || (uint64_t)pid > st->tgid_max ||
	    !mem_u32(t, st->tgid_map + 4 * (uint64_t)pid, &tgid, &ignored) || !tgid)
		return -1;
	return (int32_t)tgid;
}

/* ---- code */

struct name_room {
	uint64_t addr, room;
};

static bool room_of(const struct symbol *sym, uint64_t room, void *arg)
{
	struct name_room *r = arg;

	if (sym->addr == r->addr)
		r->room = room;
	return sym->addr != r->addr;
}

/* Code of a module's init that is gone: the tracer remembers its functions where it traced them,
 * struct ftrace_mod_map of kernel/trace/ftrace.c. */
struct gone {
	struct target *t;
	uint64_t addr, map;
	struct trace_symbol sym;
	bool found;
};

static bool gone_function(uint64_t at, void *arg)
{
	static const char type[] = "struct ftrace_mod_func";
	struct gone *g = arg;
	uint64_t ip, size, name, mod, off;
	struct err ignored;

	if (!field_u64(g->t, type, at, "ip", &ip, &ignored) ||
	    !field_u64(g->t, type, at, "size", &size, &ignored) || g->addr - ip >= size)
		return true;
	g->found = field_u64(g->t, type, at, "name", &name, &ignored) &&
		   mem_str(g->t, name, 512, &g->t->arena, &g->sym.name, &ignored) &&
		   field_u64(g->t, "struct ftrace_mod_map", g->map, "mod", &mod, &ignored) &&
		   field_offset(g->t, "struct module", "name", &off, &ignored) &&
		   mem_str(g->t, mod + off, 64, &g->t->arena, &g->sym.module, &ignored);
	g->sym.offset = g->addr - ip;
	g->sym.size = size;
	return false;
}

static bool gone_map(uint64_t map, void *arg)
{
	static const char type[] = "struct ftrace_mod_map";
	struct gone *g = arg;
	uint64_t start, end, funcs, off;
	struct err ignored;

	if (!field_u64(g->t, type, map, "start_addr", &start, &ignored) ||
	    !field_u64(g->t, type, map, "end_addr", &end, &ignored) || g->addr < start ||
	    g->addr >= end)
		return true;
	g->map = map;
	return !field_offset(g->t, type, "funcs", &funcs, &ignored) ||
	       !field_offset(g->t, "struct ftrace_mod_func", "list", &off, &ignored) ||
	       !list_each(g->t, map + funcs, off, "functions of a module's init", gone_function, g,
			  &ignored) ||
	       !g->found;
}

static bool gone_symbol(struct target *t, uint64_t addr, struct trace_symbol *ret)
{
	struct gone g = { .t = t, .addr = addr };
	uint64_t head, off;
	struct err ignored;

	if (!symbol_addr(t, "ftrace_mod_maps", &head) ||
	    !field_offset(t, "struct ftrace_mod_map", "list", &off, &ignored) ||
	    !list_each(t, head, off, "modules' init that is gone", gone_map, &g, &ignored))
		return false;
	*ret = g.sym;
	return g.found;
}

bool trace_name_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	const struct trace_array *tr = rec->self;
	struct symbol sym;
	struct err ignored;
	uint64_t offset;
	struct name_room r;

	if (tr->previous_boot)
		addr += (uint64_t)tr->text_delta;
	/* of code made at run time the kernel's own tables know nothing, and it prints the address
	 */
	if (!symbol_at(rec->t, addr, &sym, &offset, &ignored) ||
	    !strcmp(sym.name, "ftrace_trampoline"))
		return gone_symbol(rec->t, addr, ret);
	/* a BPF program is in no module for the kernel's own printing, and ends where its image
	 * does */
	if (sym.module && !strcmp(sym.module, "bpf")) {
		*ret = (struct trace_symbol){ sym.name, NULL, offset, sym.size };
		return true;
	}
	r = (struct name_room){ sym.addr, sym.size };
	if (!symbol_each_named(rec->t, sym.name, sym.module, room_of, &r, &ignored))
		r.room = sym.size;
	*ret = (struct trace_symbol){ sym.name, sym.module, offset, r.room };
	return true;
}

/* ---- strings: formats of trace_printk(), and others that tracefs' printk_formats has */

struct strings {
	struct target *t;
	struct trace_names *st;
	uint64_t fmt; /* offset in struct trace_bprintk_fmt */
};

static bool string_add(struct strings *ss, uint64_t addr)
{
	const char *s;
	struct err ignored;
	bool isnew;
	uint64_t *at;

	if (!addr || !mem_str(ss->t, addr, STRING_MAX, &ss->t->arena, &s, &ignored))
		return false;
	at = map_put(&ss->st->strings, addr, &isnew);
	*at = (uintptr_t)s;
	return true;
}

/* An array of pointers between two symbols. */
static void strings_between(struct strings *ss, const char *first, const char *last)
{
	struct target *t = ss->t;
	uint64_t lo, hi, p;
	struct err ignored;

	if (!symbol_addr(t, first, &lo) || !symbol_addr(t, last, &hi) || hi < lo ||
	    hi - lo > 1u << 20)
		return;
	for (; lo < hi; lo += t->arch->word)
		if (mem_ptr(t, lo, &p, &ignored))
			string_add(ss, p);
}

/* Modules': struct trace_bprintk_fmt { struct list_head list; const char *fmt; }. */
static bool module_string(uint64_t addr, void *arg)
{
	struct strings *ss = arg;
	struct err ignored;
	uint64_t p;

	if (mem_ptr(ss->t, addr + ss->fmt, &p, &ignored))
		string_add(ss, p);
	return true;
}

/* What the kernel itself lets an event point to, besides what is in its own list: constants of the
 * kernel and of its modules (kernel/trace/trace.c, trace_safe_str()). Memory that was not dumped is
 * read of the vmlinux. NULL: no text lies there. */
static const char *constant_at(struct target *t, uint64_t addr)
{
	char room[CONSTANT_MAX];
	const char *text = room;
	const struct kmodule *m;
	uint64_t lo, hi, base;
	struct span s;
	struct err ignored;
	size_t n;

	if (!module_at(t, addr, &m) &&
	    (!symbol_addr(t, "__start_rodata", &lo) || !symbol_addr(t, "__end_rodata", &hi) ||
	     addr < lo || addr >= hi))
		return NULL;
	n = mem_read_some(t, addr, room, sizeof(room), &ignored);
	if (!n && t->vmlinux.section && t->vmlinux.section(t->vmlinux.self, ".rodata", &s, &base) &&
	    addr - t->kaslr - base < s.n) {
		text = (const char *)s.p + (addr - t->kaslr - base);
		n = s.n - (size_t)(addr - t->kaslr - base);
		n = n < CONSTANT_MAX ? n : CONSTANT_MAX;
	}
	return trace_is_text(text, n) ? arena_strdup(&t->arena, text) : NULL;
}

const char *trace_name_string(const struct recording *rec, uint64_t addr)
{
	struct target *t = rec->t;
	const struct trace_array *tr = rec->self;
	struct strings ss = { .t = t, .st = names(t) };
	uint64_t list, off, *known;
	struct err ignored;
	bool isnew;

	if (!ss.st->strings_tried) {
		ss.st->strings_tried = true;
		strings_between(&ss, "__start___trace_bprintk_fmt", "__stop___trace_bprintk_fmt");
		strings_between(&ss, "__start___tracepoint_str", "__stop___tracepoint_str");
		ss.fmt = 2u * t->arch->word;
		off = 0;
		if (symbol_addr(t, "trace_bprintk_fmt_list", &list) &&
		    !list_each(t, list, off, "trace_printk formats", module_string, &ss, &ignored))
			target_warn(t, ignored.code, "not all formats of trace_printk(): %s",
				    ignored.msg);
	}
	if (tr && tr->previous_boot)
		addr += (uint64_t)tr->text_delta;
	known = map_get(&ss.st->strings, addr);
	if (!known && ss.st->strings.n < STRINGS_MAX) {
		known = map_put(&ss.st->strings, addr, &isnew);
		*known = (uintptr_t)constant_at(t, addr);
	}
	return known ? (const char *)(uintptr_t)*known : NULL;
}
