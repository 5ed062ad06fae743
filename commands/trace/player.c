/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The player of `trace replay`. */
#include "commands/trace/player.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/pattern.h"
#include "core/shell/session.h"
#include "core/shell/stage.h"
#include "core/trace/row.h"

#define PAUSE_MAX 1000 /* ms between two events, however far apart they were */
#define LANES_MAX 64u  /* shown at once */

/* ---- showing */

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

static void player_tell(struct player *p, const struct err *err)
{
	say(p->c, "%s", err->code ? err->msg : "(the end)");
}

/* ---- going */

static bool player_step(struct player *p, struct err *err)
{
	p->at_event = replay_next(p->replay, &p->ev, err);
	return p->at_event;
}

/* The number of the event that is shown; there is one. */
static uint64_t shown(const struct player *p)
{
	return replay_number(p->replay) - 1;
}

bool player_run(struct player *p, struct err *err)
{
	bool any = false;

	while (player_step(p, err)) {
		show_event(p, p->lanes);
		any = true;
		if (!interrupt_check(err))
			return false;
	}
	if (err->code)
		return false;
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

static void go(struct player *p, bool found, const struct err *err)
{
	p->at_event = found;
	if (found)
		show_event(p, true);
	else
		player_tell(p, err);
}

/* "12.5", "-50ms", "panic", "#100", "+20", "-20" (events, without a unit behind a number sign). */
static void go_to(struct player *p, struct keys *k)
{
	struct buf b = { 0 };
	struct err err = { 0 };
	uint64_t n, ts;

	if (!keys_line(k, "go to (time, -50ms, panic, #event, +events): ", &b)) {
		buf_release(&b);
		return;
	}
	if ((*b.s == '#' || *b.s == '+') && parse_number(b.s + 1, false, &n)) {
		n += *b.s == '+' && replay_number(p->replay) ? shown(p) : 0;
		go(p, replay_to(p->replay, n, &p->ev, &err), &err);
	} else if (trace_time(p->c, b.s, &p->choice->sel, &ts, &err)) {
		go(p, replay_to_time(p->replay, ts, &p->ev, &err), &err);
	} else {
		say(p->c, "%s", err.msg);
	}
	buf_release(&b);
}

static void search_on(struct player *p)
{
	struct buf b = { 0 };
	struct err err = { 0 };
	regex_t re;
	bool found = false;

	if (!*p->search || !pattern_compile(p->search, 0, &re, &err)) {
		say(p->c, "%s", *p->search ? err.msg : "'/' searches first");
		return;
	}
	while (!found && player_step(p, &err)) {
		buf_reset(&b);
		trace_row(p->choice->printer, &b, &p->ev);
		found = !regexec(&re, buf_text(&b), 0, NULL, 0);
		if (!interrupt_check(&err))
			break;
	}
	regfree(&re);
	buf_release(&b);
	go(p, found, &err);
}

static void player_search(struct player *p, struct keys *k)
{
	struct buf b = { 0 };

	if (keys_line(k, "/", &b))
		snprintf(p->search, sizeof(p->search), "%s", b.s);
	buf_release(&b);
	search_on(p);
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

static void print_argument(struct player *p, struct keys *k)
{
	struct buf b = { 0 };
	struct err err = { 0 };

	if (!p->at_event) {
		say(p->c, "no event is shown yet");
	} else if (keys_line(k, "p (field [type]): ", &b)) {
		char *type = strchr(b.s, ' ');

		if (type)
			*type++ = '\0';
		if (!print_pointer(p, b.s, type, &err))
			say(p->c, "%s", err.msg);
	}
	buf_release(&b);
	arena_reset(&p->words);
}

/* ---- keys */

static void help(struct player *p)
{
	say(p->c, "  space  play, pause          s, right  one event on       b, left  one back\n"
		  "  g      go to a time         /  search  n  again          < >      the ends\n"
		  "  + -    faster, slower       p  what an argument points to\n"
		  "  l      the CPUs             q  leave");
}

/* How long to wait before the next event, in ms. */
static int pause_before(const struct player *p, uint64_t before, uint64_t ts)
{
	double ms = p->speed > 0 && ts > before ? (double)(ts - before) / 1e6 / p->speed : 0;

	return ms > PAUSE_MAX ? PAUSE_MAX : (int)ms;
}

/* Until a key is pressed or the end; returns the key. */
static int play(struct player *p, struct keys *k)
{
	struct err err = { 0 };
	int key = KEY_NONE;

	while (key == KEY_NONE) {
		uint64_t before = p->at_event ? p->ev.ts : 0;

		if (!player_step(p, &err)) {
			player_tell(p, &err);
			return KEY_NONE;
		}
		key = keys_read(k, before ? pause_before(p, before, p->ev.ts) : 0);
		show_event(p, false);
	}
	show_lanes(p);
	arena_reset(&p->words);
	return key == ' ' ? KEY_NONE : key;
}

static void step_key(struct player *p)
{
	struct err err = { 0 };

	go(p, player_step(p, &err), &err);
}

static void back_key(struct player *p)
{
	uint64_t n = replay_number(p->replay);
	struct err err = { 0 };

	if (n < 2)
		say(p->c, "(the beginning)");
	else /* behind the end, the last one is shown again */
		go(p, replay_to(p->replay, p->at_event ? n - 2 : n - 1, &p->ev, &err), &err);
}

static void end_key(struct player *p)
{
	struct trace_event last;
	struct err err = { 0 };
	uint64_t n;

	while (replay_next(p->replay, &last, &err) && interrupt_check(&err))
		;
	n = replay_number(p->replay);
	go(p, n && !err.code && replay_to(p->replay, n - 1, &p->ev, &err), &err);
}

/* False: leave. */
static bool on_key(struct player *p, struct keys *k, int key)
{
	struct err err = { 0 };

	switch (key) {
	case ' ':
		key = play(p, k);
		return key == KEY_NONE || on_key(p, k, key);
	case 's':
	case '\n':
	case KEY_RIGHT:
	case KEY_DOWN:
		step_key(p);
		break;
	case 'b':
	case KEY_LEFT:
	case KEY_UP:
		back_key(p);
		break;
	case 'g':
		go_to(p, k);
		break;
	case '/':
		player_search(p, k);
		break;
	case 'n':
		search_on(p);
		break;
	case '<':
		go(p, replay_to(p->replay, 0, &p->ev, &err), &err);
		break;
	case '>':
		end_key(p);
		break;
	case '+':
	case '-':
		p->speed = p->speed > 0 ? p->speed * (key == '+' ? 2 : 0.5) : 1;
		say(p->c, "speed %g", p->speed);
		break;
	case 'p':
		print_argument(p, k);
		break;
	case 'l':
		show_lanes(p);
		break;
	case 'q':
	case KEY_END:
		return false;
	default:
		help(p);
	}
	return true;
}

bool player_steer(struct player *p, struct keys *k, struct err *err)
{
	(void)err;
	help(p);
	while (on_key(p, k, keys_read(k, -1)))
		;
	return true;
}
