/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts a log into reports: where one starts, which lines are its own, where it ends. */
#include <string.h>

#include "core/report/parse/parse.h"

#define OPEN_MAX 4         /* reports of different CPUs at a time */
#define FOREIGN_MAX 60     /* lines that are not a report's, in a row */
#define GAP_NS 20000000000 /* time between a report's lines */
#define AT_ONCE_NS 1000000 /* between what two CPUs print at once */
#define HEAD_LINES 12      /* within which headers belong to each other */
#define LATE_LINES 60      /* within which a header may follow that came late */
#define ASKED_LINES 400    /* within which traces may follow that somebody asked for */
#define OFTEN 3u           /* lines of a kind of which one is an ordinary day's */
#define REST_ROWS 2u       /* of registers, which tell a headline from a sentence */

struct open_report {
	struct report *r;
	char ctx;
	uint32_t ctx_id;
	size_t bytes;
	unsigned foreign; /* lines in a row */
	size_t own;       /* index behind the last own line */
	unsigned traces, frames, cpus, pcs, regs, headers, rules, proofs;
	unsigned frames_since_trace;
	bool ended;    /* its end mark was seen; a panic may follow */
	bool multi;    /* its kind has traces of many CPUs or tasks */
	bool headless; /* opened by what follows a header, for want of one */
	bool soft;     /* opened by a line that only says more of a report */
	bool begun;    /* a line that begins a report is among its headers */
	bool sure;     /* one of its headers is such that nobody but a kernel prints it */
	bool panicked; /* its last line was a panic's */
	bool pending;  /* only "cut here" so far */
	bool doubled;  /* each line comes twice: two consoles wrote the text */
	bool second;   /* the last line was a second one */
	uint8_t kind;  /* as the first header said */
	uint64_t last_ns;
	bool has_last;
};

struct report_stream {
	struct text_stream *text;
	const char *file;
	bool (*fn)(struct report *r, void *arg);
	void *arg;
	struct open_report open[OPEN_MAX];
	size_t n_open;
	struct report *held; /* the last one, until it is known what follows */
	unsigned number;
	uint64_t asked; /* number of the last line that asks for traces; 0: there is none */
	bool stopped, eof;
};

static void deliver(struct report_stream *s, struct report *r)
{
	if (!s->stopped && !s->fn(r, s->arg))
		s->stopped = true;
	if (!r->kept)
		report_free(r);
}

/* Keeps one report back to tell it what it was the cause of. */
static void hand_over(struct report_stream *s, struct report *r)
{
	if (s->held) {
		if (report_follows(s->held, r)) {
			r->consequence_of =
				s->held->consequence_of ? s->held->consequence_of : s->held->number;
			s->held->cause_of = r->number;
		}
		deliver(s, s->held);
	}
	s->held = r;
}

static bool needs_evidence(const struct open_report *o)
{
	if (report_kind_is(o->kind, KIND_OFTEN) && o->headers >= OFTEN)
		return false;
	return !o->frames && !o->pcs && !o->cpus && !o->proofs && o->regs < REST_ROWS;
}

/* Lines that follow a header in a kernel's report, and in nobody's prose. */
static bool is_proof(const struct oline *l)
{
	static const char *const v[] = { "Read of size ",
					 "Write of size ",
					 "in_atomic(): ",
					 "read to 0x",
					 "write to 0x",
					 "read-write to 0x",
					 "Reported by Kernel Concurrency",
					 "\"echo 0 > /proc/sys/",
					 "#PF: ",
					 "Mem abort info:",
					 "Hardware name: ",
					 "Modules linked in:",
					 "task:",
					 "Kernel Offset: ",
					 "SMP: stopping ",
					 "---[ end Kernel panic",
					 "printing eip:",
					 "*pde = ",
					 "In interrupt handler - not syncing" };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (has_prefix(l->text, l->n, v[i]))
			return true;
	return false;
}

/* Does the text end with the headline, and has that what no person writes into a title: an address,
 * a task, a place? Such is a report that was cut off. */
static bool is_cut_short(const struct open_report *o)
{
	const struct report *r = o->r;

	return r->open_end && o->sure && o->begun && r->lines.n == o->headers &&
	       (r->has_address || r->has_pid || r->where ||
		(r->named && find_text(r->headline, strlen(r->headline), "+0x")));
}

