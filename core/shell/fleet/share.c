/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options for many crashes, and which of them are a share's. */
#include <string.h>

#include "core/base/number.h"
#include "core/base/process/workers.h"
#include "core/shell/fleet/fleet.h"
#include "core/verdict/verdict.h"

bool fleet_share_has(const char *name, uint64_t i, uint64_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	/* the low bits of FNV-1a follow those of the last characters */
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	return !n || h % n + 1 == i;
}

static bool take_number(const char *name, const char *value, uint64_t max, uint64_t *ret,
			struct err *err)
{
	if (number_parse(value, 10, ret) && *ret && *ret <= max)
		return true;
	return err_set(err, ERR_USAGE, "'%s' needs a number from 1 to %llu, not '%.60s'", name,
		       (unsigned long long)max, value);
}

static bool take_share(struct fleet_options *o, const char *value, struct err *err)
{
	const char *p = value;

	if (number_take(&p, NULL, 10, &o->share) && *p++ == '/' &&
	    number_parse(p, 10, &o->shares) && o->share && o->share <= o->shares)
		return true;
	return err_set(err, ERR_USAGE, "'--share' needs I/N, the first of four is 1/4, not '%.60s'",
		       value);
}

/* A word that no crash can have would never fail anything, unnoticed. */
static bool take_gate(struct fleet_options *o, const char *value, struct err *err)
{
	for (const char *p = value; *p; p += *p == ',') {
		size_t n = strcspn(p, ",");

		if (!verdict_has_word(p, n))
			return err_set(
				err, ERR_USAGE,
				"'--fail-on': '%.*s' is no kind of crash, as oom, deadlock and "
				"null-deref are, nor dead, hurt, stuck, alive or unknown",
				(int)(n < 60 ? n : 60), p);
		p += n;
	}
	o->fail_on = value;
	return true;
}

const struct program_option fleet_rows[FLEET_ROWS] = {
	{ "-j", "N", TAKES_NUMBER, 0, "processes at once" },
	{ "--resume", "FILE", TAKES_FILE, 0, "what an earlier run wrote: go on behind it" },
	{ "--share", "I/N", TAKES_TEXT, 0,
	  "only a share of the crashes: 1/4 is the first of four" },
	{ "--known", "FILE", TAKES_FILE, 0, "signatures that are known" },
	{ "--fail-on", "KIND,...", TAKES_TEXT, 0, "what else makes the exit status 1" },
	{ "--seconds", "N", TAKES_NUMBER, 0, "of time for each crash" },
	{ "--megabytes", "N", TAKES_NUMBER, 0, "of memory for each crash" },
	{ "--db", "FILE", TAKES_FILE, 0, "a database that remembers crashes" },
};

int fleet_option(struct fleet_options *o, bool many, int argc, char **argv, int *i, struct err *err)
{
	const char *w = argv[*i], *value = NULL;
	size_t k = 0, n;

	for (; k < (many ? FLEET_ROWS : 1); k++) {
		n = strlen(fleet_rows[k].name);
		if (!strncmp(w, fleet_rows[k].name, n) && (!w[n] || w[n] == '=' || !k))
			break;
	}
	if (k == (many ? FLEET_ROWS : 1))
		return 0;
	value = w[n] ? w + n + (w[n] == '=') : *i + 1 < argc ? argv[++*i] : NULL;
	if (!value || !*value) {
		err_set(err, ERR_USAGE, "nothing follows '%s'", fleet_rows[k].name);
		return -1;
	}
	o->any |= many;
	switch (k) {
	case 0:
		return take_number("-j", value, WORKERS_MAX, &o->jobs, err) ? 1 : -1;
	case 1:
		o->resume = value;
		return 1;
	case 2:
		return take_share(o, value, err) ? 1 : -1;
	case 3:
		o->known = value;
		return 1;
	case 4:
		return take_gate(o, value, err) ? 1 : -1;
	case 5:
		return take_number(fleet_rows[k].name, value, 1000000, &o->seconds, err) ? 1 : -1;
	case 7:
		o->db = value;
		return 1;
	default:
		return take_number(fleet_rows[k].name, value, 1u << 30, &o->megabytes, err) ? 1
											    : -1;
	}
}
