/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and returns out of the lines of a function graph: what is open on each CPU, and since when.
 */
#include "readers/trace/graphtext.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"

#define CPUS_MAX 8192
#define TASKS_KEPT 4096u
#define OPEN_KEPT 128u /* levels of which is known what ends where they do */
#define INDENT 2u
/* Between an entry's time and where its return says that it was: what six digits and the tracer's
 * own work make of it, and what only another call explains. */
#define NEAR_NS 2000u
#define FAR_NS 100000u
#define DOUBT_MAX 8u

/* ---- names */

#define NAMES_MAX 200000u /* a kernel has about 150,000 functions */
#define CHUNK_NAMES 1024u
#define BUCKETS 65536u
#define CHAIN_MAX 64u /* names of one bucket: more are chosen to collide, and are not kept */

struct graph_name {
	const char *name, *module;
	const char *whole; /* "f [module]", as it is written */
	uint32_t next;     /* of the same bucket; 0: none */
};
struct graph_names {
	struct arena *a;
	struct graph_name *chunks[NAMES_MAX / CHUNK_NAMES + 1];
	uint32_t n, buckets[BUCKETS]; /* a name's number is its place + 1 */
};

struct graph_names *graph_names_new(struct arena *a)
{
	struct graph_names *names = ARENA_NEW(a, struct graph_names);

	names->a = a;
	return names;
}

static struct graph_name *name_of(const struct graph_names *names, uint64_t func)
{
	if (!func || func > names->n)
		return NULL;
	return &names->chunks[(func - 1) / CHUNK_NAMES][(func - 1) % CHUNK_NAMES];
}

bool graph_names_symbol(const struct graph_names *names, uint64_t func, struct trace_symbol *ret)
{
	const struct graph_name *name = name_of(names, func);

	if (name)
		*ret = (struct trace_symbol){ .name = name->name, .module = name->module };
	return name != NULL;
}

/* "f [module]" in two. */
static void graph_name_split(struct arena *a, struct graph_name *name, size_t n)
{
	const char *open = memchr(name->whole, '[', n), *close;

	name->name = name->whole;
	close = open && open > name->whole && open[-1] == ' ' ? strchr(open, ']') : NULL;
	if (!close)
		return;
	name->name = arena_strndup(a, name->whole, (size_t)(open - name->whole) - 1);
	name->module = arena_strndup(a, open + 1, (size_t)(close - open) - 1);
}

uint32_t graph_names_number(struct graph_names *names, const char *s, size_t n)
{
	uint32_t hash = 2166136261u, *at;
	struct graph_name *name;
	unsigned chain = 0;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)s[i]) * 16777619u;
	for (at = &names->buckets[(hash ^ hash >> 16) % BUCKETS]; *at; at = &name->next) {
		name = name_of(names, *at);
		if (!strncmp(name->whole, s, n) && !name->whole[n])
			return *at;
		if (++chain == CHAIN_MAX)
			return 0;
	}
	if (!n || names->n >= NAMES_MAX)
		return 0;
	if (!names->chunks[names->n / CHUNK_NAMES])
		names->chunks[names->n / CHUNK_NAMES] =
			ARENA_ARRAY(names->a, struct graph_name, CHUNK_NAMES);
	*at = ++names->n;
	name = name_of(names, *at);
	name->whole = arena_strndup(names->a, s, n);
	graph_name_split(names->a, name, n);
	return *at;
}

/* ---- the events that the kernel drew the lines of */

