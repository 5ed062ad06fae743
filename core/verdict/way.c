/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deaths of which panic() tells only that the kernel could not go on: what it could not go on
 * without. */
#include <inttypes.h>
#include <string.h>

#include "core/base/number.h"
#include "core/linux/device/device.h"
#include "core/linux/program/signal.h"
#include "core/verdict/log_words.h"
#include "core/verdict/oom.h"

/* The number that follows `part` in a text, which may have a sign; false: none does. */
static bool number_behind(const char *text, const char *part, long long *ret)
{
	const char *p = text ? strstr(text, part) : NULL;
	uint64_t n;
	bool below;

	if (!p)
		return false;
	p += strlen(part);
	below = *p == '-';
	p += below;
	if (!number_take(&p, NULL, 0, &n) || n > INT64_MAX)
		return false;
	*ret = below ? -(long long)n : (long long)n;
	return true;
}

/* Numbers of include/uapi/asm-generic/errno-base.h that a kernel without root or init says. */
static const char *errno_words(struct triage *g, long long number)
{
	static const struct {
		long long number;
		const char *words;
	} errors[] = {
		{ -2, "no such file" },         { -5, "input or output failed" },
		{ -6, "no such device" },       { -8, "no program that can be run" },
		{ -12, "no memory" },           { -13, "it may not be used" },
		{ -19, "no such device" },      { -22, "it holds nothing that is known" },
		{ -30, "it can only be read" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (errors[i].number == number)
			return arena_printf(g->a, "error %lld: %s", number, errors[i].words);
	return arena_printf(g->a, "error %lld", number);
}

static struct claim *claim_here(struct triage *g, const char *kind)
{
	const struct death *d = &g->death;
	struct claim *c = claim_new(g, kind, SURE_LIKELY, "the words of panic(), and of the log");

	c->pid = d->pid;
	c->cpu = d->cpu;
	c->comm = d->comm;
	claim_support(g, c, d->source ? d->source : "panic()", "%s", d->panic);
	return c;
}

/* ---- the first process */

/* Bits of a status that wait() gives: the signal, whether memory was written, the exit code. */
static const char *ended_how(struct triage *g, long long code)
{
	unsigned number = (unsigned)code & 0x7f, status = (unsigned)code >> 8 & 0xff;

	if (!number)
		return arena_printf(g->a, "exited with status %u", status);
	return arena_printf(g->a, "was killed by signal %u (%s)", number,
			    signal_name(g->a, number));
}

static bool has_exception(const struct triage *g)
{
	for (size_t i = 0; i < g->reports.n; i++)
		if (report_ends_task(g->reports.p[i]))
			return true;
	return false;
}

static struct claim *claim_of_init(struct triage *g)
{
	size_t killed = log_seen(g, WORD_OOM)->n;
	struct claim *c;
	long long code;

	/* of an exception in the kernel while it ran, that is the cause */
	if (has_exception(g))
		return NULL;
	c = claim_here(g, death_way_name(WAY_INIT));
	if (!c->comm)
		c->comm = "init";
	c->sentence = arena_printf(
		g->a, "%s, the first process, %s%s", who(g, c->comm, c->pid),
		number_behind(g->death.panic, "exitcode=", &code) ? ended_how(g, code) : "ended",
		killed ? arena_printf(g->a,
				      "; before that %zu tasks were killed since memory ran out",
				      killed)
		       : "");
	claim_word(g, c, WORD_INIT_FAULT);
	claim_word(g, c, WORD_OOM);
	return c;
}

/* ---- the root file system */

/* The word behind `part` on the command line; NULL: there is none. */
static const char *parameter(struct triage *g, const char *part)
{
	const char *line = log_seen(g, WORD_COMMAND_LINE)->first, *p = line;
	const char *last = NULL;

	/* the last one counts, and "root=" is no end of another's name */
	for (; p && (p = strstr(p, part)); p++)
		if (p > line && p[-1] == ' ')
			last = p + strlen(part);
	return last ? arena_strndup(g->a, last, strcspn(last, " \r")) : NULL;
}

static const char *deferred_words(struct triage *g, struct claim *c)
{
	const struct device *const *d, *first = NULL;
	struct err why, ignored;
	size_t n, waiting = 0;

	if (g->from_text || !devices_all(g->t, &d, &n, &why, &ignored))
		return "";
	for (size_t i = 0; i < n; i++)
		if (d[i]->waiting) {
			waiting++;
			first = first ? first : d[i];
		}
	if (!waiting)
		return "";
	claim_support(g, c, "deferred_probe_pending_list", "%s%s%s",
		      first->name ? first->name : "?", first->reason ? ": " : "",
		      first->reason ? first->reason : "");
	return arena_printf(g->a, "; %zu devices wait for their probe, the first is %s", waiting,
			    first->name ? first->name : "without a name");
}

static struct claim *claim_of_root(struct triage *g)
{
	struct claim *c = claim_here(g, death_way_name(WAY_ROOT));
	const struct log_seen *said = log_seen(g, WORD_ROOT);
	const char *root = parameter(g, "root="), *error = "";
	long long number;

	if (number_behind(said->first, ": error ", &number))
		error = arena_printf(g->a, " (%s)", errno_words(g, number));
	c->sentence = arena_printf(g->a, "the root file system%s%s%s could not be mounted%s%s",
				   root ? " (root=" : "", root ? root : "", root ? ")" : "", error,
				   deferred_words(g, c));
	if (!root && !said->n)
		c->sentence = arena_printf(g->a, "%s; no root= was given", c->sentence);
	claim_word(g, c, WORD_ROOT);
	claim_word(g, c, WORD_IO_ERROR);
	return c;
}

static struct claim *claim_of_no_init(struct triage *g)
{
	static const char requested[] = "Requested init ";
	struct claim *c = claim_here(g, death_way_name(WAY_NO_INIT));
	const char *p = strstr(g->death.panic, requested), *end;
	long long number;

	c->sentence = "no program could be run as the first process";
	if (p && (end = strstr(p, " failed"))) {
		p += sizeof(requested) - 1;
		c->sentence =
			arena_printf(g->a, "the program given as init=, %.*s, could not be run%s",
				     (int)(end - p), p,
				     number_behind(end, "(error ", &number)
					     ? arena_printf(g->a, " (%s)", errno_words(g, number))
					     : "");
	}
	claim_word(g, c, WORD_RUN_INIT);
	return c;
}

/* ---- file systems */

static struct claim *claim_of_fs(struct triage *g)
{
	struct claim *c = claim_here(g, death_way_name(WAY_FS));
	const struct log_seen *error = log_seen(g, WORD_FS_ERROR),
			      *disk = log_seen(g, WORD_IO_ERROR);
	const char *p = strstr(g->death.panic, "(device "), *end = p ? strchr(p, ')') : NULL;

	c->sentence = arena_printf(
		g->a, "the file system%s%.*s met an error, and errors=panic is set%s%s%s%s",
		end ? " on " : "", end ? (int)(end - p - 8) : 0, end ? p + 8 : "",
		error->n ? ": " : "", error->n ? error->first : "",
		disk->n ? "; a disk had an error: " : "", disk->n ? disk->first : "");
	/* "EXT4-fs error (device loop0): ext4_lookup:1855: inode ...": who found it */
	if (error->n && (p = strstr(error->first, "): ")) && (end = strchr(p + 3, ':')) &&
	    end[1] >= '0' && end[1] <= '9')
		c->function = arena_strndup(g->a, p + 3, (size_t)(end - p - 3));
	claim_word(g, c, WORD_FS_ERROR);
	claim_word(g, c, WORD_IO_ERROR);
	return c;
}

const struct claim *claim_of_way(struct triage *g, const struct report *fatal)
{
	struct claim *c = NULL;

	if (!g->death.panic)
		return NULL;
	switch (g->death.way) {
	case WAY_INIT:
		c = claim_of_init(g);
		break;
	case WAY_ROOT:
		c = claim_of_root(g);
		break;
	case WAY_NO_INIT:
		c = claim_of_no_init(g);
		break;
	case WAY_FS:
		c = claim_of_fs(g);
		break;
	case WAY_OOM:
		c = claim_of_oom(g);
		break;
	default:
		break;
	}
	if (c && fatal) {
		c->report = fatal;
		c->title = fatal->title;
		c->signature = fatal->signature;
	}
	return c;
}
