/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversation with one gdb: the GDB manual, E.2 Packets and E.4 General Query Packets. */
#include "core/shell/gdb/gdb_stub.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/base/number.h"
#include "core/base/outfile.h"
#include "core/shell/gdb/gdb_packet.h"
#include "core/shell/output.h"
#include "core/shell/session_run.h"

#define CHUNK 4096u
#define MEMORY_MAX (GDB_PACKET_MAX / 2) /* bytes of memory in an answer */
#define TEXT_MAX 1024u                  /* bytes of a command's output in a packet */
#define REFUSED "E01"
#define UNREADABLE "E0e"

struct stub {
	struct session *s;
	struct gdb_threads *threads;
	int fd;
	size_t thread;      /* whose registers and memory are asked for */
	struct buf in, out; /* out: the last answer, as it was sent */
	size_t taken;       /* bytes of in */
	struct buf said;    /* the answer that is being made */
	struct buf description;
	struct buf text; /* of a command, not sent yet */
	size_t printed;  /* by the command */
	size_t listed;   /* threads that gdb was told of */
	bool unchecked;  /* neither side acknowledges packets any more */
	bool silent;     /* this packet has no answer */
	bool over;
};

static void send_packet(struct stub *g, const char *s, size_t n)
{
	buf_reset(&g->out);
	gdb_packet_add(&g->out, s, n);
	g->over |= !fd_write(g->fd, g->out.s, g->out.n);
}

/* ---- threads */

/* Reads the number of a thread. False: there is none such. */
static bool read_thread(const struct stub *g, const char *s, size_t *ret)
{
	uint64_t n;

	if (!number_parse(s, 16, &n) || !n || n > g->threads->v.n)
		return false;
	*ret = (size_t)n - 1;
	return true;
}

/* Hg0 and Hg-1 are for any thread. */
static void answer_select(struct stub *g, const char *rest)
{
	bool any = !strcmp(rest + !!*rest, "0") || !strcmp(rest + !!*rest, "-1");
	bool ok = any || (*rest && read_thread(g, rest + 1, &g->thread));

	buf_str(&g->said, ok ? "OK" : REFUSED);
}

static void answer_alive(struct stub *g, const char *rest)
{
	size_t thread;

	buf_str(&g->said, read_thread(g, rest, &thread) ? "OK" : REFUSED);
}

static void answer_stopped(struct stub *g, const char *rest)
{
	(void)rest;
	g->thread = g->threads->first;
	buf_printf(&g->said, "T05thread:%zx;", g->thread + 1);
}

static void answer_current(struct stub *g, const char *rest)
{
	(void)rest;
	buf_printf(&g->said, "QC%zx", g->thread + 1);
}

/* As many as a packet has room for; gdb asks for the rest. */
static void answer_list_on(struct stub *g, const char *rest)
{
	(void)rest;
	if (g->listed >= g->threads->v.n) {
		buf_char(&g->said, 'l');
		return;
	}
	for (char c = 'm'; g->listed < g->threads->v.n && g->said.n + 20 < GDB_PACKET_MAX; c = ',')
		buf_printf(&g->said, "%c%zx", c, ++g->listed);
}

static void answer_list(struct stub *g, const char *rest)
{
	g->listed = 0;
	answer_list_on(g, rest);
}

static void answer_name(struct stub *g, const char *rest)
{
	struct buf name = { .max = 256 };
	size_t thread;

	if (!read_thread(g, rest, &thread)) {
		buf_str(&g->said, REFUSED);
		return;
	}
	gdb_thread_name_add(&name, g->threads, thread);
	gdb_hex_add(&g->said, buf_text(&name), name.n);
	buf_release(&name);
}

/* ---- registers and memory */

static void answer_registers(struct stub *g, const char *rest)
{
	(void)rest;
	gdb_registers_add(&g->said, g->threads, g->thread);
}

static void answer_register(struct stub *g, const char *rest)
{
	uint64_t n;

	if (!number_parse(rest, 16, &n) || !gdb_register_add(&g->said, g->threads, g->thread, n))
		buf_str(&g->said, REFUSED);
}

