/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process of a side: it asks the commands that there are, and makes facts of their records. */
#include <fnmatch.h>
#include <string.h>

#include "commands/diff/side_impl.h"
#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/image/symbol.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/expr_hooks.h"
#include "core/shell/fleet/fleet.h"
#include "core/shell/output.h"
#include "core/shell/session_run.h"
#include "core/types/value.h"

#define FACTS_MAX 200000u       /* of a side */
#define NAMES_MAX 20000u        /* that the globs of variables may match */
#define TEXT_MAX ((size_t)4096) /* of a fact; a command line has 2048 bytes at most */

struct side_facts {
	struct diff_side side; /* facts that are summed up, until they are sent */
	struct session *s;
	struct worker *to;
	struct buf message;
	enum diff_part part; /* at hand */
	struct err said;     /* the first thing that could not be read of it */
	bool cut;            /* there were more facts than FACTS_MAX */
	bool more_tasks;     /* as sys says */
	struct err before;   /* what the session had been warned of before it was asked */
};

/* ---- sending */

static void send_bytes(struct side_facts *g, enum side_tag tag, const void *p, size_t n)
{
	char first = (char)tag;

	buf_shrink(&g->message, 0);
	buf_add(&g->message, &first, 1);
	buf_add(&g->message, p, n);
	(void)worker_send(g->to, g->message.s, g->message.n);
}

static void send_text(struct side_facts *g, enum side_tag tag, const char *s)
{
	send_bytes(g, tag, s, strlen(s) + 1);
}

static void send_fact(struct side_facts *g, const struct diff_fact *f)
{
	const char *text = f->text ? f->text : "";
	char first = SIDE_FACT;

	buf_shrink(&g->message, 0);
	buf_add(&g->message, &first, 1);
	buf_add(&g->message, f, sizeof(*f));
	buf_add(&g->message, f->name, strlen(f->name) + 1);
	buf_add(&g->message, text, strlen(text) + 1);
	(void)worker_send(g->to, g->message.s, g->message.n);
}

/* ---- facts out of records */

/* The fact of that name of the part at hand. NULL: there are too many. */
static struct diff_fact *fact_of(struct side_facts *g, const char *name)
{
	struct diff_side *side = &g->side;
	const struct diff_fact *found = side_fact(side, g->part, name);
	struct diff_fact *f;

	if (found)
		return &side->facts.p[found - side->facts.p];
	if (side->facts.n >= FACTS_MAX) {
		g->cut = true;
		return NULL;
	}
	f = vec_push(&side->facts);
	f->part = g->part;
	f->unit = CELL_UINT;
	f->name = arena_strndup(side->a, name, strnlen(name, TEXT_MAX));
	*strmap_put(&side->names[g->part], f->name, NULL) = side->facts.n;
	return f;
}

static const struct cell *cell_of(const struct record *r, const char *name)
{
	static const struct cell none;

	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++)
		if (!strcmp(r->kind->fields[i].name, name))
			return &r->cells[i];
	return &none;
}

static const char *text_of(const struct record *r, const char *name)
{
	const struct cell *c = cell_of(r, name);

	return c->kind == CELL_STR ? c->str.s : NULL;
}

static bool number_of(const struct record *r, const char *name, uint64_t *ret)
{
	const struct cell *c = cell_of(r, name);

	*ret = c->u;
	return c->kind == CELL_UINT || c->kind == CELL_INT || c->kind == CELL_SIZE ||
	       c->kind == CELL_DURATION || c->kind == CELL_DATE || c->kind == CELL_DECIMAL;
}

static void fact_text(struct side_facts *g, const char *name, const char *text)
{
	struct diff_fact *f = fact_of(g, name);

	if (!f)
		return;
	f->kind = FACT_TEXT;
	f->text = text ? arena_strndup(g->side.a, text, strnlen(text, TEXT_MAX)) : NULL;
}

