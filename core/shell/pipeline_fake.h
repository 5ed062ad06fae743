/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a session over a dead kernel that has a ring of things, some with hostile names. */
#ifndef OBIT_PIPELINE_FAKE_H
#define OBIT_PIPELINE_FAKE_H

#include <stdlib.h>

#include "core/linux/kernel_fake.h"
#include "core/shell/output.h"
#include "core/shell/run.h"

#define THING_SIZE 176 /* see readers/symbol/btf_fake.h */
#define THING(i) (KERNEL_BASE + 0x1000u + (uint64_t)(i)*THING_SIZE)
#define THINGS 6
#define PIPELINE_OUTPUT_MAX ((size_t)1 << 20)

struct pipeline_fake {
	struct fake_kernel k;
	struct output out;
	struct session s;
	struct buf said; /* what went to stdout */
	size_t bytes;
};

/* What a line of a million results prints is not kept, and at last stopped. */
static inline bool pipeline_write(void *self, const char *s, size_t n)
{
	struct pipeline_fake *f = self;

	f->bytes += n;
	if (f->bytes > PIPELINE_OUTPUT_MAX)
		interrupted = 1;
	buf_add(&f->said, s, n);
	return true;
}

static inline void pipeline_things(struct fake_kernel *k)
{
	static const char *const names[THINGS] = { "init",      "kworker/0:1",
						   "-x --help", "a\"b' ; help",
						   "",          "$(reboot)" };
	uint64_t nodes[THINGS];

	for (unsigned i = 0; i < THINGS; i++) {
		nodes[i] = THING(i);
		put32(k, THING(i) + 16, i * 7 % 5);
		put32(k, THING(i) + 20, i << 3 | i);
		put_str(k, THING(i) + 24, names[i]);
		put64(k, THING(i) + 40, 1000 - i);
		put32(k, THING(i) + 48, i % 2);
		put32(k, THING(i) + 52, i);
		put64(k, THING(i) + 64, i < 4 ? THING(i + 1) : KERNEL_BASE + KERNEL_SIZE * i);
		put64(k, THING(i) + 88, 0 - (uint64_t)i);
	}
	put_list(k, KERNEL_BASE + 0x800, nodes, THINGS);
	k->holes = 1 << 3;
}

/* With the types that load() gives it, fake_btf_load() of readers/symbol/btf_fake.h; false: it
 * failed. */
static inline bool pipeline_fake_open(bool json, bool (*load)(struct target *t, struct err *err),
				      struct pipeline_fake **ret)
{
	struct pipeline_fake *f = xrealloc(NULL, sizeof(*f));
	struct err err;

	memset(f, 0, sizeof(*f));
	kernel_init(&f->k);
	f->k.t.types.sources.n = 0;
	kernel_symbol(&f->k, "head", KERNEL_BASE + 0x800);
	kernel_symbol(&f->k, "things", THING(0));
	kernel_symbol(&f->k, "start", KERNEL_BASE + 0x2000);
	pipeline_things(&f->k);
	f->out.fd = STDOUT_FILENO;
	f->said.max = PIPELINE_OUTPUT_MAX;
	session_init(&f->s, &f->k.t, &f->out);
	session_json(&f->s, json);
	f->s.sink.write = pipeline_write;
	f->s.sink.head = NULL;
	f->s.sink.self = f;
	*ret = f;
	return load(&f->k.t, &err);
}

static inline void pipeline_fake_close(struct pipeline_fake *f)
{
	session_release(&f->s);
	buf_release(&f->said);
	kernel_release(&f->k);
	free(f);
	interrupted = 0;
}

#endif
