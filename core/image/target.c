/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target as a whole: its lifetime. */
#include <string.h>

#include "core/image/target.h"

void target_init(struct target *t, struct arena *scratch)
{
	memset(t, 0, sizeof(*t));
	t->scratch = scratch;
	t->page_size = 4096;
}

void target_defer(struct target *t, void (*free_it)(void *what), void *what)
{
	*vec_push(&t->deferred) = (struct deferred){ free_it, what };
}

void target_release(struct target *t)
{
	while (t->deferred.n) {
		t->deferred.n--;
		t->deferred.p[t->deferred.n].free_it(t->deferred.p[t->deferred.n].what);
	}
	vec_release(&t->deferred);
	lines_release(t);
	modules_release(t);
	sources_release(t);
	types_release(t);
	symbols_release(t);
	mem_release(t);
	for (size_t i = 0; i < t->inputs.n; i++)
		file_close(t->inputs.p[i].file);
	vec_release(&t->debug_folders);
	vec_release(&t->inputs);
	vec_release(&t->warnings);
	vec_release(&t->cpus);
	vec_release(&t->dump.devices);
	vec_release(&t->ram);
	vec_release(&t->facts);
	vec_release(&t->survivors.v);
	arena_release(&t->arena);
}