static void answer_memory(struct stub *g, const char *rest)
{
	uint64_t va, n;
	uint8_t *bytes;
	size_t got;

	if (!gdb_two_numbers(rest, &va, &n)) {
		buf_str(&g->said, REFUSED);
		return;
	}
	if (n > MEMORY_MAX)
		n = MEMORY_MAX;
	bytes = arena_alloc(g->s->t->scratch, (size_t)n + 1);
	got = gdb_memory_read(g->threads, g->thread, va, bytes, (size_t)n);
	gdb_hex_add(&g->said, bytes, got);
	if (!got && n)
		buf_str(&g->said, UNREADABLE);
}

static void answer_description(struct stub *g, const char *rest)
{
	uint64_t at, n;

	if (!gdb_two_numbers(rest, &at, &n) || at > g->description.n) {
		buf_str(&g->said, REFUSED);
		return;
	}
	if (n > GDB_PACKET_MAX - 1)
		n = GDB_PACKET_MAX - 1;
	if (n > g->description.n - at)
		n = g->description.n - at;
	buf_char(&g->said, at + n < g->description.n ? 'm' : 'l');
	buf_add(&g->said, g->description.s + at, (size_t)n);
}

/* Where the kernel ran, for the gdb that has its vmlinux. Told where its first segment was, gdb
 * moves all of them; but where per-CPU variables are numbered from 0, their segment must stay, so
 * that gdb moves .text, .data and .bss alone. */
static void answer_offsets(struct stub *g, const char *rest)
{
	struct target *t = g->s->t;
	uint64_t text;

	(void)rest;
	if (!t->kaslr_known || !t->kaslr)
		return;
	/* RISC-V's image has a header in front of _text */
	if (!gdb_percpu_stays(t) &&
	    (symbol_addr(t, "_start", &text) || symbol_addr(t, "_text", &text)))
		buf_printf(&g->said, "TextSeg=%llx", (unsigned long long)text);
	else
		buf_printf(&g->said, "Text=%llx;Data=%llx;Bss=%llx", (unsigned long long)t->kaslr,
			   (unsigned long long)t->kaslr, (unsigned long long)t->kaslr);
}

/* ---- commands of obit's */

static void send_text(struct stub *g)
{
	struct buf hex = { 0 };

	for (size_t at = 0, n; at < g->text.n && !g->over; at += n) {
		n = g->text.n - at < TEXT_MAX ? g->text.n - at : TEXT_MAX;
		buf_reset(&hex);
		buf_char(&hex, 'O');
		gdb_hex_add(&hex, g->text.s + at, n);
		send_packet(g, hex.s, hex.n);
	}
	buf_reset(&g->text);
	buf_release(&hex);
}

/* struct sink.write for a command of gdb's: a command whose output nobody takes stops. */
static bool print(void *self, const char *s, size_t n)
{
	struct stub *g = self;
	size_t room = GDB_MONITOR_MAX - g->printed;

	buf_add(&g->text, s, n < room ? n : room);
	g->printed += n < room ? n : room;
	if (g->text.n >= TEXT_MAX)
		send_text(g);
	if (!g->over && n <= room)
		return true;
	interrupted = 1;
	return false;
}

/* What goes to stderr at a prompt. */
static void diagnose(void *self, const char *s, size_t n)
{
	struct stub *g = self;

	buf_plain_lines(&g->text, s, n);
	buf_char(&g->text, '\n');
}

/* The socket of the gdb that waits for a command; -1: none does. */
static volatile sig_atomic_t waiting = -1;

/* gdb says nothing while it waits, unless it is Ctrl-C, or it has given up and asks for something
 * else. */
static bool gives_up(const char *s, size_t n)
{
	return memchr(s, '\3', n) || memchr(s, '$', n);
}