static void fact_unknown(struct side_facts *g, const char *name, enum err_code code,
			 const char *why)
{
	struct diff_fact *f = fact_of(g, name);

	fact_text(g, name, why);
	if (!f)
		return;
	f->kind = FACT_UNKNOWN;
	f->why = code;
}

static void fact_number(struct side_facts *g, const char *name, enum cell_kind unit, uint64_t n)
{
	struct diff_fact *f = fact_of(g, name);

	if (!f)
		return;
	f->kind = FACT_NUMBER;
	f->unit = unit;
	f->n[0] = n;
	f->known = 1;
}

/* A field of a record as a fact of that name. */
static void fact_field(struct side_facts *g, const struct record *r, const char *field,
		       const char *name)
{
	const struct cell *c = cell_of(r, field);
	uint64_t n;

	if (number_of(r, field, &n))
		fact_number(g, name, c->kind, n);
	else if (c->kind == CELL_UNKNOWN)
		fact_unknown(g, name, c->unknown->code, c->unknown->msg);
	else if (c->kind == CELL_ABSENT)
		fact_unknown(g, name, c->absent.why, err_absent_text(c->absent.why));
	else
		fact_text(g, name, text_of(r, field));
}

/* Adds a field to number i of the fact; once it is not known, the sum is not. */
static void fact_add(struct diff_fact *f, unsigned i, bool known, uint64_t n, bool isnew)
{
	unsigned bit = 1u << i;

	f->n[i] += n;
	f->known = known && (isnew || f->known & bit) ? f->known | bit : f->known & ~bit;
}

/* ---- which records */

static void take_task(struct side_facts *g, const struct record *r)
{
	const char *comm = text_of(r, "comm"), *letter = text_of(r, "letter"), *slash;
	bool isnew;
	struct diff_fact *f;

	if (!comm)
		return;
	/* each CPU's own are of one name, and which of the kernel's workers there are is chance */
	slash = strchr(comm, '/');
	if (slash && (!strncmp(comm, "kworker/", 8) ||
		      (slash[1] && !slash[1 + strspn(slash + 1, "0123456789")])))
		comm = arena_printf(g->side.a, "%.*s*", (int)(slash + 1 - comm), comm);
	isnew = !side_fact(&g->side, g->part, comm);
	f = fact_of(g, comm);
	if (!f)
		return;
	f->kind = FACT_NUMBER;
	fact_add(f, TASKS_ALL, true, 1, isnew);
	fact_add(f, TASKS_BLOCKED, letter != NULL, letter && *letter == 'D', isnew);
}

static void take_slab(struct side_facts *g, const struct record *r)
{
	const char *name = text_of(r, "name");
	uint64_t slabs, each, n;
	bool isnew, known;
	struct diff_fact *f;

	if (!name)
		return;
	isnew = !side_fact(&g->side, g->part, name);
	f = fact_of(g, name);
	if (!f)
		return;
	f->kind = FACT_NUMBER;
	known = number_of(r, "allocated", &n);
	fact_add(f, SLAB_OBJECTS, known, n, isnew);
	known = number_of(r, "slabs", &slabs);
	known &= number_of(r, "slab_size", &each);
	fact_add(f, SLAB_BYTES, known, slabs * each, isnew);
	f->n[SLAB_SIZE] = 0;
	known = number_of(r, "size", &n);
	fact_add(f, SLAB_SIZE, known, n, true);
}

static void take_module(struct side_facts *g, const struct record *r)
{
	const char *name = text_of(r, "name"), *taints = text_of(r, "taints");
	struct diff_fact *f;
	uint64_t n;

	if (!name)
		return;
	fact_text(g, name, taints ? taints : "");
	f = fact_of(g, name);
	if (f && number_of(r, "size", &n))
		fact_add(f, MODULE_SIZE, true, n, true);
}

/* "e1000(O)" as a report's list of modules has it. */
static void take_linked(struct side_facts *g, const struct cell *list)
{
	for (size_t i = 0; i < list->strs.n; i++) {
		const char *s = list->strs.v[i];
		size_t n = strcspn(s, "(");

		fact_text(g, arena_strndup(g->side.a, s, n), s + n);
	}
}