static void stream_finish(struct report_stream *s, size_t at)
{
	struct open_report o = s->open[at];
	struct report *r = o.r;
	bool keep;

	memmove(&s->open[at], &s->open[at + 1], (s->n_open - at - 1) * sizeof(o));
	s->n_open--;
	/* lines behind its last are not of it */
	r->lines.n = o.own;
	r->breaks = 0;
	for (size_t i = 0; i < r->lines.n; i++)
		r->breaks += r->lines.p[i].foreign;
	r->open_end = s->eof && !o.ended && o.foreign <= 1;
	facts_read(r);
	torn_find(r, o.multi);
	if (o.headless)
		rest_judge(r, o.pcs, o.cpus, o.ended);
	/* the kernel says which access or trap it was before it says that it is an oops */
	else if (!o.begun && (r->kind == KIND_PAGE_FAULT || r->kind == KIND_NULL_DEREF))
		r->headless = true;
	keep = r->kind != KIND_NONE && (!needs_evidence(&o) || r->certain || is_cut_short(&o));
	if (!keep) {
		report_free(r);
		return;
	}
	r->number = ++s->number;
	r->file = s->file;
	report_judge(r);
	hand_over(s, r);
}

static char *keep_text(struct report *r, const char *s, size_t n)
{
	return arena_strndup(&r->arena, s, n);
}

static void line_add(struct open_report *o, const struct oline *l, enum shape shape, bool foreign)
{
	struct report *r = o->r;
	struct report_line *to;

	if (r->lines.n >= REPORT_LINES_MAX || o->bytes > REPORT_BYTES_MAX) {
		r->overlong = true;
		return;
	}
	o->bytes += l->raw_n + l->n;
	to = vec_push(&r->lines);
	to->raw = keep_text(r, l->raw, l->raw_n);
	to->raw_n = (uint32_t)l->raw_n;
	to->text = keep_text(r, l->text, l->n);
	to->n = (uint32_t)l->n;
	to->indent = l->indent;
	to->time_ns = l->time_ns;
	to->has_time = l->has_time;
	to->shape = (uint8_t)shape;
	to->foreign = foreign;
	to->odd = l->odd;
	if (foreign)
		return;
	o->own = r->lines.n;
	o->foreign = 0;
	if (l->has_time) {
		o->has_last = true;
		o->last_ns = l->time_ns;
	}
}

static struct open_report *report_open(struct report_stream *s, const struct oline *l)
{
	struct open_report *o;

	if (s->n_open == OPEN_MAX)
		stream_finish(s, 0);
	o = &s->open[s->n_open++];
	memset(o, 0, sizeof(*o));
	o->r = xrealloc(NULL, sizeof(*o->r));
	report_init(o->r);
	o->r->first_line = l->number;
	o->ctx = l->ctx;
	o->ctx_id = l->ctx_id;
	return o;
}

/* The report that a line goes to: its caller's, else the latest. */
static struct open_report *report_of(struct report_stream *s, const struct oline *l)
{
	struct open_report *o = NULL;

	for (size_t i = 0; i < s->n_open; i++) {
		if (!l->ctx || !s->open[i].ctx)
			o = &s->open[i];
		else if (s->open[i].ctx == l->ctx && s->open[i].ctx_id == l->ctx_id)
			return &s->open[i];
	}
	return o;
}

/* What is known of an open report and of the header line that may join it. */
enum {
	OPEN_ENDED = 1,       /* the report's end mark was seen */
	OPEN_EARLY = 2,       /* neither a frame nor a program counter of it was seen */
	OPEN_HEAD = 4,        /* the same, and it has few lines yet */
	OPEN_SOFT = 8,        /* a line that only says more of a report opened it */
	OPEN_NO_CPU = 16,     /* no line that names CPU and process was seen */
	OPEN_LATE = 32,       /* its trace is still to come, although it has more than few lines */
	HEADER_REFINES = 64,  /* the header is one that says more of a report */
	HEADER_MM_SLAB = 128, /* the header line names a file of mm/sl*: slab.c, slub.c */
	HEADER_LIKELY = 256,  /* ... a suspect: "task a blocked on ... likely owned by task b" */
	HEADER_STARVED = 512  /* ... a thread of RCU's that did not run */
};

/* Which header says more of which open report. The first row decides whose kinds are those of the
 * two and whose facts are all known of them; ANY stands for every kind. */
