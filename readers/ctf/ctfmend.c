/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cut CTF streams, mended: the file's last packet is made as long as it says, and the events in it
 * are made as few as there are. */
#include "readers/ctf/ctfmend.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/bytes.h"
#include "core/base/outfile.h"
#include "readers/ctf/ctfgraph.h"

/*
 * A packet begins with a number, 0xc1fc1fc1, and in its context are two numbers of 64 bits side by
 * side, in either order: how many bits of it are content, and how many it has in all (CTF 1.8, 5).
 * Where they stand the metadata says, which the library alone reads; so each place is tried where
 * two numbers fit, until it takes what was made by them.
 */
#define STREAM_MAGIC 0xc1fc1fc1u
#define HEAD_SIZE 256u /* bytes of a packet's head that are looked at */
#define PACKET_MAX ((uint64_t)1 << 36)
#define STREAMS_MAX 4096u
#define EVENT_HEAD 40u   /* bytes of an event's head, and of what may stand in front of it */
#define TRIES_SECONDS 10 /* of the processor, for all streams */

struct ctf_mend {
	const struct babeltrace *bt;
	char from[CTF_MEND_PATH], trial[CTF_MEND_PATH], trace[CTF_MEND_PATH];
	void (*lost)(void *arg, const char *text);
	void *arg;
	uint64_t events; /* that the last reading gave */
};

/* A stream's file, and what is tried with it. */
struct cut_stream {
	const char *name;
	int fd;
	uint64_t size;
	bool big;
	uint32_t place; /* of the two numbers, in a packet's head */
	uint64_t tail;  /* where the packet begins that is cut */
	uint64_t packets, first_size;
	uint64_t tail_size, content; /* what that one says, in bytes and bits; 0: its head is cut */
	bool content_first, damaged; /* damaged: no packet begins at `tail` */
};

static bool join(char *ret, const char *folder, const char *name)
{
	int n = snprintf(ret, CTF_MEND_PATH, "%s/%s", folder, name);

	return n > 0 && (unsigned)n < CTF_MEND_PATH;
}

static bool link_to(const char *folder, const char *name, const char *target)
{
	char path[CTF_MEND_PATH];

	return join(path, folder, name) && !symlink(target, path);
}

static void forget_error(const struct ctf_mend *m)
{
	const bt_error *e = m->bt->error_take();

	if (e)
		m->bt->error_release(e);
}

static bt_graph_simple_sink_component_consume_func_status pass(bt_message_iterator *it, void *data)
{
	struct ctf_mend *m = data;
	bt_message_array_const v;
	uint64_t n;
	bt_message_iterator_next_status status = m->bt->message_next(it, &v, &n);

	for (uint64_t i = 0; status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK && i < n; i++) {
		m->events += m->bt->message_type(v[i]) == BT_MESSAGE_TYPE_EVENT;
		m->bt->message_put(v[i]);
	}
	return (bt_graph_simple_sink_component_consume_func_status)status;
}

/* Does the library take the stream that lies in the trial's folder, and can it read all of it? */
static bool trial_opens(struct ctf_mend *m)
{
	bool ok = ctf_run(m->bt, m->trial, NULL, NULL) == CTF_RUN_WHOLE;

	forget_error(m);
	return ok;
}

static bool trial_reads(struct ctf_mend *m)
{
	bool ok;

	m->events = 0;
	ok = ctf_run(m->bt, m->trial, pass, m) == CTF_RUN_WHOLE;

	forget_error(m);
	return ok;
}

/* ---- a stream's packets */

static uint64_t head_load(const struct cut_stream *s, const uint8_t *p)
{
	return s->big ? load_be64(p) : load_le64(p);
}

/* Sets what the packet at an offset says of its size. False: none is there, or it is impossible. */
static bool packet_at(struct cut_stream *s, uint64_t at)
{
	uint8_t head[HEAD_SIZE] = { 0 };
	ssize_t n = pread(s->fd, head, sizeof(head), (off_t)at);
	uint64_t a, b;

	s->tail = at;
	s->tail_size = s->content = 0;
	if (n < 0 || (n >= 4 && (s->big ? load_be(head, 4) : load_le(head, 4)) != STREAM_MAGIC))
		return false;
	if ((size_t)n < s->place + 16)
		return true; /* the file ends in the head */
	a = head_load(s, head + s->place);
	b = head_load(s, head + s->place + 8);
	s->content_first = a <= b;
	s->content = a <= b ? a : b;
	s->tail_size = (a <= b ? b : a) / 8;
	return !((a | b) % 8) && s->content >= 8 * (s->place + 16) && s->tail_size <= PACKET_MAX;
}

/* Goes from packet to packet up to the one that is cut. False: there is none in front of it, and
 * this is not the head of one. */
