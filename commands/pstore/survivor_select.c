/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which records of pstore there are, when options say how a region is divided. */
#include "commands/pstore/survivor_select.h"

#include "core/linux/pstore/story.h"
#include "core/image/target.h"

static bool take_size(const char *word, const char *what, uint64_t *ret, bool *given,
		      struct err *err)
{
	if (!word)
		return true;
	if (!parse_number(word, false, ret))
		return err_set(err, ERR_USAGE, "'%s' is no %s", word, what);
	*given = true;
	return true;
}

/* What the options say of the layout; searches again if they say something. */
static bool records_find(struct ctx *c, const struct survivor_opts *o, struct err *err)
{
	struct survivors *all = &c->t->survivors;
	struct survivor_layout l = { 0 };
	uint64_t ecc = 0, cpus = 0;
	bool cpus_given = false, size_given = false;

	if (!take_size(o->at, "address", &l.at, &l.has_at, err) ||
	    !take_size(o->size, "size", &l.size, &size_given, err) ||
	    !take_size(o->record, "size", &l.record, &l.given, err) ||
	    !take_size(o->console, "size", &l.console, &l.given, err) ||
	    !take_size(o->ftrace, "size", &l.ftrace, &l.given, err) ||
	    !take_size(o->pmsg, "size", &l.pmsg, &l.given, err) ||
	    !take_size(o->ecc, "size", &ecc, &l.has_ecc, err) ||
	    !take_size(o->cpus, "count", &cpus, &cpus_given, err))
		return false;
	if (ecc > 100 || cpus > 1024)
		return err_set(err, ERR_USAGE, "--ecc is at most 100, --cpus at most 1024");
	if ((l.has_ecc || cpus_given) && !l.given)
		return err_set(err, ERR_USAGE, "--ecc and --cpus go with sizes of zones");
	l.ecc = (unsigned)ecc;
	l.cpus = (unsigned)cpus;
	if (all->search && !all->search(c->t, &l, err)) {
		if (!all->v.n || l.given || l.has_at)
			return false;
		note(c, err);
	} else if (!all->search && (l.given || l.has_at)) {
		return err_set(err, ERR_NEED, "there is no raw image to divide otherwise");
	}
	if (all->v.n)
		return true;
	return err_set(err, ERR_NOTFOUND,
		       "no record of pstore: give a ramoops image, a file or folder of "
		       "/sys/fs/pstore, or a dump that holds such a region");
}

bool survivors_select(struct ctx *c, const struct survivor_opts *o,
		      const struct survivor *const **ret, size_t *n, struct err *err)
{
	if (!records_find(c, o, err))
		return false;
	*ret = survivors_ordered(c->t, c->arena, n);
	return true;
}