#define ANY KINDS
static const struct joining {
	uint8_t open; /* enum report_kind */
	uint8_t next;
	unsigned facts;
	bool joins;
	unsigned traits; /* of the open report, enum kind_trait: it has one of these; 0: any */
} joinings[] = {
	/* what the kernel could have lived with is one thing, that it panics another */
	{ ANY, KIND_PANIC, 0, false, KIND_OFTEN },
	{ KIND_NMI, KIND_PANIC, 0, false, 0 },
	{ KIND_PAGE_ALLOC, KIND_PANIC, 0, false, 0 },
	{ ANY, KIND_PANIC, 0, true, 0 },
	{ ANY, ANY, OPEN_ENDED, false, 0 },
	{ KIND_PANIC, ANY, 0, false, 0 },
	{ ANY, KIND_OOM, 0, false, 0 },
	/* what file systems and memory say, again and again, and while others report */
	{ KIND_FS_ERROR, KIND_FS_ERROR, 0, true, 0 },
	{ KIND_EDAC_CE, KIND_EDAC_CE, 0, true, 0 },
	{ KIND_FS_ERROR, ANY, 0, false, 0 },
	{ KIND_EDAC_CE, ANY, 0, false, 0 },
	{ KIND_EDAC_UE, ANY, 0, false, 0 },
	{ KIND_NMI, ANY, 0, false, 0 },
	{ ANY, KIND_FS_ERROR, 0, true, 0 },
	{ ANY, KIND_EDAC_CE, 0, true, 0 },
	{ ANY, KIND_PAGE_ALLOC, 0, false, 0 },
	{ ANY, KIND_NMI, 0, false, 0 },
	{ KIND_KMEMLEAK, KIND_KMEMLEAK, 0, true, 0 },
	{ KIND_NONE, KIND_KMEMLEAK, 0, true, 0 },
	{ ANY, KIND_KMEMLEAK, 0, false, 0 },
	/* slab's findings end in a warning, which has the trace */
	{ KIND_SLAB, KIND_WARNING, OPEN_NO_CPU | HEADER_MM_SLAB, true, 0 },
	{ KIND_SLAB, KIND_WARNING, 0, false, 0 },
	{ KIND_HUNG_TASK, KIND_HUNG_TASK, OPEN_EARLY | OPEN_NO_CPU | HEADER_LIKELY, true, 0 },
	{ KIND_HUNG_TASK, KIND_HUNG_TASK, OPEN_EARLY | HEADER_REFINES, true, 0 },
	{ ANY, KIND_HUNG_TASK, 0, false, 0 },
	{ KIND_HUNG_TASK, ANY, HEADER_LIKELY, true, 0 },
	{ KIND_RCU_STALL, KIND_RCU_STALL, OPEN_EARLY, true, 0 },
	{ KIND_RCU_STALL, KIND_RCU_STALL, HEADER_STARVED, true, 0 },
	{ KIND_RCU_STALL, KIND_RCU_STALL, 0, false, 0 },
	{ ANY, KIND_OTHER, 0, false, 0 },
	/* among the first lines, before any trace */
	{ ANY, ANY, OPEN_HEAD | HEADER_REFINES, true, 0 },
	{ ANY, ANY, OPEN_HEAD | OPEN_SOFT, true, 0 },
	{ KIND_NONE, ANY, OPEN_HEAD, true, 0 },
	{ KIND_RUST, KIND_BUG, OPEN_HEAD, true, 0 },
	{ KIND_PAGE_FAULT, KIND_NULL_DEREF, OPEN_HEAD, true, 0 },
	/* from v2.6.37 to v4.5 the watchdog of hard lockups warned, with these words behind it */
	{ KIND_WARNING, KIND_HARD_LOCKUP, OPEN_HEAD | OPEN_NO_CPU, true, 0 },
	{ ANY, KIND_WARNING, OPEN_HEAD | OPEN_NO_CPU, true, KIND_IS_CHECK | KIND_ENDS_WARNING },
	{ ANY, KIND_BUG, OPEN_HEAD | OPEN_NO_CPU, true, KIND_IS_CHECK },
	{ ANY, ANY, OPEN_HEAD, false, 0 },
	/* the code of an oops whose header came first, late */
	{ ANY, KIND_PAGE_FAULT, OPEN_LATE | HEADER_REFINES, true, 0 },
	{ ANY, KIND_TRAP, OPEN_LATE | HEADER_REFINES, true, 0 },
	{ ANY, KIND_INTERNAL_ERROR, OPEN_LATE | HEADER_REFINES, true, 0 },
	{ ANY, KIND_INVALID_OPCODE, OPEN_LATE | HEADER_REFINES, true, 0 },
};