static void take_report(struct side_facts *g, const struct record *r)
{
	struct record whole = *r;
	const struct cell *list;

	if (r->kind->complete)
		r->kind->complete(&whole);
	list = cell_of(&whole, "modules");
	if (g->part == PART_MODULES && list->kind == CELL_STRS)
		take_linked(g, list);
}

static void take_memory(struct side_facts *g, const struct record *r)
{
	const char *name = text_of(r, "name");
	uint64_t n;

	if (name && number_of(r, "kb", &n))
		fact_number(g, name, CELL_SIZE, n << 10);
	else if (name)
		fact_field(g, r, "count", name);
}

/* What a record's field is called in a comparison; NULL ends the list. */
struct fact_name {
	const char *field, *name;
};

static void take_fields(struct side_facts *g, const struct record *r, const struct fact_name *names)
{
	for (; names->field; names++)
		fact_field(g, r, names->field, names->name);
}

static void take_verdict(struct side_facts *g, const struct record *r)
{
	static const struct fact_name verdict[] = {
		{ "outcome", "outcome" },     { "kind", "kind" },     { "verdict", "verdict" },
		{ "sure", "sure" },           { "way", "way" },       { "panic", "panic" },
		{ "function", "function" },   { "module", "module" }, { "title", "title" },
		{ "signature", "signature" }, { NULL, NULL },
	};
	static const struct fact_name banner[] = {
		{ "nodename", "nodename" }, { "release", "release" }, { "arch", "arch" },
		{ "build_id", "build-id" }, { NULL, NULL },
	};

	const char *outcome = text_of(r, "outcome"), *sentence = text_of(r, "verdict");

	if (g->part == PART_VERDICT && outcome && !strcmp(outcome, "unknown")) {
		/* nothing is known of how it ended: that is no other end */
		g->s->any_failed = true;
		err_set(&g->said, g->s->any_damaged ? ERR_FORMAT : ERR_NOTFOUND, "%s",
			sentence ? sentence : "it is unknown");
		return;
	}
	take_fields(g, r, g->part == PART_VERDICT ? verdict : banner);
}

static void take_system(struct side_facts *g, const struct record *r)
{
	static const struct fact_name machine[] = {
		{ "nodename", "nodename" }, { "release", "release" },   { "version", "version" },
		{ "arch", "arch" },         { "build_id", "build-id" }, { "cpus", "CPUs" },
		{ "memory", "memory" },     { "tasks", "tasks" },       { "load1", "load" },
		{ "uptime_ns", "uptime" },  { "date_ns", "date" },      { NULL, NULL },
	};
	const struct cell *complete = cell_of(r, "tasks_complete");
	const char *taint = text_of(r, "taint_text");

	g->more_tasks |= complete->kind == CELL_BOOL && !complete->b;
	if (g->part != PART_MACHINE)
		return;
	take_fields(g, r, machine);
	if (g->more_tasks)
		fact_unknown(g, "tasks", ERR_CORRUPT, "there are more, which cannot be read");
	if (cell_of(r, "taint")->kind == CELL_UNKNOWN)
		fact_field(g, r, "taint", "taint");
	else
		fact_text(g, "taint", taint && *taint ? taint : "not tainted");
}

static void take_error(struct side_facts *g, const struct record *r)
{
	const char *text = text_of(r, "text");

	if (text && g->said.code == ERR_OK)
		err_set(&g->said, ERR_FORMAT, "%s", text);
}

static void gather_record(struct sink *k, const struct record *r)
{
	static const struct {
		const char *kind;
		void (*take)(struct side_facts *g, const struct record *r);
	} takers[] = {
		{ "task", take_task },     { "slab_cache", take_slab },
		{ "module", take_module }, { "meminfo", take_memory },
		{ "system", take_system }, { "verdict", take_verdict },
		{ "report", take_report }, { "error", take_error },
	};

	for (size_t i = 0; i < ARRAY_SIZE(takers); i++)
		if (!strcmp(r->kind->name, takers[i].kind))
			takers[i].take(k->self, r);
}