/* Places of fields in the records that are made here. */
enum {
	AT_FUNC = 8,
	AT_DEPTH = 16,
	AT_LEAF = 20,
	AT_IRQ = 21,
	AT_CALL = 24,
	AT_RETURN = 32,
	RECORD_SIZE = 40
};
#define COMMON_FIELDS                                                                       \
	{ .name = "common_type",                                                            \
	  .type = "unsigned short",                                                         \
	  .offset = 0,                                                                      \
	  .size = 2,                                                                        \
	  .is_common = true },                                                              \
		{ .name = "common_flags",                                                   \
		  .type = "unsigned char",                                                  \
		  .offset = 2,                                                              \
		  .size = 1,                                                                \
		  .is_common = true },                                                      \
		{ .name = "common_preempt_count",                                           \
		  .type = "unsigned char",                                                  \
		  .offset = 3,                                                              \
		  .size = 1,                                                                \
		  .is_common = true },                                                      \
		{ .name = "common_pid",                                                     \
		  .type = "int",                                                            \
		  .offset = 4,                                                              \
		  .size = 4,                                                                \
		  .is_signed = true,                                                        \
		  .is_common = true },                                                      \
		{ .name = "func",                                                           \
		  .type = "unsigned long",                                                  \
		  .offset = AT_FUNC,                                                        \
		  .size = 8,                                                                \
		  .is_named = true },                                                       \
		{ .name = "depth", .type = "unsigned int", .offset = AT_DEPTH, .size = 4 }, \
	{                                                                                   \
		.name = "irq", .type = "unsigned char", .offset = AT_IRQ, .size = 1         \
	}

static const struct trace_field entry_fields[] = {
	COMMON_FIELDS,
	/* its return stands in the same line */
	{ .name = "leaf", .type = "unsigned char", .offset = AT_LEAF, .size = 1 },
	/* and this is when; 0: the line does not say */
	{ .name = "rettime", .type = "unsigned long long", .offset = AT_RETURN, .size = 8 },
};
static const struct trace_field exit_fields[] = {
	COMMON_FIELDS,
	/* 0, both: the text does not say how long it took */
	{ .name = "calltime", .type = "unsigned long long", .offset = AT_CALL, .size = 8 },
	{ .name = "rettime", .type = "unsigned long long", .offset = AT_RETURN, .size = 8 },
};
static const struct trace_format entry_format = { .system = "ftrace",
						  .name = "funcgraph_entry",
						  .fields = entry_fields,
						  .n_fields = sizeof(entry_fields) /
							      sizeof(entry_fields[0]) };
static const struct trace_format exit_format = { .system = "ftrace",
						 .name = "funcgraph_exit",
						 .fields = exit_fields,
						 .n_fields = sizeof(exit_fields) /
							     sizeof(exit_fields[0]) };

/* A call or a return. */
struct graphtext_call {
	uint32_t func;
	unsigned depth;
	bool leaf, irq;
	uint64_t calltime, rettime;
};

/* What was entered by a task, and not left yet. */
struct graphtext_open {
	bool is, irq; /* irq: of an interrupt's code */
	int32_t pid;
	uint32_t func;
	uint64_t since;
};

struct graphtext_stack {
	int32_t pid; /* whose it is, where each has one */
	/* how often of late what is within a call was not further to the right: blanks suffer where
	 * text is copied */
	unsigned doubt;
	unsigned inner; /* the depth behind an entry that came last; 0: none did */
	unsigned n;     /* the deepest that is open, and one */
	struct graphtext_open open[OPEN_KEPT]; /* by depth */
};

struct graphtext_cpu {
	int32_t pid; /* -1: not known */
	char comm[32];
	uint64_t clock; /* of texts without times */
	/* The kernel names what ends where it is not the last of all tasks that was entered at this
	 * depth on this CPU: so this is of all tasks. */
	struct graphtext_stack stack;
	bool irq;      /* an interrupt's arrow came last */
	bool irq_left; /* its return was handed out, so the arrow behind it says nothing more */
	bool is_due;   /* the return of a call that has one line */
	struct graphtext_call due;
	uint64_t due_ts;
};

struct graphtext {
	struct arena *a;
	struct graph_names *names;
	unsigned base;
	uint64_t last; /* the row before, of texts without times */
	struct graphtext_cpu *cpus[CPUS_MAX];
	/* trace-cmd names no end, but each row's task; a task whose place another takes is
	 * forgotten */
	struct graphtext_stack *tasks[TASKS_KEPT];
	int due[CPUS_MAX]; /* CPUs with a return that is due */
	unsigned n_due;
	uint8_t record[RECORD_SIZE];
	char words[512];
};