static unsigned joining_facts(const struct open_report *o, const struct header *h,
			      const struct oline *l)
{
	bool early = !o->traces && !o->frames && !o->pcs;
	unsigned facts = 0;

	facts |= o->ended ? OPEN_ENDED : 0;
	facts |= early ? OPEN_EARLY : 0;
	facts |= early && o->r->lines.n < HEAD_LINES ? OPEN_HEAD : 0;
	facts |= o->soft ? OPEN_SOFT : 0;
	facts |= !o->cpus ? OPEN_NO_CPU : 0;
	facts |= !o->traces && o->r->lines.n < LATE_LINES ? OPEN_LATE : 0;
	facts |= h->role == HEAD_REFINE ? HEADER_REFINES : 0;
	facts |= find_text(l->text, l->n, " mm/sl") ? HEADER_MM_SLAB : 0;
	facts |= find_text(l->text, l->n, "likely ") ? HEADER_LIKELY : 0;
	facts |= find_text(l->text, l->n, "kthread starved") ? HEADER_STARVED : 0;
	return facts;
}

/* Does this header say more of the report that is open? */
static bool joins(const struct open_report *o, const struct header *h, const struct oline *l)
{
	unsigned facts = joining_facts(o, h, l);

	if (o->pending)
		return true;
	if (o->headless)
		return h->kind == KIND_PANIC && (o->frames || o->pcs);
	for (size_t i = 0; i < ARRAY_SIZE(joinings); i++) {
		const struct joining *j = &joinings[i];

		if ((j->open == ANY || j->open == o->kind) &&
		    (j->next == ANY || j->next == h->kind) && !(j->facts & ~facts) &&
		    (!j->traits || report_kind_is(o->kind, j->traits)))
			return j->joins;
	}
	return false;
}

/* A panic that prints a trace of its own is a report of its own: the first one's consequence. */
static struct open_report *panic_split(struct report_stream *s, struct open_report *o)
{
	const struct report_line *last = &o->r->lines.p[o->own - 1];
	struct oline l = {
		.raw = last->raw, .raw_n = last->raw_n, .text = last->text, .n = last->n
	};
	struct report *old = o->r;

	l.indent = last->indent;
	l.number = old->first_line + old->lines.n - 1;
	l.ctx = o->ctx;
	l.ctx_id = o->ctx_id;
	l.has_time = last->has_time;
	l.time_ns = last->time_ns;
	o->panicked = false;
	o->ended = true;
	o = report_open(s, &l);
	o->kind = KIND_PANIC;
	o->headers = 1;
	o->r->certain = true;
	line_add(o, &l, SHAPE_HEADER, false);
	for (size_t i = 0; i < s->n_open; i++)
		if (s->open[i].r == old) {
			stream_finish(s, i);
			break;
		}
	return &s->open[s->n_open - 1];
}

/* Is it the last line once more, of the same time? Where the first headline comes twice, the lines
 * behind it may. */
static bool is_second(struct open_report *o, const struct oline *l, bool header)
{
	const struct report_line *last = o->own ? &o->r->lines.p[o->own - 1] : NULL;
	bool second = last && o->own == o->r->lines.n && last->n == l->n && !o->second &&
		      (o->doubled || (header && o->headers == 1)) &&
		      !report_kind_is(o->kind, KIND_OFTEN) &&
		      (!l->has_time || !last->has_time || l->time_ns == last->time_ns) &&
		      !memcmp(last->text, l->text, l->n);

	o->doubled |= second;
	o->second = second;
	return second;
}

/* Is it another CPU's headline, at the same time, right behind the first line of a report? What
 * follows is of both, and nothing on its lines says of which. */
static bool is_woven(const struct open_report *o, const struct oline *l, const struct header *h)
{
	const struct report_line *first = &o->r->lines.p[0];

	return o->r->lines.n == 1 && o->headers == 1 && o->kind == h->kind && o->begun &&
	       h->role == HEAD_START && report_kind_is(h->kind, KIND_IS_ACCESS) && !l->ctx &&
	       l->has_time == first->has_time &&
	       /* the time is taken before the place in the log: the later line may be the older */
	       (!l->has_time || l->time_ns + AT_ONCE_NS - first->time_ns < 2 * AT_ONCE_NS);
}

