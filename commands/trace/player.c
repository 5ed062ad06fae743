/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The player of `trace replay`: what the keys do. */
#include "commands/trace/player.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/guard.h"
#include "core/base/number.h"
#include "core/base/pattern.h"
#include "core/shell/common_record.h"
#include "core/shell/session.h"
#include "core/shell/stage.h"
#include "core/trace/row.h"

#define PAUSE_MAX 1000   /* ms between two events, however far apart they were */
#define LANES_MAX 64u    /* shown at once where there is no screen */
#define DRAW_NS 30000000 /* a screen is drawn no sooner again */
#define RESIZE_MS 250    /* so often the terminal's size is looked at */

/* ---- without keys */

static void show_lanes(struct player *p)
{
	const struct replay_cpu *const *cpus;
	size_t n = replay_cpus(p->replay, &cpus);
	struct record r;

	for (size_t i = 0; i < n && i < LANES_MAX; i++) {
		trace_lane_record(cpus[i], p->ev.buffer, &p->words, &r);
		emit(p->c, &r);
	}
	if (n > LANES_MAX)
		say(p->c, "    and %zu CPUs more", n - LANES_MAX);
}

static void show_event(struct player *p, bool lanes)
{
	const struct trace_shown shown = { .ev = &p->ev,
					   .printer = p->choice->printer,
					   .arena = &p->words };
	struct record r;

	trace_notes(p->c, replay_timeline(p->replay));
	trace_shown_record(&shown, &r);
	emit(p->c, &r);
	if (lanes)
		show_lanes(p);
	arena_reset(&p->words);
}

bool player_run(struct player *p, struct err *err)
{
	bool any = false;

	while (replay_next(p->replay, &p->ev, err)) {
		show_event(p, p->lanes);
		any = true;
		if (!interrupt_check(err))
			return false;
	}
	if (err->code)
		return false;
	if (!any)
		emit_none(p->c, &trace_event_kind, p->c->cmd->none);
	p->ev.buffer = NULL;
	if (any && !p->lanes) {
		const struct trace_buffer *const *buffers;

		/* names are asked of the recording, which outlives its events */
		if (timeline_buffers(replay_timeline(p->replay), &buffers))
			p->ev.buffer = buffers[0];
		show_lanes(p);
	}
	return true;
}

/* ---- asking for words */

/* What is typed on the last line; false: nothing. */
static bool ask(struct player *p, struct keys *k, const char *prompt, struct buf *ret)
{
	bool given;

	buf_reset(&p->said);
	player_draw(p);
	output_write(p->screen.out, "\r\033[K\033[?25h", 10);
	given = keys_line(k, prompt, ret);
	output_write(p->screen.out, "\033[?25l", 6);
	return given;
}

/* "12.5", "-50ms", "panic", "#100", "+20" (events). */
static void go_to(struct player *p, struct keys *k)
{
	struct buf b = { 0 };
	struct err err = { 0 };
	uint64_t n, ts;

	if (!ask(p, k, "go to (time, -50ms, panic, #event, +events): ", &b)) {
		buf_release(&b);
		return;
	}
	if ((*b.s == '#' || *b.s == '+') && parse_number(b.s + 1, false, &n))
		player_to(p, n + (*b.s == '+' ? player_number(p) : 0));
	else if (trace_time(p->c, b.s, &p->choice->sel, &ts, &err))
		player_to_time(p, ts);
	else
		player_say(p, "%s", err.msg);
	buf_release(&b);
}

/* ---- what is sought */

struct sought {
	regex_t re;
	struct buf row;
};

static bool row_matches(struct player *p, const struct trace_event *ev, void *arg)
{
	struct sought *s = arg;

	buf_reset(&s->row);
	trace_row(p->choice->printer, &s->row, ev);
	return !regexec(&s->re, buf_text(&s->row), 0, NULL, 0);
}

static void search_on(struct player *p, bool forward)
{
	struct sought s = { 0 };
	struct err err = { 0 };

	if (!*p->search) {
		player_say(p, "'/' searches first");
		return;
	}
	if (!pattern_compile(p->search, 0, &s.re, &err)) {
		player_say(p, "%s", err.msg);
		return;
	}
	player_say(p, "searching: Ctrl-C stops");
	player_draw(p);
	buf_reset(&p->said);
	player_find(p, forward, row_matches, &s);
	regfree(&s.re);
	buf_release(&s.row);
}

static void player_search(struct player *p, struct keys *k)
{
	struct buf b = { 0 };

	if (ask(p, k, "/", &b))
		snprintf(p->search, sizeof(p->search), "%s", b.s);
	buf_release(&b);
	search_on(p, true);
}