struct graphtext *graphtext_new(struct graph_names *names, unsigned base, struct arena *a)
{
	struct graphtext *g = ARENA_NEW(a, struct graphtext);

	g->a = a;
	g->names = names;
	g->base = base;
	return g;
}

unsigned graphtext_base(unsigned least)
{
	return least < INDENT ? least : INDENT;
}

/* Lines that name no CPU are those of one. */
static struct graphtext_cpu *cpu_of(struct graphtext *g, int cpu)
{
	unsigned at = cpu < 0 ? 0 : cpu < CPUS_MAX ? (unsigned)cpu : CPUS_MAX - 1;

	if (!g->cpus[at]) {
		g->cpus[at] = ARENA_NEW(g->a, struct graphtext_cpu);
		g->cpus[at]->pid = -1;
	}
	return g->cpus[at];
}

static struct graphtext_stack *stack_of(struct graphtext *g, struct graphtext_cpu *cpu,
					const struct graphrow *row)
{
	struct graphtext_stack **at = &g->tasks[(unsigned)row->at.pid % TASKS_KEPT];

	if (row->at.kind != ROW_EVENT || row->at.pid <= 0)
		return &cpu->stack;
	if (!*at)
		*at = ARENA_NEW(g->a, struct graphtext_stack);
	if ((*at)->pid != row->at.pid)
		(*at)->n = (*at)->doubt = (*at)->inner = 0;
	(*at)->pid = row->at.pid;
	return *at;
}

static void put(uint8_t *to, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = (uint8_t)(v >> 8 * i);
}

static void make_record(struct graphtext *g, const struct graphtext_call *c, bool entry,
			struct trace_event *ret)
{
	memset(g->record, 0, sizeof(g->record));
	put(g->record + 2, 1, ret->flags);
	put(g->record + 3, 1, ret->preempt);
	put(g->record + 4, 4, (uint32_t)ret->pid);
	put(g->record + AT_FUNC, 8, c->func);
	put(g->record + AT_DEPTH, 4, c->depth);
	put(g->record + AT_LEAF, 1, c->leaf);
	put(g->record + AT_IRQ, 1, c->irq);
	put(g->record + AT_CALL, 8, entry ? 0 : c->calltime);
	put(g->record + AT_RETURN, 8, c->rettime);
	ret->data = SPAN(g->record, sizeof(g->record));
	ret->format = entry ? &entry_format : &exit_format;
	ret->name = ret->format->name;
	ret->system = ret->format->system;
}

/* "} /[*] f [*]/", where the text says no more. */
static const char *exit_words(struct graphtext *g, uint32_t func)
{
	const struct graph_name *name = name_of(g->names, func);

	snprintf(g->words, sizeof(g->words), name ? "} /* %s */" : "}", name ? name->whole : "");
	return g->words;
}

static void set_task(const struct graphtext_cpu *cpu, struct trace_event *ret)
{
	ret->pid = cpu->pid;
	ret->comm = cpu->comm[0] ? cpu->comm : NULL;
}

bool graphtext_due(struct graphtext *g, uint64_t ts, int cpu, struct trace_event *ret)
{
	unsigned first = 0;
	struct graphtext_cpu *of;

	for (unsigned i = 1; i < g->n_due; i++)
		if (cpu_of(g, g->due[i])->due_ts < cpu_of(g, g->due[first])->due_ts)
			first = i;
	for (unsigned i = 0; i < g->n_due; i++)
		if (cpu_of(g, g->due[i]) == cpu_of(g, cpu) && cpu_of(g, g->due[first])->due_ts > ts)
			first = i; /* nothing on a CPU comes before what is due there */
	if (!g->n_due)
		return false;
	of = cpu_of(g, g->due[first]);
	if (of->due_ts > ts && of != cpu_of(g, cpu))
		return false;
	ret->ts = of->due_ts < ts ? of->due_ts : ts;
	ret->cpu = g->due[first];
	set_task(of, ret);
	make_record(g, &of->due, false, ret);
	ret->text = exit_words(g, of->due.func);
	ret->bare = true;
	of->is_due = false;
	g->due[first] = g->due[--g->n_due];
	return true;
}

