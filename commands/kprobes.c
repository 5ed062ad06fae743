/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kprobes: probes in the kernel's code, and who has its functions call back. */
#include <fnmatch.h>

#include "core/obit.h"
#include "core/linux/trace/kprobe.h"

struct kprobes_opts {
	bool functions;
};
static const struct option opts[] = {
	{ "f", NULL, OPTION_FLAG, offsetof(struct kprobes_opts, functions),
	  "the functions that call somebody, as enabled_functions lists them" },
};

enum {
	P_ADDR,
	P_KIND,
	P_SYMBOL,
	P_FLAGS,
	P_HITS,
	P_MISSED,
	P_ACTIVE,
	P_EVENT,
	P_HANDLER,
	P_PROBE
};
static const struct record_field probe_fields[] = {
	[P_ADDR] = { "address", NULL, CELL_ADDR, 0, "the instruction" },
	[P_KIND] = { "kind", "K", CELL_STR, 0, "k: a kprobe; r: a kretprobe" },
	[P_SYMBOL] = { "symbol", NULL, CELL_STR, 0, "where that is" },
	[P_FLAGS] = { "flags", NULL, CELL_STR, 0,
		      "[GONE], [DISABLED], [OPTIMIZED], [FTRACE] as the kernel lists them" },
	[P_HITS] = { "hits", NULL, CELL_UINT, FIELD_RIGHT, "of an event; null: nobody counts" },
	[P_MISSED] = { "missed", NULL, CELL_UINT, FIELD_RIGHT,
		       "times that it could not run, or not follow a return" },
	[P_ACTIVE] = { "max_active", NULL, CELL_UINT, FIELD_JSON,
		       "calls that a kretprobe can follow at a time" },
	[P_EVENT] = { "event", NULL, CELL_STR, 0, "the event it is, SYSTEM/NAME" },
	[P_HANDLER] = { "handler", NULL, CELL_STR, 0, "what it calls" },
	[P_PROBE] = { "kprobe", NULL, CELL_ADDR, FIELD_JSON, "its struct kprobe" },
};
static const struct record_kind probe_kind = { "kprobe", "A probe.",   LAYOUT_TABLE,
					       NULL,     probe_fields, ARRAY_SIZE(probe_fields) };

enum {
	H_OPS,
	H_FUNC,
	H_OWNER,
	H_FILTER,
	H_NOTRACE,
	H_MISSED,
	H_TRAMPOLINE,
	H_FLAGS
};
static const struct record_field hook_fields[] = {
	[H_OPS] = { "ops", NULL, CELL_ADDR, 0, "its struct ftrace_ops" },
	[H_FUNC] = { "function", "CALLS", CELL_STR, 0, "what traced functions call" },
	[H_OWNER] = { "owner", NULL, CELL_STR, 0, "whose it is, where that is known" },
	[H_FILTER] = { "filter", NULL, CELL_UINT, FIELD_RIGHT,
		       "functions of its filter; 0: there is none, all call it" },
	[H_NOTRACE] = { "notrace", NULL, CELL_UINT, FIELD_RIGHT, "functions that are left out" },
	[H_MISSED] = { "missed", NULL, CELL_UINT, FIELD_RIGHT, "of a fprobe" },
	[H_TRAMPOLINE] = { "trampoline", NULL, CELL_ADDR, FIELD_JSON, "its own code; 0: none" },
	[H_FLAGS] = { "flags", NULL, CELL_HEX, FIELD_JSON, "FTRACE_OPS_FL_*" },
};
static const struct record_kind hook_kind = { "ftrace_ops", "Somebody whom functions call.",
					      LAYOUT_TABLE, NULL,
					      hook_fields,  ARRAY_SIZE(hook_fields) };

enum {
	S_ADDR,
	S_SYMBOL,
	S_COUNT,
	S_FLAGS
};
static const struct record_field site_fields[] = {
	[S_ADDR] = { "address", NULL, CELL_ADDR, 0, "of the call" },
	[S_SYMBOL] = { "symbol", "FUNCTION", CELL_STR, 0, "which calls" },
	[S_COUNT] = { "callers", "CALLS", CELL_UINT, FIELD_RIGHT, "how many are called" },
	[S_FLAGS] = { "flags", NULL, CELL_STR, 0,
		      "R: with registers; I: may return elsewhere; D: a direct call; O: its own ops; "
		      "M: it was modified" },
};
static const struct record_kind site_kind = { "ftrace_function", "A function that calls somebody.",
					      LAYOUT_TABLE,      NULL,
					      site_fields,       ARRAY_SIZE(site_fields) };

struct shower {
	struct ctx *c;
	size_t n;
};

static bool wanted(struct ctx *c, const char *name)
{
	const char *plus = strchr(name, '+');
	const char *word = plus ? arena_strndup(c->arena, name, (size_t)(plus - name)) : name;
	bool ret = !c->argc;

	for (int i = 0; i < c->argc; i++)
		if (!fnmatch(c->argv[i], word, 0))
			ret = c->met[i] = true;
	return ret;
}

/* "vfs_read+0x4", the offset always. */
static const char *place(struct ctx *c, uint64_t addr)
{
	struct symbol sym;
	struct err ignored;
	uint64_t off;

	if (!symbol_at(c->t, addr, &sym, &off, &ignored))
		return symbol_text(c->t, addr, c->arena);
	return arena_printf(c->arena, "%s+0x%llx%s%s%s", sym.name, (unsigned long long)off,
			    sym.module ? " [" : "", sym.module ? sym.module : "",
			    sym.module ? "]" : "");
}