static void header_line(struct report_stream *s, const struct oline *l, const struct header *h)
{
	struct open_report *o = report_of(s, l);

	if (o && is_second(o, l, true))
		return;
	if (o && is_woven(o, l, h)) {
		line_add(o, l, SHAPE_HEADER, false);
		o->headers++;
		return;
	}
	/* ARC names process and kernel first */
	if (o && o->headless && !o->frames && !o->pcs && has_prefix(l->text, l->n, "[ECR "))
		o->headless = false;
	else if (o && !joins(o, h, l)) {
		if (o->kind == KIND_HUNG_TASK || !l->ctx || !o->ctx ||
		    (o->ctx == l->ctx && o->ctx_id == l->ctx_id)) {
			o->r->overtaken = !o->multi;
			stream_finish(s, (size_t)(o - s->open));
		}
		o = NULL;
	}
	if (!o) {
		o = report_open(s, l);
		o->soft = h->role == HEAD_REFINE;
	}
	if (!o->headers || o->kind == KIND_NONE)
		o->kind = h->kind;
	o->multi = report_kind_is(o->kind, KIND_HAS_MANY);
	o->pending = false;
	o->headers++;
	o->begun |= h->role != HEAD_REFINE;
	o->sure |= h->certain;
	o->r->certain |= h->alone || (h->certain && l->prefixed && !l->learnt);
	line_add(o, l, SHAPE_HEADER, false);
	o->panicked = h->kind == KIND_PANIC && o->kind != KIND_PANIC && o->frames && o->own;
}

static bool is_nothing(const struct oline *l, enum shape shape)
{
	return shape == SHAPE_NONE || shape == SHAPE_EMPTY || l->foreign;
}

/* A line whose looks say nothing: a register's continuation, a message of another part. */
static void other_line(struct report_stream *s, struct open_report *o, const struct oline *l)
{
	bool own = !l->foreign && !o->frames && !o->pcs && o->r->lines.n < HEAD_LINES;

	line_add(o, l, SHAPE_NONE, !own);
	if (own || !l->n)
		return;
	if (++o->foreign > FOREIGN_MAX || (o->ended && o->foreign > 8) ||
	    (o->has_last && l->has_time && l->time_ns > o->last_ns + GAP_NS))
		stream_finish(s, (size_t)(o - s->open));
}

/* A second set of process, machine state and trace belongs to the next report. */
static void count_shape(struct open_report *o, enum shape shape)
{
	switch (shape) {
	case SHAPE_CPU:
		o->cpus++;
		break;
	case SHAPE_PC:
		o->pcs++;
		break;
	case SHAPE_REGS:
		o->regs++;
		break;
	case SHAPE_FRAME:
		o->frames++;
		o->frames_since_trace++;
		break;
	case SHAPE_TRACE:
		o->traces++;
		o->frames_since_trace = 0;
		break;
	case SHAPE_END:
	case SHAPE_PANIC_END:
		o->ended = true;
		break;
	case SHAPE_RULE:
		o->rules++;
		break;
	default:
		break;
	}
}

