/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files mapped into memory, and the handler that puts zeros where a file cannot be read any more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/mapping.h"

/* Beyond so many stretches that failed, the rest of a mapping is given up at once: each costs the
 * process one or two of the system's limited number of mappings. */
#define STRETCHES_MAX 1024u

/* Files up to this may be read ahead as the system likes it. */
#define READ_WHOLE ((size_t)1 << 20)
/* Of one call, the system reads as much as it would read ahead, and throws the rest away. This much
 * it always reads. */
#define FETCH_STEP ((size_t)128 << 10)
#define FETCH_MAX ((size_t)64 << 20)
/* Who reads on for so long will go on: who looks up a struct of some pages does not. */
#define STREAM_MIN ((size_t)64 << 10)
#define STREAM_AHEAD ((size_t)4 << 20)
/* What may lie between two reads of one stream: less than a page, as a rule. */
#define STREAM_GAP ((size_t)4096)

struct mapped_file {
	uint8_t *p; /* NULL: not mapped any more, kept for the file's identity */
	size_t n;
	int fd; /* -1: not to be asked */
	bool writable;
	char *path;
	dev_t dev;
	ino_t ino;
	size_t end; /* offset from which on nothing can be read; n as long as it did not shrink */
	bool shrunk;
	/* bytes that are lost: when it was unmapped, and that somebody took notice of */
	uint64_t dropped, told;
	struct mapped_file *next;
};

/* Single pages and runs of them that could not be read. */
struct stretch {
	const uint8_t *from, *to;
};

/* A signal handler is handed nothing but an address, so what it needs outlives calls. It runs only
 * while a mapping's bytes are read, never amid a change to this. */
static struct {
	struct mapped_file *first;
	struct stretch lost[STRETCHES_MAX];
	size_t n_lost;
	size_t page;
	struct sigaction before;
	bool handled;
	bool sealed; /* no file is written any more: asked of who opens one */
} guarded;

volatile sig_atomic_t mapping_failures;

static size_t page_up(size_t n)
{
	return (n + guarded.page - 1) & ~(guarded.page - 1);
}

/* ---- in the handler: only what is safe there */

static struct mapped_file *mapping_at(const uint8_t *at)
{
	struct mapped_file *m = guarded.first;

	while (m && !(m->p && at >= m->p && at < m->p + page_up(m->n)))
		m = m->next;
	return m;
}