static bool same_task(struct player *p, const struct trace_event *ev, void *arg)
{
	(void)p;
	return ev->pid == *(const int32_t *)arg;
}

static bool same_cpu(struct player *p, const struct trace_event *ev, void *arg)
{
	(void)p;
	return ev->cpu == *(const int *)arg;
}

static void next_of(struct player *p, bool forward, bool task)
{
	int32_t pid = p->ev.pid;
	int cpu = p->ev.cpu;

	if (p->at_event)
		player_find(p, forward, task ? same_task : same_cpu,
			    task ? (void *)&pid : (void *)&cpu);
}

static bool stops_here(struct player *p, const struct trace_event *ev, void *arg)
{
	(void)arg;
	return trace_filter_match(p->stop, ev);
}

static void stop_filter(struct player *p, struct keys *k)
{
	struct buf b = { 0 };
	struct err err = { 0 };
	const struct traces *all;

	trace_filter_release(p->stop);
	p->stop = NULL;
	*p->stop_text = '\0';
	if (ask(p, k, "stop at (as -F has it; nothing: nowhere): ", &b)) {
		if (traces_find(p->c->t, &all, &err) && trace_filter_new(all, b.s, &p->stop, &err))
			snprintf(p->stop_text, sizeof(p->stop_text), "%s", b.s);
		else
			player_say(p, "%s", err.msg);
	}
	buf_release(&b);
}

/* ---- marks */

static void set_mark(struct player *p)
{
	if (!p->at_event)
		return;
	p->marks[1] = p->marks[0];
	p->marks[0] = (struct player_mark){ player_number(p), p->ev.ts };
	p->n_marks += p->n_marks < PLAYER_MARKS;
}

/* To the mark, and the next time to the other one. */
static void to_mark(struct player *p)
{
	struct player_mark other = p->marks[0];

	if (!p->n_marks) {
		player_say(p, "'m' sets a mark first");
		return;
	}
	player_to(p, p->marks[0].number);
	if (p->n_marks == PLAYER_MARKS) {
		p->marks[0] = p->marks[1];
		p->marks[1] = other;
	}
}

/* ---- p: what an argument points to */

static const char *pointed_type(const struct trace_field *f, struct arena *a)
{
	const char *s = f->type, *star = strchr(s, '*');

	s += !strncmp(s, "const ", 6) ? 6 : 0;
	if (!star || (strncmp(s, "struct ", 7) != 0 && strncmp(s, "union ", 6) != 0))
		return NULL;
	return arena_strndup(a, s, (size_t)(star - s));
}

static bool print_pointer(struct player *p, const char *name, const char *type, struct err *err)
{
	const struct trace_field *f = trace_field_find(p->ev.format, name);
	uint64_t addr;

	if (!f)
		return err_set(err, ERR_NOFIELD, "the event '%.60s' has no field '%.60s'",
			       p->ev.name, name);
	if (!type)
		type = pointed_type(f, &p->words);
	if (!type)
		return err_set(err, ERR_NOTYPE,
			       "'%.60s %.60s' does not say to what it points: name the type, as "
			       "'%.40s task_struct'",
			       f->type, name, name);
	if (!trace_field_u64(&p->ev, f, &addr))
		return err_set(err, ERR_CORRUPT, "'%.60s' is no address here", name);
	say(p->c, "(as it is in the dump, not as it was at the event)");
	type = strchr(type, ' ') ? type : arena_printf(&p->words, "struct %s", type);
	stage_run(p->c, arena_printf(p->c->arena, "p *((%s *)0x%" PRIx64 ")", type, addr));
	return true;
}

/* What is printed may be long: the first page has it. */
static void print_argument(struct player *p, struct keys *k)
{
	struct buf b = { 0 };
	struct err err = { 0 };

	if (p->at_event && ask(p, k, "p (field [type]): ", &b)) {
		char *type = strchr(b.s, ' ');

		if (type)
			*type++ = '\0';
		screen_close(&p->screen);
		if (!print_pointer(p, b.s, type, &err))
			say(p->c, "%s", err.msg);
		say(p->c, "(a key goes back)");
		(void)keys_read(k, -1);
		if (!screen_open(&p->screen, p->c->s->out))
			player_say(p, "the terminal is too small");
	}
	buf_release(&b);
	arena_reset(&p->words);
}

/* ---- playing */

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* How long to wait before the next event, in ms. */
static int pause_before(const struct player *p, uint64_t before, uint64_t ts)
{
	double ms = p->speed > 0 && ts > before ? (double)(ts - before) / 1e6 / p->speed : 0;

	return ms > PAUSE_MAX ? PAUSE_MAX : (int)ms;
}