/* For SIGIO: stops the command when gdb has gone, or does not wait any more. */
static void on_input(int sig)
{
	int was = errno;
	char s[64];
	ssize_t n;

	(void)sig;
	if (waiting < 0)
		return;
	n = recv(waiting, s, sizeof(s), MSG_PEEK | MSG_DONTWAIT);
	if (n > 0 ? gives_up(s, (size_t)n) : !n || (errno != EAGAIN && errno != EINTR))
		interrupted = 1;
	errno = was;
}

static void hear_input(int fd)
{
	struct sigaction sa = { .sa_handler = on_input, .sa_flags = SA_RESTART };

	sigemptyset(&sa.sa_mask);
	(void)sigaction(SIGIO, &sa, NULL);
	(void)fcntl(fd, F_SETOWN, getpid());
	(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
}

/* What has come already is not told of by SIGIO; and session_run() would forget what comes before
 * it begins, but for its depth. */
static void run_command(struct stub *g, const char *line)
{
	interrupted = gives_up(g->in.s + g->taken, g->in.n - g->taken);
	waiting = g->fd;
	on_input(SIGIO);
	g->s->depth++;
	(void)session_run(g->s, line);
	g->s->depth--;
	waiting = -1;
}

/* Has gdb sent another packet, which it does only when it waits for no answer any more? */
static bool has_given_up(struct stub *g)
{
	char s[64];
	ssize_t n = recv(g->fd, s, sizeof(s), MSG_PEEK | MSG_DONTWAIT);

	return memchr(g->in.s + g->taken, '$', g->in.n - g->taken) ||
	       (n > 0 && memchr(s, '$', (size_t)n));
}

static void answer_command(struct stub *g, const char *rest)
{
	struct session *s = g->s;
	struct buf line = { 0 };

	if (!gdb_hex_read(&line, rest, strlen(rest))) {
		buf_str(&g->said, REFUSED);
		buf_release(&line);
		return;
	}
	g->printed = 0;
	run_command(g, buf_text(&line));
	/* its next packet would take the end of this answer for its own, and so on for ever */
	g->silent = has_given_up(g);
	if (g->silent)
		buf_reset(&g->text);
	else if (g->printed >= GDB_MONITOR_MAX)
		buf_printf(&g->text, "\n[cut after %zu kB: '| first 100' shows less]\n",
			   GDB_MONITOR_MAX >> 10);
	else if (interrupted)
		buf_str(&g->text, "\n[stopped]\n");
	s->quit = false;
	interrupted = 0;
	send_text(g);
	buf_str(&g->said, "OK");
	buf_release(&line);
}

/* ---- the rest */

/* QStartNoAckMode is not offered, though whoever asks for it gets it: after a Ctrl-C gdb leaves the
 * end of an answer unread, and only where packets are acknowledged does it pass over that. */
static void answer_supported(struct stub *g, const char *rest)
{
	(void)rest;
	buf_printf(&g->said, "PacketSize=%zx;qXfer:features:read+", GDB_PACKET_MAX);
}

static void answer_unchecked(struct stub *g, const char *rest)
{
	(void)rest;
	buf_str(&g->said, "OK");
	g->unchecked = true;
}

/* It was there before gdb came, which so leaves it when it quits. */
static void answer_attached(struct stub *g, const char *rest)
{
	(void)rest;
	buf_char(&g->said, '1');
}

/* The machine is dead: nothing is written, nothing runs. */
static void refuse(struct stub *g, const char *rest)
{
	(void)rest;
	buf_str(&g->said, REFUSED);
}

static void answer_leave(struct stub *g, const char *rest)
{
	(void)rest;
	buf_str(&g->said, "OK");
	g->over = true;
}

static void answer_kill(struct stub *g, const char *rest)
{
	(void)rest;
	g->silent = true;
	g->over = true;
}

/* What packets begin with; of others it is said that nobody knows them, by an empty answer. */
static const struct {
	const char *begin;
	void (*answer)(struct stub *g, const char *rest);
	bool alone; /* nothing follows it, or something behind ':' or ';' */
} answers[] = {
	{ "qSupported", answer_supported, true },
	{ "QStartNoAckMode", answer_unchecked, true },
	{ "qXfer:features:read:target.xml:", answer_description },
	{ "qAttached", answer_attached, true },
	{ "qOffsets", answer_offsets, true },
	{ "qC", answer_current, true },
	{ "qfThreadInfo", answer_list, true },
	{ "qsThreadInfo", answer_list_on, true },
	{ "qThreadExtraInfo,", answer_name },
	{ "qRcmd,", answer_command },
	{ "vKill", answer_leave, true },
	{ "vCont?", NULL },
	{ "vCont", refuse },
	{ "vRun", refuse },
	{ "vAttach", refuse },
	{ "?", answer_stopped, true },
	{ "D", answer_leave, true },
	{ "k", answer_kill, true },
	{ "H", answer_select },
	{ "T", answer_alive },
	{ "g", answer_registers, true },
	{ "p", answer_register },
	{ "m", answer_memory },
	{ "M", refuse },
	{ "X", refuse },
	{ "G", refuse },
	{ "P", refuse },
	{ "s", refuse },
	{ "S", refuse },
	{ "c", refuse },
	{ "C", refuse },
	{ "z", refuse },
	{ "Z", refuse },
	{ "b", refuse },
	{ "R", refuse },
};

static void answer(struct stub *g, const char *packet)
{
	buf_reset(&g->said);
	g->silent = false;
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		size_t n = strlen(answers[i].begin);

		if (strncmp(packet, answers[i].begin, n) != 0 ||
		    (answers[i].alone && packet[n] && !strchr(":;", packet[n])))
			continue;
		if (answers[i].answer)
			answers[i].answer(g, packet + n);
		break;
	}
	arena_reset(g->s->t->scratch);
	if (!g->silent)
		send_packet(g, buf_text(&g->said), g->said.n);
}