static bool put_zeros(const struct mapped_file *m, uint8_t *from, uint8_t *to)
{
	int prot = m->writable ? PROT_READ | PROT_WRITE : PROT_READ;

	return mmap(from, (size_t)(to - from), prot,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

static void end_at(struct mapped_file *m, size_t end)
{
	m->end = end < m->end ? end : m->end;
	mapping_failures = 1;
}

static void remember_page(struct mapped_file *m, const uint8_t *page)
{
	for (size_t i = 0; i < guarded.n_lost; i++)
		if (guarded.lost[i].to == page) {
			guarded.lost[i].to += guarded.page;
			mapping_failures = 1;
			return;
		}
	if (guarded.n_lost == STRETCHES_MAX) {
		end_at(m, (size_t)(page - m->p));
		return;
	}
	guarded.lost[guarded.n_lost++] = (struct stretch){ page, page + guarded.page };
	mapping_failures = 1;
}

/* The page of a mapping at `at` cannot be read: zeros from now on, to the mapping's end where the
 * file itself ends before. */
static bool lose(uint8_t *at)
{
	struct mapped_file *m = mapping_at(at);
	struct stat st;
	uint8_t *page, *end;

	if (!m)
		return false;
	page = m->p + ((size_t)(at - m->p) & ~(guarded.page - 1));
	end = m->p + page_up(m->n);
	if (m->fd >= 0 && !fstat(m->fd, &st) && st.st_size >= 0 && (size_t)st.st_size < m->n &&
	    page >= m->p + page_up((size_t)st.st_size)) {
		m->shrunk = true;
		end_at(m, (size_t)st.st_size);
		return put_zeros(m, m->p + page_up((size_t)st.st_size), end);
	}
	remember_page(m, page);
	return put_zeros(m, page, m->end == (size_t)(page - m->p) ? end : page + guarded.page);
}

static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	/* one that somebody sent has no address */
	if (info->si_code <= 0 || !lose(info->si_addr)) {
		sigaction(sig, &guarded.before, NULL);
		if (info->si_code <= 0)
			raise(sig);
	}
	errno = saved;
}

/* ---- mappings */

static bool handler_ready(struct err *err)
{
	struct sigaction sa = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	if (guarded.handled)
		return true;
	guarded.page = (size_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&sa.sa_mask);
	if (sigaction(SIGBUS, &sa, &guarded.before))
		return err_set_errno(err, "no handler of failing reads");
	guarded.handled = true;
	return true;
}

/* The record of a file that is not mapped now, or a new one. */
static struct mapped_file *record_of(const struct stat *st)
{
	struct mapped_file *m = guarded.first;

	while (m && (m->p || m->dropped > m->told || m->dev != st->st_dev || m->ino != st->st_ino))
		m = m->next;
	if (m) {
		free(m->path);
		return m;
	}
	m = xrealloc(NULL, sizeof(*m));
	*m = (struct mapped_file){ .next = guarded.first };
	guarded.first = m;
	return m;
}

bool mapping_make(int fd, bool fd_stays, const struct stat *st, bool writable, const char *path,
		  void **ret, struct err *err)
{
	int prot = writable ? PROT_READ | PROT_WRITE : PROT_READ;
	size_t n = (size_t)st->st_size, path_n = strlen(path) + 1;
	struct mapped_file *m;
	void *p;

	if (!handler_ready(err))
		return false;
	p = mmap(NULL, n, prot, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return err_set_errno(err, "'%s' cannot be mapped", path);
	if (n > READ_WHOLE)
		(void)madvise(p, n, MADV_RANDOM);
	m = record_of(st);
	*m = (struct mapped_file){ .p = p,
				   .n = n,
				   .fd = fd_stays ? fd : -1,
				   .writable = writable,
				   .path = memcpy(xrealloc(NULL, path_n), path, path_n),
				   .dev = st->st_dev,
				   .ino = st->st_ino,
				   .end = n,
				   .next = m->next };
	atomic_signal_fence(memory_order_seq_cst);
	*ret = p;
	return true;
}

/* ---- what will be read */

void mapping_read_on(const void *p, size_t n)
{
	if (n > READ_WHOLE)
		(void)madvise((void *)(uintptr_t)p, n, MADV_NORMAL);
}

void mapping_fetch(const void *p, size_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
	uintptr_t at = (uintptr_t)p & ~page, end = (uintptr_t)p + (n < FETCH_MAX ? n : FETCH_MAX);

	for (; at < end; at += FETCH_STEP)
		(void)madvise((void *)at, end - at < FETCH_STEP ? end - at : FETCH_STEP,
			      MADV_WILLNEED);
}

#define LOAD(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define STORE(field, value) atomic_store_explicit(&(field), value, memory_order_relaxed)

static void run_go_on(struct mapping_run *r, uintptr_t end, uintptr_t limit)
{
	uintptr_t n = end - LOAD(r->start), ahead = LOAD(r->ahead), to;
	size_t more = n < STREAM_AHEAD ? n : STREAM_AHEAD;

	STORE(r->end, end);
	if (more < STREAM_MIN || ahead >= limit || ahead > end + more / 2)
		return;
	ahead = ahead > end ? ahead : end;
	to = more < limit - end ? end + more : limit;
	STORE(r->ahead, to);
	if (to > ahead)
		mapping_fetch((const void *)ahead, to - ahead);
}

/* One that did not go on lately makes room. */
static struct mapping_run *run_oldest(struct mapping_stream *s)
{
	for (unsigned tries = 0;; tries++) {
		unsigned i = atomic_fetch_add_explicit(&s->hand, 1, memory_order_relaxed);
		struct mapping_run *r = &s->runs[i % MAPPING_RUNS];

		if (!LOAD(r->used) || tries == MAPPING_RUNS)
			return r;
		STORE(r->used, false);
	}
}

void mapping_follow(struct mapping_stream *s, struct span all, const void *p, size_t n)
{
	uintptr_t at = (uintptr_t)p;
	struct mapping_run *r;

	for (r = s->runs; r < s->runs + MAPPING_RUNS; r++) {
		uintptr_t end = LOAD(r->end);

		if (at > end + STREAM_GAP || at + STREAM_GAP < end)
			continue;
		STORE(r->used, true);
		if (at + n > end) /* it is not once more the same */
			run_go_on(r, at + n, (uintptr_t)all.p + all.n);
		return;
	}
	r = run_oldest(s);
	STORE(r->start, at);
	STORE(r->end, at + n);
	STORE(r->ahead, 0);
}

/* A shorter file whose last page is read is no SIGBUS: the system fills that page with zeros. */
static void look_for_end(struct mapped_file *m)
{
	struct stat st;

	if (!m->p || (m->fd >= 0 ? fstat(m->fd, &st) : stat(m->path, &st)) || st.st_dev != m->dev ||
	    st.st_ino != m->ino)
		return;
	if (st.st_size >= 0 && (size_t)st.st_size < m->end) {
		m->shrunk = true;
		end_at(m, (size_t)st.st_size);
	}
}

static uint64_t bytes_lost(const struct mapped_file *m)
{
	uint64_t sum = m->n - m->end;

	for (size_t i = 0; i < guarded.n_lost; i++) {
		const struct stretch *s = &guarded.lost[i];
		const uint8_t *end = m->p + m->end;

		if (s->from >= m->p && s->from < end)
			sum += (uint64_t)((s->to < end ? s->to : end) - s->from);
	}
	return sum;
}

static void remove_record(struct mapped_file *m)
{
	struct mapped_file **at = &guarded.first;

	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	free(m->path);
	free(m);
}

void mapping_give_back(const void *p, size_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
	uintptr_t from = ((uintptr_t)p + page) & ~page, to = ((uintptr_t)p + n) & ~page;
	const struct mapped_file *m = mapping_at(p);

	/* other memory would be lost */
	if (m && to > from && to <= (uintptr_t)m->p + m->n)
		(void)madvise((void *)from, to - from, MADV_DONTNEED);
}

void mapping_drop(const void *p, size_t n)
{
	struct mapped_file *m = mapping_at(p);
	struct stat st;

	if (!m) {
		munmap((void *)p, n);
		return;
	}
	look_for_end(m);
	m->dropped = bytes_lost(m);
	munmap((void *)p, n);
	for (size_t i = 0; i < guarded.n_lost;)
		if (guarded.lost[i].from >= m->p && guarded.lost[i].from < m->p + m->n)
			guarded.lost[i] = guarded.lost[--guarded.n_lost];
		else
			i++;
	m->p = NULL;
	/* one without a name cannot be met again */
	if (m->fd >= 0 && !fstat(m->fd, &st) && !st.st_nlink && m->dropped <= m->told)
		remove_record(m);
	atomic_signal_fence(memory_order_seq_cst);
}

/* ---- what was lost */

bool mapping_find_lost(const void *p, size_t n)
{
	const uint8_t *at = p;
	const struct mapped_file *m = mapping_at(at);

	if (!m || !n)
		return false;
	if (at + n > m->p + m->end)
		return true;
	for (size_t i = 0; i < guarded.n_lost; i++)
		if (at < guarded.lost[i].to && at + n > guarded.lost[i].from)
			return true;
	return false;
}

bool mapping_next_loss(struct mapping_loss *ret)
{
	for (struct mapped_file *m = guarded.first; m; m = m->next) {
		uint64_t bytes;

		look_for_end(m);
		bytes = m->p ? bytes_lost(m) : m->dropped;
		if (bytes <= m->told)
			continue;
		m->told = bytes;
		*ret = (struct mapping_loss){ m->path, bytes, m->n, m->shrunk };
		return true;
	}
	return false;
}

bool mapping_nth_loss(size_t i, const void **from, const void **to)
{
	if (i >= guarded.n_lost)
		return false;
	*from = guarded.lost[i].from;
	*to = guarded.lost[i].to;
	return true;
}

void mapping_look(const void *from, const void *to)
{
	const struct mapped_file *m = mapping_at(from);
	const uint8_t *at = from, *end = to;

	if (!m || end > m->p + page_up(m->n))
		return;
	for (; at < end; at += guarded.page)
		(void)*(const volatile uint8_t *)at;
}

/* ---- which files they are of */

bool mapping_is_of(const struct stat *st)
{
	for (const struct mapped_file *m = guarded.first; m; m = m->next)
		if (m->dev == st->st_dev && m->ino == st->st_ino)
			return true;
	return false;
}

void mapping_forbid_writing(void)
{
	guarded.sealed = true;
}

bool mapping_may_write(void)
{
	return !guarded.sealed;
}

void mapping_forget(const struct stat *st)
{
	for (struct mapped_file *m = guarded.first; m; m = m->next)
		if (!m->p && m->dev == st->st_dev && m->ino == st->st_ino) {
			remove_record(m);
			return;
		}
}
