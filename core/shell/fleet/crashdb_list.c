/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a database of crashes holds: bugs, what became of them between two releases, and crashes. */
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/shell/fleet/crashdb.h"

const char *bug_change_name(enum bug_change c)
{
	static const char *const names[] = {
		[CHANGE_NEW] = "new", [CHANGE_BOTH] = "both", [CHANGE_GONE] = "gone"
	};

	return names[c];
}

/* The columns of the query, and of the two releases: is the crash of it? */
enum {
	Q_BUG,
	Q_PATH,
	Q_SEEN,
	Q_ADDED,
	Q_BY,
	Q_RELEASE,
	Q_ARCH,
	Q_OUTCOME,
	Q_KIND,
	Q_TITLE,
	Q_FUNCTION,
	Q_PLACE,
	Q_SIGNATURE,
	Q_SENTENCE,
	Q_SURE,
	Q_KNOWN,
	Q_IN_RELEASE,
	Q_IN_AGAINST
};
#define SELECT                                                                                  \
	"SELECT s.bug, c.path, c.seen_ns, c.added_ns, c.seen_by, c.release, c.arch,"            \
	" nullif(s.outcome, ''), nullif(s.kind, ''), c.title, nullif(s.function, ''), c.place," \
	" nullif(s.signature, ''), c.verdict, c.sure, c.known,"                                 \
	" ?1 IS NULL OR coalesce(c.release, '') GLOB ?1,"                                       \
	" ?2 IS NOT NULL AND coalesce(c.release, '') GLOB ?2"                                   \
	" FROM crash c JOIN site s ON s.id = c.site"                                            \
	" WHERE (?1 IS NULL OR coalesce(c.release, '') GLOB ?1"                                 \
	" OR (?2 IS NOT NULL AND coalesce(c.release, '') GLOB ?2)) AND (?3 = 0 OR s.bug = ?3)"

static bool ask_for(struct crashdb *d, const char *sql, const struct crashdb_query *q,
		    sqlite3_stmt **ret, struct err *err)
{
	if (!crashdb_prepare(d, sql, ret, err))
		return false;
	crashdb_bind(d, *ret, 1, q->release);
	crashdb_bind(d, *ret, 2, q->against);
	d->q.bind_int64(*ret, 3, (int64_t)q->bug);
	return true;
}

static void read_crash(struct crashdb *d, sqlite3_stmt *s, struct arena *a, struct kept_crash *ret)
{
	*ret = (struct kept_crash){
		.bug = (uint64_t)d->q.column_int64(s, Q_BUG),
		.path = crashdb_text(d, s, Q_PATH, a),
		.seen_ns = d->q.column_int64(s, Q_SEEN),
		.added_ns = d->q.column_int64(s, Q_ADDED),
		.seen_by = crashdb_text(d, s, Q_BY, a),
		.release = crashdb_text(d, s, Q_RELEASE, a),
		.arch = crashdb_text(d, s, Q_ARCH, a),
		.outcome = crashdb_text(d, s, Q_OUTCOME, a),
		.kind = crashdb_text(d, s, Q_KIND, a),
		.title = crashdb_text(d, s, Q_TITLE, a),
		.function = crashdb_text(d, s, Q_FUNCTION, a),
		.place = crashdb_text(d, s, Q_PLACE, a),
		.signature = crashdb_text(d, s, Q_SIGNATURE, a),
		.sentence = crashdb_text(d, s, Q_SENTENCE, a),
		.sure = crashdb_text(d, s, Q_SURE, a),
		.known = crashdb_text(d, s, Q_KNOWN, a),
	};
}

/* ---- bugs */

/* Adds a text to a list that does not have it. */
static void note_text(const char ***list, size_t *n, size_t *cap, const unsigned char *text,
		      struct arena *a)
{
	for (size_t i = 0; text && i < *n; i++)
		if (!strcmp((*list)[i], (const char *)text))
			return;
	if (!text)
		return;
	*list = vec_grow(*list, cap, *n + 1, sizeof(**list));
	(*list)[(*n)++] = arena_strdup(a, (const char *)text);
}
#define NOTE_TEXT(v, text, a) note_text(&(v)->p, &(v)->n, &(v)->cap, text, a)