static void gather_note(struct sink *k, const struct err *why)
{
	struct side_facts *g = k->self;

	if (!g->s)
		send_bytes(g, SIDE_NOTE, why, sizeof(*why)); /* of its files */
	else if (g->said.code == ERR_OK && err_is_partial(why->code))
		g->said = *why;
}

/* A record of the failure says the same. */
static void gather_diagnose(void *arg, const char *s, size_t n)
{
	(void)arg, (void)s, (void)n;
}

static void gather_text(struct sink *k, const char *s)
{
	(void)k, (void)s;
}

static void gather_nothing(struct sink *k)
{
	(void)k;
}

static const struct sink_ops gather_ops = {
	.record = gather_record,
	.note = gather_note,
	.text = gather_text,
	.flush = gather_nothing,
	.release = gather_nothing,
};

static void gather_from(struct side_facts *g, struct session *s)
{
	s->sink.ops = &gather_ops;
	s->sink.self = g;
	s->out->tell = gather_diagnose;
	s->out->tell_arg = g;
}

/* ---- asking */

static void part_begin(struct side_facts *g, enum diff_part part)
{
	struct session *s = g->s;

	g->part = part;
	g->said.code = ERR_OK;
	s->any_failed = s->any_damaged = s->any_usage = s->any_unmet = s->no_report = false;
}

/* Nothing of the part is known, for want of an input that has it. */
static void part_lacks(struct side_facts *g, const char *why)
{
	g->s->any_failed = g->s->any_unmet = true;
	err_set(&g->said, ERR_NEED, "%s", why);
}

/* Says how much of the part was read. */
static void part_end(struct side_facts *g)
{
	struct part_message m = { .part = g->part };
	struct session *s = g->s;
	bool any = g->side.names[g->part].n != 0;
	bool list = g->part == PART_TASKS || g->part == PART_MODULES || g->part == PART_SLABS;

	m.read.why = g->said;
	if (g->cut)
		err_set(&m.read.why, ERR_LIMIT, "it has more facts than %u", FACTS_MAX);
	else if (m.read.why.code == ERR_OK && list)
		m.read.why = g->before;
	if (m.read.why.code == ERR_OK)
		err_set(&m.read.why, ERR_FORMAT, "not all of it can be read");
	if (s->any_failed || s->any_usage)
		m.read.state = any ? PART_HOLED : PART_UNREAD;
	else if (s->any_damaged || g->cut || (list && g->before.code != ERR_OK) ||
		 (g->part == PART_TASKS && g->more_tasks))
		m.read.state = PART_HOLED;
	else
		m.read.state = PART_WHOLE;
	if (s->any_unmet)
		m.read.why.code = ERR_NEED;
	send_bytes(g, SIDE_PART, &m, sizeof(m));
}

static void ask(struct side_facts *g, enum diff_part part, const char *line)
{
	part_begin(g, part);
	(void)session_run(g->s, line);
	part_end(g);
}

/* What the kernel was started with, which no record has. */
static void ask_command_line(struct side_facts *g)
{
	struct target *t = g->s->t;
	struct value v;
	const char *line;
	struct err err;

	if (expr_eval(t, "saved_command_line", &expr_percpu, &v, &err) &&
	    value_str(t, v, TEXT_MAX, g->side.a, &line, &err))
		fact_text(g, "command line", line);
	else
		fact_unknown(g, "command line", err.code, err.msg);
}