static void take(struct stub *g, enum gdb_event event, const char *packet)
{
	switch (event) {
	case GDB_PACKET:
		if (!g->unchecked)
			g->over |= !fd_write(g->fd, "+", 1);
		if (!g->over)
			answer(g, packet);
		break;
	case GDB_RESEND:
		if (!g->unchecked && g->out.n)
			g->over |= !fd_write(g->fd, g->out.s, g->out.n);
		break;
	case GDB_DAMAGED:
		g->over |= g->unchecked || !fd_write(g->fd, "-", 1);
		break;
	case GDB_STRANGE:
		g->over = true;
		break;
	case GDB_MORE:
	case GDB_ACK:
	case GDB_INTERRUPT: /* it has stopped already */
		break;
	}
}

static void take_all(struct stub *g)
{
	enum gdb_event event;
	const char *packet;
	size_t taken, len;

	g->taken = 0;
	do {
		event = gdb_packet_next(g->in.s + g->taken, g->in.n - g->taken, &taken, &packet,
					&len);
		g->taken += taken;
		take(g, event, packet);
	} while (event != GDB_MORE && !g->over);
	memmove(g->in.s, g->in.s + g->taken, g->in.n - g->taken);
	buf_shrink(&g->in, g->in.n - g->taken);
}

void gdb_stub_serve(struct session *s, struct gdb_threads *threads, int fd)
{
	struct stub g = { .s = s, .threads = threads, .fd = fd, .thread = threads->first };
	char chunk[CHUNK];
	ssize_t n;

	mapping_forbid_writing();
	s->confined = s->stdin_busy = true;
	s->sink.self = &g;
	s->sink.write = print;
	s->sink.head = NULL;
	s->out->tell = diagnose;
	s->out->tell_arg = &g;
	hear_input(fd);
	gdb_description_add(&g.description, s->t);
	while (!g.over && !interrupted && (n = read(fd, chunk, sizeof(chunk))) > 0) {
		buf_add(&g.in, chunk, (size_t)n);
		take_all(&g);
	}
	s->sink.self = s->out;
	s->sink.write = output_write;
	s->sink.head = output_head;
	s->out->tell = NULL;
	buf_release(&g.in);
	buf_release(&g.out);
	buf_release(&g.said);
	buf_release(&g.text);
	buf_release(&g.description);
}
