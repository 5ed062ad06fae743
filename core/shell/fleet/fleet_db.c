/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of crashes on their way into a database. */
#include "core/shell/fleet/fleet_db.h"

#include <string.h>
#include <time.h>

#define WAITING_MAX ((size_t)4 << 20)
#define WAITING_NS UINT64_C(1000000000)

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

bool fleet_db_open(struct fleet_db *f, const char *path, struct err *err)
{
	f->written_ns = clock_ns();
	return crashdb_open(&f->db, path, CRASHDB_WRITE, CRASHDB_WAIT, err);
}

bool fleet_db_write(struct fleet_db *f, struct err *err)
{
	const char *p = f->waiting.s, *end = p + f->waiting.n;
	enum crashdb_added what;
	bool ok = true;

	if (!f->waiting.n)
		return true;
	if (!crashdb_begin(&f->db, err))
		return false;
	while (ok && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = nl ? (size_t)(nl - p) + 1 : (size_t)(end - p);

		ok = crashdb_add(&f->db, p, n, 0, &what, err);
		p += n;
	}
	ok = crashdb_end(&f->db, ok, err);
	buf_reset(&f->waiting);
	f->written_ns = clock_ns();
	return ok;
}

bool fleet_db_take(struct fleet_db *f, const char *line, size_t n, struct err *err)
{
	buf_add(&f->waiting, line, n);
	if (f->waiting.n < WAITING_MAX && clock_ns() - f->written_ns < WAITING_NS)
		return true;
	return fleet_db_write(f, err);
}

void fleet_db_close(struct fleet_db *f)
{
	crashdb_close(&f->db);
	buf_release(&f->waiting);
}