/* A text has no list of tasks, and its modules are those that the report names. */
static void ask_machine(struct side_facts *g, const struct diff_wanted *w)
{
	bool memory = mem_loaded(g->s->t);

	if (w->parts[PART_TASKS]) {
		part_begin(g, PART_TASKS);
		(void)session_run(g->s, "ps");
		if (memory)
			(void)session_run(g->s, "sys");
		part_end(g);
	}
	if (w->parts[PART_MACHINE]) {
		part_begin(g, PART_MACHINE);
		(void)session_run(g->s, memory ? "sys" : "triage");
		if (memory)
			ask_command_line(g);
		else
			part_lacks(g, "a text tells no more of it");
		part_end(g);
	}
	if (w->parts[PART_MODULES]) {
		part_begin(g, PART_MODULES);
		(void)session_run(g->s, memory ? "mod" : "oops");
		if (!memory && !g->side.names[PART_MODULES].n && !g->s->any_failed)
			part_lacks(g, "no report in it lists them");
		part_end(g);
	}
}

/* ---- variables */

struct variable_names {
	struct side_facts *g;
	const char *glob;
	VEC(const char *) v;
	struct strmap seen;
	bool cut;
};

static bool add_name(const char *name, void *arg)
{
	struct variable_names *names = arg;
	bool isnew;

	if (fnmatch(names->glob, name, 0) != 0)
		return true;
	names->cut = names->v.n >= NAMES_MAX;
	if (names->cut)
		return false;
	strmap_put(&names->seen, name, &isnew);
	if (isnew)
		*vec_push(&names->v) = name;
	return true;
}

/* What cannot be read. A name that the kernel does not have is no fact of it. */
static void variable_failed(struct side_facts *g, const char *name, bool named,
			    const struct err *err)
{
	if (err->code == ERR_NOSYM && symbols_complete(g->s->t))
		return;
	if (named || err_is_absent(err->code))
		fact_unknown(g, name, err->code, err->msg);
	g->s->any_damaged |= err_is_damage(err->code);
}

/* Is its type known? Of what a glob found only integers are taken; what a person named and is none
 * is said to be none. */
static bool take_variable(struct side_facts *g, const char *name, bool named)
{
	struct target *t = g->s->t;
	struct symbol sym;
	struct value v;
	struct err err;
	uint64_t n;

	if (symbol_find(t, name, &sym, &err) && percpu_is(t, &sym)) {
		if (named)
			fact_unknown(g, name, ERR_USAGE,
				     "each CPU has its own: name one, as in 'variable:0'");
		return true;
	}
	if (!expr_eval(t, name, &expr_percpu, &v, &err)) {
		variable_failed(g, name, named, &err);
		return true;
	}
	if (type_strip(v.type)->kind == TYPE_VOID) {
		if (named)
			fact_unknown(g, name, ERR_NEED,
				     "its type is not known: give the vmlinux with debug info");
		return false;
	}
	if (!type_is_integer(v.type)) {
		if (named)
			fact_unknown(g, name, ERR_USAGE, "it is no integer");
	} else if (type_is_signed(v.type) ? value_s64(t, v, (int64_t *)&n, &err)
					  : value_u64(t, v, &n, &err)) {
		fact_number(g, name, type_is_signed(v.type) ? CELL_INT : CELL_UINT, n);
	} else {
		variable_failed(g, name, true, &err);
	}
	return true;
}

static void take_glob(struct side_facts *g, const char *glob, bool alone)
{
	static const char why[] =
		"the types of variables are not known: give the vmlinux with debug info";
	struct variable_names names = { .g = g, .glob = glob };
	size_t untyped = 0, before = g->side.names[PART_VARIABLES].n;
	struct err err;

	if (!symbol_each_name(g->s->t, add_name, &names, &err)) {
		fact_unknown(g, glob, err.code, err.msg);
		names.v.n = 0;
	}
	for (size_t i = 0; i < names.v.n && !interrupted; i++)
		untyped += !take_variable(g, names.v.p[i], false);
	if (names.cut)
		fact_unknown(g, glob, ERR_LIMIT, "more names match than are looked at");
	else if (before == g->side.names[PART_VARIABLES].n && untyped && alone)
		part_lacks(g, why);
	else if (before == g->side.names[PART_VARIABLES].n && untyped)
		fact_unknown(g, glob, ERR_NEED, why);
	vec_release(&names.v);
	strmap_release(&names.seen);
}

