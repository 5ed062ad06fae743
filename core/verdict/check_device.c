/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of devices: which were never probed, what they wait for, and whose probe failed. */
#include "core/verdict/log_words.h"

#include "core/linux/device/device.h"

/* "; it waits for ldo1 (no driver)", by the links between devices; "": nothing is known. */
static const char *suppliers(struct triage *g, const struct device *d)
{
	const struct device_wait *w;
	struct err ignored;
	size_t n;

	if (!device_waits(g->t, d, &w, &n, &ignored) || !n)
		return "";
	return arena_printf(g->a, "; it waits for %s (%s)%s", w[0].name, w[0].state,
			    n > 1 ? arena_printf(g->a, " and %zu more", n - 1) : "");
}

static bool look_devices(struct triage *g, struct finding *f, struct err *err)
{
	const struct device *const *d;
	size_t n, waiting = 0;
	const struct device *first = NULL;
	const struct log_seen *failed = log_seen(g, WORD_PROBE);

	if (!devices_all(g->t, &d, &n, &f->why, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (d[i]->waiting) {
			waiting++;
			first = first ? first : d[i];
		}
	if (waiting)
		find(g, f, CHECK_WARN, "%zu of %zu wait for their probe, the first: %s%s%s%s",
		     waiting, n, first->name ? first->name : "one without a name",
		     first->reason ? ": " : "", first->reason ? first->reason : "",
		     suppliers(g, first));
	else if (failed->n)
		find(g, f, CHECK_WARN, "%zu probe%s failed, the first: %s", failed->n,
		     plural(failed->n), failed->first);
	else if (f->why.code != ERR_OK)
		find(g, f, CHECK_UNKNOWN, "%zu read, none waits; then %s", n, f->why.msg);
	else
		find(g, f, CHECK_OK, "%zu, none waits for its probe", n);
	return true;
}

const struct checkup check_devices = {
	.name = "devices",
	.doc = "devices whose probe failed, or was put off until something else is there",
	.more = "dev --deferred",
	.look = look_devices,
};