/* Until a key is pressed, the filter stops it, or the end; returns the key. */
static int play(struct player *p, struct keys *k)
{
	uint64_t drawn = 0;
	int key = KEY_NONE;

	p->playing = true;
	while (key == KEY_NONE) {
		uint64_t before = p->ev.ts;
		int pause;

		if (!player_step(p))
			break;
		pause = pause_before(p, before, p->ev.ts);
		if (pause || now_ns() - drawn > DRAW_NS) {
			player_draw(p);
			drawn = now_ns();
		}
		if (p->stop && trace_filter_match(p->stop, &p->ev)) {
			player_say(p, "stopped by the filter");
			break;
		}
		key = keys_read(k, pause);
	}
	p->playing = false;
	return key == ' ' ? KEY_NONE : key;
}

/* ---- keys */

static void on_step(struct player *p, int64_t by)
{
	uint64_t n = player_number(p);

	if (by == 1)
		player_step(p);
	else if (by < 0 && !n)
		player_say(p, "(the beginning)");
	else
		player_to(p, by < 0 && (uint64_t)-by > n ? 0 : n + (uint64_t)by);
}

static void on_speed(struct player *p, bool faster)
{
	p->speed = p->speed > 0 ? p->speed * (faster ? 2 : 0.5) : 1;
}

static void on_seek(struct player *p, struct keys *k, int key)
{
	switch (key) {
	case 'g':
		go_to(p, k);
		break;
	case '/':
		player_search(p, k);
		break;
	case 'n':
	case 'N':
		search_on(p, key == 'n');
		break;
	case 't':
	case 'T':
		next_of(p, key == 't', true);
		break;
	case 'c':
	case 'C':
		next_of(p, key == 'c', false);
		break;
	case 'f':
		stop_filter(p, k);
		break;
	case 'F':
		if (p->stop)
			player_find(p, true, stops_here, NULL);
		else
			player_say(p, "'f' sets a filter first");
		break;
	case '?':
	case 'h':
		player_help(p, k);
		break;
	default:
		if (key > ' ' && key < 127)
			player_say(p, "'%c' is no key here: ? lists them", key);
		else
			player_say(p, "no such key: ? lists them");
	}
}

/* False: leave. */
static bool on_key(struct player *p, struct keys *k, int key)
{
	switch (key) {
	case ' ':
		key = play(p, k);
		return key == KEY_NONE || on_key(p, k, key);
	case 's':
	case '\n':
	case KEY_RIGHT:
	case KEY_DOWN:
		on_step(p, 1);
		break;
	case 'b':
	case KEY_LEFT:
	case KEY_UP:
		on_step(p, -1);
		break;
	case KEY_PAGE_DOWN:
		on_step(p, p->room);
		break;
	case KEY_PAGE_UP:
		on_step(p, -(int64_t)p->room);
		break;
	case '<':
	case KEY_HOME:
		player_to(p, 0);
		break;
	case '>':
	case KEY_LAST:
		player_to_time(p, UINT64_MAX);
		break;
	case '+':
	case '-':
		on_speed(p, key == '+');
		break;
	case 'm':
		set_mark(p);
		break;
	case '\'':
		to_mark(p);
		break;
	case 'p':
		print_argument(p, k);
		break;
	case 'q':
	case KEY_END:
		return false;
	default:
		on_seek(p, k, key);
	}
	return true;
}

/* The next key; a terminal that changed its size is drawn meanwhile. */
static int key_wait(struct player *p, struct keys *k)
{
	int key;

	while ((key = keys_read(k, RESIZE_MS)) == KEY_NONE)
		if (screen_resized(&p->screen)) {
			uint64_t n = player_number(p);

			/* there may be room for more rows than are kept */
			player_draw(p);
			player_to(p, n);
			player_draw(p);
		}
	return key;
}

bool player_steer(struct player *p, struct keys *k, struct err *err)
{
	bool go_on = true;

	if (!screen_open(&p->screen, p->c->s->out))
		return err_set(err, ERR_UNSUPPORTED,
			       "the terminal is too small, or dumb: --speed max prints all events");
	if (!timeline_end(p->c->t, &p->choice->sel, &p->last, err))
		p->last = 0;
	err->code = ERR_OK;
	if (player_step(p))
		p->first = p->ev.ts;
	else if (!p->at_event && !replay_number(p->replay))
		player_say(p, "no event passes: nothing to play");
	while (go_on) {
		player_draw(p);
		buf_reset(&p->said);
		go_on = on_key(p, k, key_wait(p, k));
	}
	screen_close(&p->screen);
	return true;
}