static bool find_tail(struct cut_stream *s)
{
	uint64_t at = 0;

	s->damaged = false;
	for (s->packets = 0; packet_at(s, at); s->packets++) {
		if (!s->tail_size || s->tail_size > s->size - at)
			return true;
		s->first_size = at ? s->first_size : s->tail_size;
		at += s->tail_size;
	}
	s->damaged = true;
	s->tail_size = s->content = 0;
	return s->packets > 0;
}

/* Copies bytes of the stream to the end of a file. */
static bool copy_out(const struct cut_stream *s, int fd, uint64_t from, uint64_t until)
{
	uint8_t piece[4096];

	while (from < until) {
		size_t want = until - from < sizeof(piece) ? (size_t)(until - from) : sizeof(piece);
		ssize_t n = pread(s->fd, piece, want, (off_t)from);

		if (n <= 0 || !fd_write(fd, piece, (size_t)n))
			return false;
		from += (uint64_t)n;
	}
	return true;
}

/* Says in a copy of the packet, which begins at an offset, how many bits are its content. */
static bool set_content(const struct cut_stream *s, int fd, uint64_t at, uint64_t bits)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(bits >> 8 * (s->big ? 7 - i : i));
	return pwrite(fd, bytes, 8, (off_t)(at + s->place + (s->content_first ? 0 : 8))) == 8;
}

/* With how many bytes of content less the library reads all of the packet that lies in the trial's
 * folder: events end there. 0: with none of the first few. */
static uint64_t near_content(struct ctf_mend *m, const struct cut_stream *s, int fd, uint64_t n)
{
	for (unsigned i = 0; i < EVENT_HEAD && n > s->place + 16; i++, n--)
		if (set_content(s, fd, 0, n * 8) && trial_reads(m))
			return n;
	return 0;
}

/* Finds how many bits of the packet at the end, which lies alone in the trial's folder, are events
 * that are whole. The library gives an event whose head is in front of the content's end, even one
 * that ends behind it, and fails then. So the last one that it gives begins where the content
 * becomes too short for it to be given. 0: there is no whole one. */
static uint64_t whole_content(struct ctf_mend *m, const struct cut_stream *s, int fd)
{
	uint64_t lo = s->place + 16, hi = s->size - s->tail, all, near; /* bytes */

	if (s->content <= hi * 8)
		return trial_reads(m) ? s->content : 0;
	if (!set_content(s, fd, 0, hi * 8) || !trial_opens(m))
		return 0;
	(void)trial_reads(m);
	all = m->events;
	near = near_content(m, s, fd, hi);
	if (near || !all)
		return near * 8;
	/* with hi bytes it is given, with lo it is not */
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (clock() > (clock_t)TRIES_SECONDS * CLOCKS_PER_SEC ||
		    !set_content(s, fd, 0, mid * 8))
			return 0;
		(void)trial_reads(m);
		*(m->events < all ? &lo : &hi) = mid;
	}
	return near_content(m, s, fd, lo) * 8;
}