static bool show_probe(const struct kprobe *p, void *arg)
{
	struct shower *s = arg;
	struct ctx *c = s->c;
	const char *at = place(c, p->at);
	struct record r;

	if (!wanted(c, at))
		return true;
	s->n++;
	record_init(&r, &probe_kind);
	record_uint(&r, P_ADDR, p->at);
	record_str(&r, P_KIND, p->returns ? "r" : "k");
	record_str(&r, P_SYMBOL, at);
	record_str(&r, P_FLAGS,
		   arena_printf(c->arena, "%s%s%s%s", p->gone ? "[GONE]" : "",
				p->disabled ? "[DISABLED]" : "", p->optimized ? "[OPTIMIZED]" : "",
				p->ftrace ? "[FTRACE]" : ""));
	if (p->has_hits)
		record_uint(&r, P_HITS, p->hits);
	record_uint(&r, P_MISSED, p->missed);
	if (p->max_active)
		record_uint(&r, P_ACTIVE, p->max_active);
	if (p->event)
		record_str(&r, P_EVENT, arena_printf(c->arena, "%s/%s", p->system, p->event));
	if (p->handler)
		record_str(&r, P_HANDLER, symbol_text(c->t, p->handler, c->arena));
	record_uint(&r, P_PROBE, p->addr);
	emit(c, &r);
	return !interrupted;
}

static bool show_hook(const struct ftrace_hook *h, void *arg)
{
	struct shower *s = arg;
	struct ctx *c = s->c;
	struct record r;

	s->n++;
	record_init(&r, &hook_kind);
	record_uint(&r, H_OPS, h->addr);
	record_str(&r, H_FUNC, symbol_text(c->t, h->func, c->arena));
	record_str(&r, H_OWNER, h->owner);
	record_uint(&r, H_FILTER, h->n_filter);
	record_uint(&r, H_NOTRACE, h->n_notrace);
	if (h->is_fprobe)
		record_uint(&r, H_MISSED, h->missed);
	record_uint(&r, H_TRAMPOLINE, h->trampoline);
	record_uint(&r, H_FLAGS, h->flags);
	emit(c, &r);
	return !interrupted;
}

static bool show_site(const struct ftrace_site *site, void *arg)
{
	struct shower *s = arg;
	struct ctx *c = s->c;
	struct symbol sym;
	struct err ignored;
	struct record r;
	uint64_t off;
	const char *name = symbol_at(c->t, site->ip, &sym, &off, &ignored)
				   ? sym.name
				   : symbol_text(c->t, site->ip, c->arena);

	if (!wanted(c, name))
		return true;
	s->n++;
	record_init(&r, &site_kind);
	record_uint(&r, S_ADDR, site->ip);
	record_str(&r, S_SYMBOL, name);
	record_uint(&r, S_COUNT, site->callers);
	record_str(&r, S_FLAGS,
		   arena_printf(c->arena, "%s%s%s%s%s", site->regs ? "R" : "",
				site->ip_modify ? "I" : "", site->direct ? "D" : "",
				site->call_ops ? "O" : "", site->modified ? "M" : ""));
	emit(c, &r);
	return !interrupted;
}

static void kprobes_tell(const struct err *e, void *arg)
{
	struct shower *s = arg;

	note(s->c, e);
}

static bool kprobes_run(struct ctx *c, struct err *err)
{
	const struct kprobes_opts *o = c->opts;
	struct shower s = { .c = c };
	struct err why;

	if (o->functions) {
		if (!ftrace_sites_each(c->t, show_site, &s, err))
			return false;
	} else {
		if (!kprobes_each(c->t, show_probe, kprobes_tell, &s, err))
			return false;
		if (!c->argc && !ftrace_hooks_each(c->t, show_hook, &s, &why)) {
			err_wrap(&why, "ftrace_ops_list");
			note(c, &why);
		}
	}
	if (!operands_met(c, "nothing that is called ", " is probed", err))
		return false;
	if (!s.n)
		emit_none(c, &probe_kind, "nothing is probed, and no function calls anybody");
	return true;
}

static const struct record_kind *const emits[] = { &probe_kind, &hook_kind, &site_kind, NULL };
static const struct example examples[] = {
	{ "kprobes", "every probe, and whom traced functions call" },
	{ "kprobes 'vfs_*'", "probes in these functions" },
	{ "kprobes -f 'vfs_*'", "which of these functions call somebody" },
};
const struct command cmd_kprobes = {
	.name = "kprobes",
	.group = "trace",
	.summary = "probes in the kernel's code, and hooks of its functions",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "[function]...",
	OPTS(opts),
	.opts_size = sizeof(struct kprobes_opts),
	.emits = emits,
	.completes = COMPLETE_SYMBOL,
	.help = "Lists the kprobes and kretprobes that were registered, in the order and with the flags of "
		"the kernel's own list, how often those of them hit that are events, and how often each "
		"missed: a kprobe while another one ran, a kretprobe also the returns of calls that it had "
		"no room to follow.\n\n"
		"Below are those whom traced functions call (struct ftrace_ops): the function tracers of "
		"each instance, probes that live on ftrace, fprobes, live patches, BPF trampolines; with how "
		"many functions their filters hold.\n\n"
		"With -f, the functions that call anybody, and how many, as tracefs' enabled_functions "
		"counts them. An operand is a pattern of functions.",
	EXAMPLES(examples),
	.run = kprobes_run,
};
