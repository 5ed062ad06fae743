/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that survived: the zones of all CPUs merged, and names for their addresses. */
#include <string.h>

#include "core/linux/pstore/story.h"

/* Kernel text moves by multiples of this on x86-64, within a gigabyte (CONFIG_PHYSICAL_ALIGN). */
#define SLIDE_STEP (UINT64_C(2) << 20)
#define SLIDES 512u
/* Calls that a guessed slide is tried on. */
#define SLIDE_CALLS 64u

const struct survivor_call *story_calls(const struct survivor *const *v, size_t n, struct arena *a,
					size_t *n_calls)
{
	size_t *at = ARENA_ARRAY(a, size_t, n + 1), total = 0;
	struct survivor_call *out;

	for (size_t i = 0; i < n; i++)
		total += v[i]->n_calls;
	out = ARENA_ARRAY(a, struct survivor_call, total + 1);
	*n_calls = total;
	for (size_t k = 0; k < total; k++) {
		size_t best = n;

		for (size_t i = 0; i < n; i++)
			if (at[i] < v[i]->n_calls &&
			    (best == n ||
			     v[i]->calls[at[i]].stamp < v[best]->calls[at[best]].stamp))
				best = i;
		out[k] = v[best]->calls[at[best]++];
	}
	return out;
}

/* How many of the first calls are of a function's begin, or of what is called, under a slide. */
static size_t slide_score(struct target *t, const struct survivor_call *calls, size_t n,
			  uint64_t add)
{
	size_t score = 0;

	for (size_t i = 0; i < n && i < SLIDE_CALLS; i++) {
		struct symbol sym;
		struct err err;
		uint64_t off;

		/* the tracer's own call is a function's first or second instruction */
		if (symbol_is_text(t, calls[i].ip + add) &&
		    symbol_at(t, calls[i].ip + add, &sym, &off, &err) && off <= 9)
			score++;
	}
	return score;
}

/* Is the vmlinux that was given the one of the records? Its banner is in their text. */
static bool other_kernel(const struct target *t, const char *banner, size_t n)
{
	const char *own = t->vmlinux.banner;
	size_t len = own ? strcspn(own, "\n") : 0;

	return own && banner && (len != n || memcmp(own, banner, n) != 0);
}

static void guess_slide(struct target *t, const struct survivor_call *calls, size_t n,
			struct story_names *ret)
{
	size_t best = 0, tried = n < SLIDE_CALLS ? n : SLIDE_CALLS;

	for (uint64_t i = 0; i < SLIDES; i++) {
		size_t score = slide_score(t, calls, n, t->kaslr - i * SLIDE_STEP);

		if (score > best) {
			best = score;
			ret->add = t->kaslr - i * SLIDE_STEP;
		}
	}
	ret->usable = best >= 4 && best * 2 > tried;
	ret->guessed = true;
	ret->how = ret->usable ? "the slide under which the calls are at functions' begins"
			       : "no record says how far the kernel was moved, and no slide fits";
}

void story_names(struct target *t, const struct survivor_call *calls, size_t n,
		 struct story_names *ret)
{
	const char *banner = NULL;
	size_t banner_n = 0;
	uint64_t offset;

	*ret = (struct story_names){ .how = "no symbols are loaded: give the vmlinux" };
	if (!symbols_available(t))
		return;
	for (size_t i = 0; i < t->survivors.v.n; i++)
		if (survivor_banner(&t->survivors.v.p[i], &banner, &banner_n))
			break;
	if (other_kernel(t, banner, banner_n) && !t->force) {
		ret->how = "the vmlinux is of another kernel than the records (--force uses it)";
		return;
	}
	for (size_t i = 0; i < t->survivors.v.n; i++)
		if (survivor_kernel_offset(&t->survivors.v.p[i], &offset)) {
			ret->usable = true;
			ret->add = t->kaslr - offset;
			ret->how = "the Kernel Offset in the log";
			return;
		}
	guess_slide(t, calls, n, ret);
}
