/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gdb takes for threads: which there are, their registers and their memory. */
#include "core/shell/gdb/gdb_thread.h"

#include "core/arch/gdb.h"
#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/shell/gdb/gdb_packet.h"
#include "core/unwind/unwind.h"

/* ---- which there are */

static void add_cpu(struct gdb_threads *v, unsigned cpu, const struct task *task)
{
	*vec_push(&v->v) = (struct gdb_thread){ .cpu = (int)cpu, .task = task };
}

static bool runs(const struct gdb_threads *v, size_t n_cpus, const struct task *task)
{
	for (size_t i = 0; i < n_cpus; i++)
		if (v->v.p[i].task && v->v.p[i].task->addr == task->addr)
			return true;
	return false;
}

static bool find_cpus(struct gdb_threads *v, struct err *err)
{
	struct target *t = v->t;
	bool types = types_available(t);
	unsigned n = (unsigned)t->cpus.n;

	if (types && !cpus_count(t, &n, err))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		const struct task *task = NULL;
		struct err ignored;

		if (types && !cpu_has_run(t, cpu))
			continue;
		if (types && !task_on_cpu(t, cpu, &task, &ignored))
			task = NULL;
		add_cpu(v, cpu, task);
	}
	return true;
}

static bool find_tasks(struct gdb_threads *v, struct err *err)
{
	const struct task *tasks, *panicked;
	size_t n, n_cpus = v->v.n;
	const char *how;

	if (!tasks_all(v->t, &tasks, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!runs(v, n_cpus, &tasks[i]))
			*vec_push(&v->v) = (struct gdb_thread){ .cpu = -1, .task = &tasks[i] };
	if (!task_panic(v->t, &panicked, &how, err))
		return true; /* then the first one it is */
	for (size_t i = 0; i < v->v.n; i++)
		if (v->v.p[i].task && v->v.p[i].task->addr == panicked->addr)
			v->first = i;
	return true;
}

bool gdb_threads_find(struct gdb_threads *ret, struct target *t, struct err *err)
{
	*ret = (struct gdb_threads){ .t = t };
	if (!mem_loaded(t))
		return err_set(err, ERR_NEED, "gdb needs a dump: give the vmcore");
	if (!t->arch || !t->arch->gdb)
		return err_set(err, ERR_NEED, "gdb cannot be told of the registers of %s",
			       t->arch ? t->arch->machine : "this dump");
	if (!find_cpus(ret, err) || (types_available(t) && !find_tasks(ret, err)))
		return false;
	if (!ret->v.n)
		return err_set(err, ERR_NEED,
			       "no thread is known without types: give the vmlinux of this dump");
	return interrupt_check(err);
}

void gdb_threads_release(struct gdb_threads *v)
{
	vec_release(&v->v);
}

void gdb_thread_name_add(struct buf *b, const struct gdb_threads *v, size_t thread)
{
	const struct gdb_thread *th = &v->v.p[thread];

	if (th->cpu >= 0)
		buf_printf(b, "CPU %d%s", th->cpu, th->task ? ", " : "");
	if (!th->task)
		return;
	buf_printf(b, "pid %d \"", th->task->pid);
	buf_plain(b, th->task->comm, strlen(th->task->comm));
	buf_printf(b, "\"%s%s", th->cpu < 0 ? ", " : "", th->cpu < 0 ? th->task->state : "");
}

bool gdb_percpu_stays(struct target *t)
{
	uint64_t start;

	return t->kaslr_known && t->kaslr && symbol_addr(t, "__per_cpu_start", &start) && !start;
}

/* ---- registers */

uint64_t gdb_unsigned(struct target *t, uint64_t word)
{
	struct arch_facts facts = target_facts(t);
	uint64_t pc;

	if (!t->arch->signs_returns || !t->arch->strip_pac)
		return word;
	pc = t->arch->strip_pac(&facts, word);
	return pc != word && symbol_is_text(t, pc) ? pc : word;
}

const struct regs *gdb_thread_regs(struct gdb_threads *v, size_t thread)
{
	struct gdb_thread *th = &v->v.p[thread];
	struct unwind_start start;
	struct err ignored;
	uint64_t link;

	if (th->read)
		return &th->regs;
	th->read = true;
	if (th->task && task_unwind_start(v->t, th->task, &start, &ignored))
		th->regs = start.regs;
	else if (!th->task && th->cpu >= 0 && (size_t)th->cpu < v->t->cpus.n)
		th->regs = v->t->cpus.p[th->cpu].regs;
	if (v->t->arch->link && regs_get(&th->regs, v->t->arch->link, &link))
		regs_set(&th->regs, v->t->arch->link, gdb_unsigned(v->t, link));
	return &th->regs;
}

/* Is told of one register: the i-th of *r. False: enough. */
typedef bool register_fn(const struct gdb_regs *r, unsigned i, void *arg);

static void each_register(const struct gdb_feature *f, register_fn *fn, void *arg)
{
	for (size_t k = 0; k < f->n_regs; k++)
		for (unsigned i = 0; i < f->regs[k].n; i++)
			if (!fn(&f->regs[k], i, arg))
				return;
}

struct described {
	struct buf *b;
	const struct arch *arch;
};

static bool describe(const struct gdb_regs *r, unsigned i, void *arg)
{
	const struct described *d = arg;

	buf_str(d->b, "<reg name=\"");
	if (!r->name)
		buf_str(d->b, d->arch->reg_names[r->reg + i]);
	else if (r->n > 1)
		buf_printf(d->b, "%s%u", r->name, i);
	else
		buf_str(d->b, r->name);
	buf_printf(d->b, "\" bitsize=\"%u\" type=\"%s\"/>\n", r->bits, r->type ? r->type : "int");
	return true;
}

void gdb_description_add(struct buf *b, const struct target *t)
{
	const struct arch_gdb *g = t->arch->gdb;
	struct described d = { b, t->arch };

	buf_printf(b,
		   "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
		   "<target version=\"1.0\">\n<architecture>%s</architecture>\n",
		   g->architecture);
	for (size_t k = 0; k < g->n_features; k++) {
		buf_printf(b, "<feature name=\"%s\">\n", g->features[k].name);
		each_register(&g->features[k], describe, &d);
		buf_str(b, "</feature>\n");
	}
	buf_str(b, "</target>\n");
}

struct valued {
	struct buf *b;
	struct target *t;
	const struct regs *regs;
	bool one;      /* only number `n` is wanted */
	uint64_t n;    /* of those that are still passed over */
	bool appended; /* one was */
};

static bool add_value(const struct gdb_regs *r, unsigned i, void *arg)
{
	struct valued *d = arg;
	struct arch_facts facts = target_facts(d->t);
	unsigned bytes = r->bits / 8;
	uint8_t stored[8];
	uint64_t value;

	if (d->one && d->n) {
		d->n--;
		return true;
	}
	d->appended = true;
	if (bytes <= sizeof(stored) &&
	    (r->value || (r->reg < REGS_MAX && regs_get(d->regs, r->reg + i, &value)))) {
		target_store(d->t, stored, bytes, r->value ? r->value(&facts) : value);
		gdb_hex_add(d->b, stored, bytes);
	} else {
		buf_pad(d->b, 'x', (size_t)bytes * 2);
	}
	return !d->one;
}

static void add_values(struct valued *d)
{
	const struct arch_gdb *g = d->t->arch->gdb;

	for (size_t k = 0; k < g->n_features && !(d->one && d->appended); k++)
		each_register(&g->features[k], add_value, d);
}

void gdb_registers_add(struct buf *b, struct gdb_threads *v, size_t thread)
{
	struct valued d = { .b = b, .t = v->t, .regs = gdb_thread_regs(v, thread) };

	add_values(&d);
}

bool gdb_register_add(struct buf *b, struct gdb_threads *v, size_t thread, uint64_t n)
{
	struct valued d = {
		.b = b, .t = v->t, .regs = gdb_thread_regs(v, thread), .one = true, .n = n
	};

	add_values(&d);
	return d.appended;
}