static unsigned depth_of(const struct graphtext *g, const struct graphrow *row)
{
	return row->indent > g->base ? (row->indent - g->base) / INDENT : 0;
}

/* How far from an entry's time a return's row says that its call began. */
static uint64_t distance(const struct graphtext_open *open, const struct graphrow *row)
{
	uint64_t began = row->at.ts > row->duration ? row->at.ts - row->duration : 0;

	return open->since > began ? open->since - began : began - open->since;
}

/* The call that ends with a row: the last that began at its depth, unless times say that it is
 * another one. Blanks suffer where text is copied: where they are doubted, only times say. NULL: it
 * is not there. */
static struct graphtext_open *ending(struct graphtext_stack *stack, const struct graphrow *row,
				     unsigned depth)
{
	bool timed = row->at.has_ts && row->has_duration;
	struct graphtext_open *open = depth < stack->n ? &stack->open[depth] : NULL, *best = NULL;

	if (!timed || !stack->doubt)
		return open && open->is && (!timed || distance(open, row) <= FAR_NS) ? open : NULL;
	for (unsigned i = 0; i < stack->n; i++)
		if (stack->open[i].is && distance(&stack->open[i], row) <= NEAR_NS &&
		    (!best || distance(&stack->open[i], row) < distance(best, row)))
			best = &stack->open[i];
	return best;
}

/* What the task had open at this depth, or within it, has ended, seen or not. */
static void leave(struct graphtext_stack *stack, int32_t pid, unsigned depth)
{
	for (unsigned i = depth; i < stack->n; i++)
		stack->open[i].is &= stack->open[i].pid != pid;
	while (stack->n && !stack->open[stack->n - 1].is)
		stack->n--;
}

uint64_t graphtext_time(struct graphtext *g, const struct graphrow *row)
{
	struct graphtext_cpu *cpu = cpu_of(g, row->at.cpu);
	uint64_t ts = cpu->clock > g->last ? cpu->clock : g->last, end = row->duration;
	unsigned depth = depth_of(g, row);

	if (row->at.has_ts)
		return row->at.ts;
	if (row->kind != GRAPH_EXIT || !row->has_duration)
		return ts;
	/* what has no entry began with the text at the latest, whose time begins at 0 */
	if (depth < cpu->stack.n && cpu->stack.open[depth].is)
		end += cpu->stack.open[depth].since;
	return end > ts ? end : ts;
}

static void set_cpu_task(struct graphtext_cpu *cpu, int32_t pid, const char *comm, const char *end)
{
	size_t n = !comm ? 0 : end ? (size_t)(end - comm) : strlen(comm);

	n = n < sizeof(cpu->comm) - 1 ? n : sizeof(cpu->comm) - 1;
	if (n)
		memcpy(cpu->comm, comm, n);
	cpu->comm[n] = '\0';
	cpu->pid = pid;
}

void graphtext_banner(struct graphtext *g, const struct graphrow *row)
{
	struct graphtext_cpu *cpu = cpu_of(g, row->at.cpu);

	if (row->kind == GRAPH_SWITCH && cpu->pid < 0)
		set_cpu_task(cpu, row->before, row->before_comm, row->before_end);
}

/* What follows an entry is within it, if it is no return. */
static void see_depth(struct graphtext_stack *stack, unsigned depth)
{
	if (stack->inner && depth < stack->inner)
		stack->doubt = stack->doubt < DOUBT_MAX ? stack->doubt + 2 : stack->doubt;
	else if (stack->inner && stack->doubt)
		stack->doubt--;
	stack->inner = 0;
}

static void entry_event(struct graphtext *g, struct graphtext_cpu *cpu, const struct graphrow *row,
			struct graphtext_call *c, struct trace_event *ret)
{
	struct graphtext_stack *stack = stack_of(g, cpu, row);