static void ask_variables(struct side_facts *g, const struct diff_wanted *w)
{
	part_begin(g, PART_VARIABLES);
	if (!mem_loaded(g->s->t) || !symbols_available(g->s->t))
		part_lacks(g, "needs a dump and symbols");
	for (size_t i = 0; w->variables[i] && !g->s->any_failed; i++) {
		if (diff_is_glob(w->variables[i]))
			take_glob(g, w->variables[i], !w->variables[1]);
		else
			(void)take_variable(g, w->variables[i], true);
	}
	part_end(g);
}

/* ---- opening */

/* A session of its own with the files; what it says is gathered. NULL: they cannot be opened. */
static struct session *open_files(struct side_facts *g, struct session *outer, const char *file,
				  const char *supply, struct err *err)
{
	struct arena *a = g->side.a;
	struct session *s = ARENA_NEW(a, struct session);
	struct target *t = ARENA_NEW(a, struct target);
	struct output *out = ARENA_NEW(a, struct output);
	const char **files = ARENA_ARRAY(a, const char *, 2);
	struct fleet_crash crash = { .name = file, .files = files, .n = 1 + (supply != NULL) };

	files[0] = file;
	files[1] = supply;
	out->fd = 1;
	target_init(t, ARENA_NEW(a, struct arena));
	t->jobs = 1;
	session_init(s, t, out);
	gather_from(g, s);
	return outer->open(s, &crash, crash.n, outer->open_arg, err) ? s : NULL;
}

/* Opens it with the vmlinux that is its own, if one of them is. */
static struct session *open_best(struct side_facts *g, struct session *outer, const char *file,
				 const struct diff_wanted *w, struct err *err)
{
	struct err foreign = { 0 };

	for (size_t i = 0; i < w->n_supplies; i++) {
		struct session *s = open_files(g, outer, file, w->supplies[i], err);

		if (s)
			send_text(g, SIDE_KERNEL, w->supplies[i]);
		if (s || err->code != ERR_MISMATCH)
			return s;
		if (i < w->n_named)
			foreign = *err;
	}
	/* what it would tell is missing; the dump is none the worse */
	foreign.code = foreign.code == ERR_OK ? ERR_OK : ERR_NEED;
	if (foreign.code != ERR_OK)
		send_bytes(g, SIDE_NOTE, &foreign, sizeof(foreign));
	return open_files(g, outer, file, NULL, err);
}

/* What was read badly before it is told once, so that lists that were walked by then may lack
 * something. */
static void look_back(struct side_facts *g)
{
	const struct target *t = g->s->t;

	for (size_t i = 0; i < t->warnings.n && g->before.code == ERR_OK; i++)
		if (err_is_partial(t->warnings.p[i].code))
			err_set(&g->before, t->warnings.p[i].code, "%s", t->warnings.p[i].text);
}

void side_ask(struct session *outer, const char *file, const struct diff_wanted *wanted,
	      struct worker *to)
{
	struct arena a = { 0 };
	struct side_facts *g = ARENA_NEW(&a, struct side_facts);
	struct err err;

	g->side.a = &a;
	g->to = to;
	g->s = file ? open_best(g, outer, file, wanted, &err) : outer;
	if (!g->s) {
		send_bytes(g, SIDE_FAILED, &err, sizeof(err));
		return;
	}
	if (!file)
		look_back(g);
	gather_from(g, g->s);
	ask_machine(g, wanted);
	if (wanted->parts[PART_SLABS])
		ask(g, PART_SLABS, "kmem -s");
	if (wanted->parts[PART_MEMORY])
		ask(g, PART_MEMORY, "kmem -i");
	if (wanted->parts[PART_VERDICT])
		ask(g, PART_VERDICT, "triage");
	if (wanted->parts[PART_VARIABLES])
		ask_variables(g, wanted);
	for (size_t i = 0; i < g->side.facts.n; i++)
		send_fact(g, &g->side.facts.p[i]);
}