/* The row is of the bug, and not earlier than those before. */
static void bug_add(struct crashdb *d, sqlite3_stmt *s, struct arena *a, struct kept_bug *b)
{
	const unsigned char *known = d->q.column_text(s, Q_KNOWN);

	b->last_ns = d->q.column_int64(s, Q_SEEN);
	b->n += d->q.column_int64(s, Q_IN_RELEASE) != 0;
	b->against += d->q.column_int64(s, Q_IN_AGAINST) != 0;
	if (known && (!b->known || strcmp(b->known, (const char *)known) != 0))
		b->known = arena_strdup(a, (const char *)known);
	NOTE_TEXT(&b->releases, d->q.column_text(s, Q_RELEASE), a);
	NOTE_TEXT(&b->signatures, d->q.column_text(s, Q_SIGNATURE), a);
}

static int by_change(const void *a, const void *b)
{
	const struct kept_bug *x = a, *y = b;

	if (x->change != y->change)
		return x->change < y->change ? -1 : 1;
	if (x->last_ns != y->last_ns)
		return x->last_ns < y->last_ns ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void kept_bug_release(struct kept_bug *b)
{
	vec_release(&b->releases);
	vec_release(&b->signatures);
}

/* Leaves those that were seen before. */
static void keep_since(kept_bugs *v, int64_t since)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++) {
		if (v->p[i].first_ns < since)
			kept_bug_release(&v->p[i]);
		else
			v->p[n++] = v->p[i];
	}
	v->n = n;
}

bool crashdb_bugs(struct crashdb *d, struct arena *a, const struct crashdb_query *q, kept_bugs *ret,
		  struct err *err)
{
	sqlite3_stmt *s;
	struct err why = { 0 };

	*ret = (kept_bugs){ 0 };
	if (!ask_for(d, SELECT " ORDER BY s.bug, c.seen_ns, c.path", q, &s, err))
		return false;
	while (interrupt_check(&why) && crashdb_step(d, s, &why)) {
		uint64_t number = (uint64_t)d->q.column_int64(s, Q_BUG);

		if (!ret->n || ret->p[ret->n - 1].number != number) {
			struct kept_bug *b = vec_push(ret);

			b->number = number;
			b->first_ns = d->q.column_int64(s, Q_SEEN);
			read_crash(d, s, a, &b->first);
		}
		bug_add(d, s, a, &ret->p[ret->n - 1]);
	}
	d->q.finalize(s);
	if (why.code != ERR_OK) {
		*err = why;
		kept_bugs_release(ret);
		return false;
	}
	for (size_t i = 0; q->against && i < ret->n; i++)
		ret->p[i].change = !ret->p[i].n        ? CHANGE_GONE
				   : ret->p[i].against ? CHANGE_BOTH
						       : CHANGE_NEW;
	keep_since(ret, q->since_ns ? q->since_ns : INT64_MIN);
	if (ret->n)
		qsort(ret->p, ret->n, sizeof(*ret->p), by_change);
	return true;
}

void kept_bugs_release(kept_bugs *v)
{
	for (size_t i = 0; i < v->n; i++)
		kept_bug_release(&v->p[i]);
	vec_release(v);
}

bool crashdb_crashes(struct crashdb *d, struct arena *a, const struct crashdb_query *q,
		     kept_crashes *ret, struct err *err)
{
	sqlite3_stmt *s;
	struct err why = { 0 };

	*ret = (kept_crashes){ 0 };
	if (!ask_for(d, SELECT " ORDER BY c.seen_ns DESC, c.path", q, &s, err))
		return false;
	while (interrupt_check(&why) && crashdb_step(d, s, &why)) {
		struct kept_crash c;

		if (d->q.column_int64(s, Q_SEEN) < (q->since_ns ? q->since_ns : INT64_MIN))
			break;
		read_crash(d, s, a, &c);
		*vec_push(ret) = c;
	}
	d->q.finalize(s);
	if (why.code == ERR_OK)
		return true;
	*err = why;
	vec_release(ret);
	return false;
}