static int trial_file(struct ctf_mend *m)
{
	char path[CTF_MEND_PATH];

	if (!join(path, m->trial, "stream"))
		return -1;
	(void)unlink(path);
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/* The same for the packet as it is in the stream's file. */
static uint64_t tail_content(struct ctf_mend *m, struct cut_stream *s)
{
	uint64_t bits = 0;
	int fd = s->tail_size ? trial_file(m) : -1;

	if (fd < 0)
		return 0;
	if (copy_out(s, fd, s->tail, s->size) && !ftruncate(fd, (off_t)s->tail_size)) {
		bits = whole_content(m, s, fd);
		/* of two equal numbers either may be the content */
		if (!bits && s->content_first && s->content == s->tail_size * 8 &&
		    set_content(s, fd, 0, s->content)) {
			s->content_first = false;
			bits = whole_content(m, s, fd);
			s->content_first = !bits;
		}
	}
	(void)close(fd);
	return bits;
}

/* Makes the trial's stream of the file's first bytes, and of the packet behind them, where its
 * content is not 0. False: the library does not take it. */
static bool trial_make(struct ctf_mend *m, const struct cut_stream *s, uint64_t until,
		       uint64_t content)
{
	int fd = trial_file(m);
	bool ok = fd >= 0 && copy_out(s, fd, 0, content ? s->size : until);

	if (ok && content)
		ok = !ftruncate(fd, (off_t)(s->tail + s->tail_size)) &&
		     set_content(s, fd, s->tail, content);
	if (fd >= 0)
		(void)close(fd);
	return ok && trial_opens(m);
}

/* Makes the stream's file in the new trace. False: the place of the two numbers is another one. */
static bool make_stream(struct ctf_mend *m, struct cut_stream *s, uint64_t *content)
{
	char trial[CTF_MEND_PATH], path[CTF_MEND_PATH];

	*content = 0;
	/* the file may be large: the first packet alone shows it */
	if (s->packets && !trial_make(m, s, s->first_size, 0))
		return false;
	*content = tail_content(m, s);
	return (s->packets || *content) && join(trial, m->trial, "stream") &&
	       join(path, m->trace, s->name) && trial_make(m, s, s->tail, *content) &&
	       !rename(trial, path);
}

static void tell_lost(struct ctf_mend *m, const struct cut_stream *s, uint64_t content, bool any)
{
	const char *rest = content && content == s->content ? "all of its events"
			   : content                        ? "its events in front of that"
							    : "nothing of it";
	char text[200];

	if (!any)
		snprintf(text, sizeof(text),
			 "stream '%.60s' of %" PRIu64 " bytes: no packet in it can be read",
			 s->name, s->size);
	else if (s->damaged)
		snprintf(text, sizeof(text),
			 "stream '%.60s' is damaged at byte %" PRIu64 ": %" PRIu64
			 " packets in front of that are read",
			 s->name, s->tail, s->packets);
	else
		snprintf(text, sizeof(text),
			 "stream '%.60s' is cut off at %" PRIu64 " bytes, in packet %" PRIu64
			 ": %s can be read",
			 s->name, s->size, s->packets + 1, rest);
	m->lost(m->arg, text);
}

static void mend_stream(struct ctf_mend *m, struct cut_stream *s)
{
	uint8_t magic[4] = { 0 };
	uint64_t content = 0;
	bool known = pread(s->fd, magic, 4, 0) == 4, any = false;

	s->big = load_be(magic, 4) == STREAM_MAGIC;
	known = known && (s->big || load_le(magic, 4) == STREAM_MAGIC);
	for (s->place = 4; known && !any && s->place + 16 <= HEAD_SIZE; s->place += 4)
		any = find_tail(s) && make_stream(m, s, &content);
	tell_lost(m, s, content, any);
}

/* ---- the trace */

__attribute__((noinline)) static void take_stream(struct ctf_mend *m, const char *name)
{
	char path[CTF_MEND_PATH], trial[CTF_MEND_PATH];
	struct cut_stream s = { .name = name };
	struct stat st;

	if (!join(path, m->from, name) || !join(trial, m->trial, "stream") || stat(path, &st) ||
	    !S_ISREG(st.st_mode))
		return;
	(void)unlink(trial);
	if (link_to(m->trial, "stream", path) && trial_opens(m)) {
		(void)link_to(m->trace, name, path);
		return;
	}
	s.size = (uint64_t)st.st_size;
	s.fd = open(path, O_RDONLY | O_CLOEXEC);
	mend_stream(m, &s);
	if (s.fd >= 0)
		(void)close(s.fd);
}

bool ctf_mend(const struct babeltrace *bt, const char *from, const char *to,
	      void (*lost)(void *arg, const char *text), void *arg, char ret[CTF_MEND_PATH])
{
	struct ctf_mend m = { .bt = bt, .lost = lost, .arg = arg };
	char metadata[CTF_MEND_PATH], *whole = realpath(from, NULL);
	const struct dirent *d;
	unsigned n = 0;
	DIR *dir;
	bool ok;

	ok = whole && strlen(whole) < sizeof(m.from) && join(m.trial, to, "trial") &&
	     join(m.trace, to, "trace");
	if (ok)
		strncpy(m.from, whole, sizeof(m.from) - 1);
	free(whole);
	ok = ok && join(metadata, m.from, "metadata") && !mkdir(m.trial, 0700) &&
	     !mkdir(m.trace, 0700) && link_to(m.trial, "metadata", metadata) &&
	     link_to(m.trace, "metadata", metadata) && trial_opens(&m);
	dir = ok ? opendir(m.from) : NULL;
	if (!dir)
		return false;
	while ((d = readdir(dir)) && n < STREAMS_MAX)
		if (*d->d_name != '.' && strcmp(d->d_name, "metadata") != 0) {
			take_stream(&m, d->d_name);
			n++;
		}
	if (d)
		lost(arg, "it has too many streams: the first 4096 are read");
	(void)closedir(dir);
	memcpy(ret, m.trace, sizeof(m.trace));
	return true;
}

static void remove_files(const char *folder)
{
	char path[CTF_MEND_PATH];
	const struct dirent *d;
	DIR *dir = opendir(folder);

	while (dir && (d = readdir(dir)))
		if (join(path, folder, d->d_name))
			(void)unlink(path); /* "." and ".." are no files */
	if (dir)
		(void)closedir(dir);
	(void)rmdir(folder);
}

void ctf_mend_remove(const char *to)
{
	char path[CTF_MEND_PATH];

	if (join(path, to, "trial"))
		remove_files(path);
	if (join(path, to, "trace"))
		remove_files(path);
	(void)rmdir(to);
}
