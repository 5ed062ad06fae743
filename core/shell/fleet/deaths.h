/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What died on this machine: a list of it, and the choice of one. */
#ifndef OBIT_DEATHS_H
#define OBIT_DEATHS_H

#include "core/shell/fleet/fleet.h"

/* So many are looked at, the newest; each for so long, and all together. */
#define DEATHS_MAX 100u
#define DEATH_SECONDS 5u
#define DEATHS_SECONDS 20u

extern const struct record_kind death_kind, death_place_kind;

/* What is left of one crash, as far as its files' names say. */
struct death_left {
	struct fleet_crash crash;
	bool named; /* else it counts only if a report is in it */
	bool has_when;
	int64_t when_s;
	const char *when_from; /* "name", "file" */
	const char *lost;      /* what of it cannot be read, and why; NULL */
	bool closed;           /* nothing of it can be */
	size_t place;          /* index of its place */
};
/* A folder where such things were looked for. */
struct death_place {
	const char *path;
	const char *state; /* "read", "absent", "closed" */
	const char *why;   /* of "closed" */
	uint64_t n;        /* how many are in the list; deaths_tell() counts them */
};

struct deaths {
	struct session *s;
	struct arena *a;
	struct death_left *v;
	size_t n;
	struct death_place *places;
	size_t n_places;
	bool cut; /* there are more than these */
	/* as of struct fleet */
	bool (*open)(struct session *s, const struct fleet_crash *c, size_t n, void *arg,
		     struct err *err);
	void *arg;
};

/* Looks at them, tells what each was, the newest first, and at a terminal asks which is to be
 * opened: *chosen, or NULL. Returns the exit status: EXIT_ANSWERED; EXIT_NOREPORT, there is none;
 * EXIT_DAMAGED, there are some, and not all could be read; EXIT_NOINPUT, none could. */
enum exit_status deaths_tell(struct deaths *d, const struct fleet_crash **chosen);

#endif