/* Lines that begin a trace which no person asks for. */
static bool begins_part(const struct oline *l)
{
	static const char *const v[] = {
		"Allocated by task", "Freed by task", "allocated by task", "freed by task",
		"kfence-#",          "Uninit was ",   "stack backtrace:",  "read to 0x",
		"write to 0x",       "the existing",  "read-write to 0x",  "Allocated in ",
		"Freed in "
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (has_prefix(l->text, l->n, v[i]))
			return true;
	return false;
}

/* May the line be the first that is left of a report whose head scrolled away, or was cut off? The
 * traces that a person or another CPU asked for are none. */
static bool begins_rest(struct report_stream *s, const struct oline *l, enum shape shape)
{
	bool asked = s->asked && l->number - s->asked < ASKED_LINES;

	switch (shape) {
	case SHAPE_CPU:
	case SHAPE_PC:
		return l->prefixed || !asked;
	case SHAPE_MARKER:
	case SHAPE_FRAME:
	case SHAPE_REGS:
		return !asked;
	case SHAPE_CODE:
		return !asked && (memchr(l->text, '<', l->n) || memchr(l->text, '(', l->n));
	case SHAPE_TRACE:
		return !asked && (has_prefix(l->text, l->n, "Call ") || begins_part(l) ||
				  has_prefix(l->text, l->n, "Backtrace:") ||
				  has_prefix(l->text, l->n, "Stack trace:"));
	default:
		return false;
	}
}

static bool asks_for_traces(const struct oline *l)
{
	size_t n = l->n < 80 ? l->n : 80;

	return has_prefix(l->text, l->n, "NMI backtrace") ||
	       has_prefix(l->text, l->n, "Sending NMI") || has_prefix(l->text, l->n, "task:") ||
	       find_text(l->text, n, "sysrq: ") || find_text(l->text, n, "SysRq : ");
}

/* Is it the first line of another life of the machine than the report's? xmon prints the same words
 * within a report, without a time. */
static bool begins_life(const struct open_report *o, const struct oline *l)
{
	return has_prefix(l->text, l->n, "Linux version ") && l->has_time && o->has_last &&
	       l->time_ns < o->last_ns;
}

static void on_line(const struct oline *l, void *arg)
{
	struct report_stream *s = arg;
	const struct header *h;
	enum shape shape;
	struct open_report *o;

	if (s->stopped)
		return;
	for (size_t i = 0; i < s->n_open;)
		if (begins_life(&s->open[i], l))
			stream_finish(s, i);
		else
			i++;
	shape = l->foreign ? SHAPE_NONE : shape_of(l, &h);
	if ((shape == SHAPE_NONE || shape == SHAPE_TRACE) && asks_for_traces(l))
		s->asked = l->number;
	if (shape == SHAPE_HEADER) {
		header_line(s, l, h);
		return;
	}
	o = s->n_open ? report_of(s, l) : NULL;
	if (shape == SHAPE_CUT_HERE) {
		/* what list and usercopy checks say comes before it */
		if (o && !(o->kind == KIND_SLAB && !o->cpus) &&
		    (o->kind == KIND_NONE || !needs_evidence(o) || o->traces ||
		     o->r->lines.n >= HEAD_LINES || (l->ctx && o->ctx != l->ctx))) {
			if (!l->ctx || o->ctx == l->ctx)
				stream_finish(s, (size_t)(o - s->open));
			o = NULL;
		}
		if (!o) {
			o = report_open(s, l);
			o->pending = true;
		}
		line_add(o, l, shape, false);
		return;
	}
	if (!o && s->n_open && l->ctx && !is_nothing(l, shape)) {
		/* another CPU's trace, on request of a report */
		for (size_t i = 0; i < s->n_open; i++)
			if (s->open[i].multi)
				o = &s->open[i];
	}
	if (!o && begins_rest(s, l, shape)) {
		o = report_open(s, l);
		o->headless = true;
	}
	if (!o)
		return;
	if (o->doubled && is_second(o, l, false))
		return;
	if (is_nothing(l, shape)) {
		other_line(s, o, l);
		return;
	}
	if (l->has_time && o->has_last && l->time_ns > o->last_ns + GAP_NS && !o->multi) {
		stream_finish(s, (size_t)(o - s->open));
		return;
	}
	if (o->panicked && (shape == SHAPE_CPU || shape == SHAPE_TRACE))
		o = panic_split(s, o);
	line_add(o, l, shape, false);
	o->proofs += shape == SHAPE_LOCK || is_proof(l);
	count_shape(o, shape);
}

struct report_stream *report_stream_open(const char *file, bool (*fn)(struct report *r, void *arg),
					 void *arg)
{
	struct report_stream *s = xrealloc(NULL, sizeof(*s));

	memset(s, 0, sizeof(*s));
	s->file = file;
	s->fn = fn;
	s->arg = arg;
	s->text = text_open(on_line, s);
	return s;
}

bool report_stream_feed(struct report_stream *s, const void *bytes, size_t n)
{
	text_feed(s->text, bytes, n);
	return !s->stopped;
}

void report_stream_flush(struct report_stream *s)
{
	text_flush(s->text);
}

void report_stream_close(struct report_stream *s)
{
	text_close(s->text);
	s->eof = true;
	while (s->n_open)
		stream_finish(s, 0);
	if (s->held)
		deliver(s, s->held);
	free(s);
}
