/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables that no table of symbols names, by what proves where they are: BTF's sections, a list
 * that they head, the code that uses them. */
#include <stdio.h>

#include "core/base/guard.h"
#include "core/linux/linux.h"
#include "core/linux/symbol/prove_impl.h"

#define PERCPU ".data..percpu"

struct symbol_state {
	struct strmap known; /* to struct symbol *; NULL: nothing proves it */
	bool busy;           /* what a proof needs itself is not proved */
	uint64_t percpu;     /* where the kernel's per-CPU section starts; 0: not known yet */
};

static struct symbol_state *state_of(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_SYMBOL];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct symbol_state);
	return *cell;
}

void linux_symbol_release(struct target *t)
{
	struct symbol_state *st = t->linux_state->of[LINUX_SYMBOL];

	if (st)
		strmap_release(&st->known);
}

/* ---- what VMCOREINFO says */

#define IMAGE_MAX ((uint64_t)96 << 20)

/* Of a pointer it says what that points to (mem_section), which is not in the image. */
static bool told_prove(struct target *t, const char *name, struct symbol *ret)
{
	char key[128];
	uint64_t text;

	if (strlen(name) > 100)
		return false;
	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	return vmcoreinfo_hex(t, key, &ret->addr) && vmcoreinfo_hex(t, "SYMBOL(_stext)", &text) &&
	       ret->addr - text < IMAGE_MAX;
}

/* ---- per-CPU variables */

/* A start of the section, and how many variables it is the start by. */
struct start {
	uint64_t at;
	size_t votes;
};

struct starts {
	struct target *t;
	VEC(struct start) all;
};

/* A variable that is exported has an address, BTF has its offset in the section. */
static bool start_vote(const struct symbol *sym, void *arg)
{
	struct starts *s = arg;
	struct variable_place place;
	size_t i = 0;

	if (sym->type != '?' || !variable_place(s->t, PERCPU, sym->name, &place))
		return true;
	while (i < s->all.n && s->all.p[i].at != sym->addr - place.offset)
		i++;
	if (i == s->all.n)
		*vec_push(&s->all) = (struct start){ sym->addr - place.offset, 0 };
	s->all.p[i].votes++;
	return true;
}

/* A variable elsewhere may have the name of a per-CPU one: all but that one agree. */
static uint64_t percpu_start(struct target *t)
{
	struct symbol_state *st = state_of(t);
	struct starts s = { .t = t };
	size_t best = 0, sum = 0;
	struct err ignored;

	/* not for ever in vain: the types may be what is being loaded */
	if (st->percpu || !symbol_each(t, "", start_vote, &s, &ignored))
		return st->percpu;
	for (size_t i = 0; i < s.all.n; i++) {
		sum += s.all.p[i].votes;
		if (s.all.p[i].votes > s.all.p[best].votes)
			best = i;
	}
	if (sum && s.all.p[best].votes > sum / 2)
		st->percpu = s.all.p[best].at;
	vec_release(&s.all);
	return st->percpu;
}

static bool percpu_prove(struct target *t, const char *name, struct symbol *ret)
{
	bool first = !strcmp(name, "__per_cpu_start"), last = !strcmp(name, "__per_cpu_end");
	uint64_t start = percpu_start(t);
	struct variable_place place;

	/* any of the section's variables knows how long it is */
	if (!start || !variable_place(t, PERCPU, first || last ? "cpu_number" : name, &place))
		return false;
	ret->addr = start + (last ? place.section : first ? 0 : place.offset);
	ret->size = first || last ? 0 : place.size;
	return true;
}

/* ---- the hook */

static const struct symbol *keep(struct target *t, const struct symbol *sym)
{
	struct symbol *ret = ARENA_NEW(&t->arena, struct symbol);

	*ret = *sym;
	return ret;
}

static bool prove(struct target *t, const char *name, struct symbol *ret)
{
	struct symbol_state *st = state_of(t);
	const uint64_t *hit = strmap_get(&st->known, name);
	struct symbol sym = { .type = '?' };
	bool ok;

	if (hit) {
		if (*hit)
			*ret = *(const struct symbol *)(uintptr_t)*hit;
		return *hit != 0;
	}
	if (st->busy)
		return false;
	st->busy = true;
	ok = told_prove(t, name, &sym) || percpu_prove(t, name, &sym) ||
	     list_prove(t, name, &sym) || image_prove(t, name, &sym) ||
	     (!strcmp(name, "runqueues") && runqueues_prove(t, &sym));
	st->busy = false;
	if (interrupted)
		return false;
	sym.name = arena_strdup(&t->arena, name);
	if (ok)
		*ret = sym;
	*strmap_put(&st->known, sym.name, NULL) = ok ? (uintptr_t)keep(t, &sym) : 0;
	return ok;
}

void linux_symbol_init(struct target *t)
{
	t->symbols.prove = prove;
}
