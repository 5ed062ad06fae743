/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kprobes and kretprobes, with the events that some of them are. */
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/trace/kprobe.h"
#include "core/linux/container/walk.h"

#define TABLE_SIZE 64u /* 1 << KPROBE_HASH_BITS */

static const char type[] = "struct kprobe";

/* KPROBE_FLAG_*; the bits are those of every kernel since b918e5e60d77 (v2.6.33) */
enum {
	GONE = 1,
	DISABLED = 2,
	OPTIMIZED = 4,
	ON_FTRACE = 8
};

struct kprobes {
	struct target *t;
	bool (*fn)(const struct kprobe *p, void *arg);
	void (*note)(const struct err *e, void *arg);
	void *arg;
	uint64_t several, returns; /* handlers that tell what a probe is */
	uint64_t kprobe_event, kretprobe_event;
	uint64_t shared_flags; /* of the one that stands for several; 0: none */
	bool stop;
};

/* A probe of kprobe_events is in a struct trace_kprobe. */
static void read_event(struct kprobes *ks, struct kprobe *p)
{
	static const char event[] = "struct trace_kprobe";
	uint64_t off, tp, at, call, counters;
	struct target *t = ks->t;
	struct err ignored, why;

	if (!p->handler || (p->handler != ks->kprobe_event && p->handler != ks->kretprobe_event))
		return;
	if (!field_offset(t, event, "rp.kp", &off, &why) ||
	    !field_offset(t, event, "tp", &tp, &why)) {
		target_lacks(t, &why);
		return;
	}
	at = p->addr - off;
	counters = field_u64_or(t, event, at, "nhit", 0);
	p->has_hits = counters && trace_probe_hits(t, counters, &p->hits, &why);
	if (counters && !p->has_hits)
		target_lacks(t, &why);
	if (!field_u64(t, "struct trace_probe", at + tp, "event", &tp, &ignored) ||
	    !field_offset(t, "struct trace_probe_event", "call", &call, &ignored) ||
	    !trace_call_name(t, tp + call, &p->system, &p->event, &ignored))
		p->system = p->event = NULL;
}

static bool read_probe(struct kprobes *ks, uint64_t addr, struct kprobe *p, struct err *err)
{
	uint64_t flags, pre, kp;
	struct target *t = ks->t;

	*p = (struct kprobe){ .addr = addr };
	if (!field_u64(t, type, addr, "addr", &p->at, err) ||
	    !field_u64(t, type, addr, "flags", &flags, err) ||
	    !field_u64(t, type, addr, "nmissed", &p->missed, err) ||
	    !field_u64(t, type, addr, "pre_handler", &pre, err))
		return false;
	p->gone = flags & GONE;
	p->disabled = flags & DISABLED && !p->gone;
	if (ks->shared_flags)
		flags = ks->shared_flags;
	p->optimized = flags & OPTIMIZED;
	p->ftrace = flags & ON_FTRACE;
	p->handler = pre;
	if (pre && pre == ks->returns) {
		p->returns = true;
		if (!field_offset(t, "struct kretprobe", "kp", &kp, err) ||
		    !field_u64(t, "struct kretprobe", addr - kp, "handler", &p->handler, err))
			return false;
		p->max_active = field_u64_or(t, "struct kretprobe", addr - kp, "maxactive", 0);
		p->missed += field_u64_or(t, "struct kretprobe", addr - kp, "nmissed", 0);
	}
	read_event(ks, p);
	return true;
}

static bool kprobe_tell(struct kprobes *ks, uint64_t addr)
{
	struct kprobe p;
	struct err err;

	if (read_probe(ks, addr, &p, &err)) {
		ks->stop = !ks->fn(&p, ks->arg);
	} else if (ks->note) {
		err_wrap(&err, "a kprobe at 0x%" PRIx64, addr);
		ks->note(&err, ks->arg);
	}
	return !ks->stop;
}

static bool one_of_several(uint64_t addr, void *arg)
{
	return kprobe_tell(arg, addr);
}

static bool probe_add(uint64_t addr, void *arg)
{
	struct kprobes *ks = arg;
	uint64_t pre, list;
	struct err err;

	ks->shared_flags = 0;
	if (!field_u64(ks->t, type, addr, "pre_handler", &pre, &err) || !pre || pre != ks->several)
		return kprobe_tell(ks, addr);
	if ((!field_u64(ks->t, type, addr, "flags", &ks->shared_flags, &err) ||
	     !field_offset(ks->t, type, "list", &list, &err) ||
	     !list_each(ks->t, addr + list, list, "probes of one place", one_of_several, ks,
			&err)) &&
	    ks->note)
		ks->note(&err, ks->arg);
	return !ks->stop;
}

bool kprobes_each(struct target *t, bool (*fn)(const struct kprobe *p, void *arg),
		  void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct kprobes ks = { .t = t, .fn = fn, .note = note, .arg = arg };
	uint64_t table, off;

	if (!symbol_addr(t, "kprobe_table", &table))
		return err_set(
			err, ERR_NOSYM,
			"no symbol 'kprobe_table': the kernel has no kprobes, or its symbols lack "
			"variables");
	if (!field_offset(t, type, "hlist", &off, err))
		return false;
	(void)!symbol_addr(t, "aggr_pre_handler", &ks.several);
	(void)!symbol_addr(t, "pre_handler_kretprobe", &ks.returns);
	(void)!symbol_addr(t, "kprobe_dispatcher", &ks.kprobe_event);
	(void)!symbol_addr(t, "kretprobe_dispatcher", &ks.kretprobe_event);
	for (unsigned i = 0; i < TABLE_SIZE && !ks.stop; i++) {
		struct err why;

		if (!hlist_each(t, table + i * t->arch->word, off, "kprobes", probe_add, &ks,
				&why)) {
			if (why.code == ERR_INTR || !note) {
				*err = why;
				return false;
			}
			err_wrap(&why, "bucket %u of kprobe_table", i);
			note(&why, arg);
		}
	}
	return true;
}