	c->func = graph_names_number(g->names, row->func, row->n_func);
	see_depth(stack, c->depth);
	c->irq = cpu->irq;
	if (row->kind == GRAPH_ENTRY) {
		leave(stack, cpu->pid, c->depth);
		if (c->depth < OPEN_KEPT) {
			for (; stack->n <= c->depth; stack->n++)
				stack->open[stack->n].is = false;
			stack->open[c->depth] =
				(struct graphtext_open){ true, c->irq, cpu->pid, c->func, ret->ts };
		}
		stack->inner = c->depth + 1;
		make_record(g, c, true, ret);
		return;
	}
	c->leaf = true;
	cpu->irq_left = c->irq;
	c->rettime = row->has_duration ? ret->ts + row->duration : 0;
	make_record(g, c, true, ret);
	c->calltime = row->has_duration ? ret->ts : 0;
	if (!cpu->is_due)
		g->due[g->n_due++] = ret->cpu < CPUS_MAX ? ret->cpu : CPUS_MAX - 1;
	cpu->is_due = true;
	cpu->due = *c;
	cpu->due_ts = ret->ts + (row->has_duration ? row->duration : 0);
	cpu->clock = cpu->due_ts;
}

static void exit_event(struct graphtext *g, struct graphtext_cpu *cpu, const struct graphrow *row,
		       struct graphtext_call *c, struct trace_event *ret)
{
	struct graphtext_stack *stack = stack_of(g, cpu, row);
	struct graphtext_open *open = ending(stack, row, c->depth);

	if (row->func)
		c->func = graph_names_number(g->names, row->func, row->n_func);
	else if (open)
		c->func = open->func;
	if (open) {
		open->is = false;
		cpu->irq_left = c->irq = open->irq;
	}
	stack->inner = 0;
	leave(stack, cpu->pid, c->depth);
	if (row->has_duration) {
		c->rettime = ret->ts;
		c->calltime = ret->ts > row->duration ? ret->ts - row->duration : 0;
	}
	make_record(g, c, false, ret);
	if (!row->func && !strcmp(row->words, "}"))
		ret->text = exit_words(g, c->func);
}

/* Does the row say something where an arrow says only what the row beside it is? An arrow behind a
 * return whose entry is not there says it of nothing that is known. */
static bool beside_arrow(struct graphtext_cpu *cpu, const struct graphrow *row)
{
	bool ends = row->kind == GRAPH_IRQ_END && !cpu->irq_left;

	if (row->kind != GRAPH_COMMENT)
		cpu->irq_left = false;
	if (row->kind == GRAPH_IRQ)
		cpu->irq = true;
	return row->kind != GRAPH_SWITCH && row->kind != GRAPH_NOTHING && row->kind != GRAPH_NONE &&
	       row->kind != GRAPH_IRQ && (row->kind != GRAPH_IRQ_END || ends);
}

bool graphtext_event(struct graphtext *g, const struct graphrow *row, uint64_t ts,
		     struct trace_event *ret)
{
	struct graphtext_cpu *cpu = cpu_of(g, row->at.cpu);
	struct graphtext_call c = { 0 };

	if (row->at.pid >= 0)
		set_cpu_task(cpu, row->at.pid, row->at.comm, row->comm_end);
	if (!beside_arrow(cpu, row))
		return false;
	c.depth = depth_of(g, row);
	ret->ts = cpu->clock = g->last = ts;
	ret->cpu = row->at.cpu;
	ret->latency = row->at.latency;
	ret->flags = row->at.flags;
	ret->preempt = row->at.preempt;
	set_task(cpu, ret);
	ret->text = row->words;
	ret->bare = true;
	if (row->kind == GRAPH_COMMENT) {
		ret->name = row->at.name;
		ret->bare = row->at.bare;
	} else if (row->kind == GRAPH_IRQ_END) {
		ret->name = "irq_return";
		ret->text = "<==========";
	} else if (row->kind == GRAPH_EXIT) {
		exit_event(g, cpu, row, &c, ret);
	} else {
		entry_event(g, cpu, row, &c, ret);
	}
	cpu->irq = false;
	return true;
}
