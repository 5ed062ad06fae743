/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unhash: which pointer the kernel printed as a hash.
 */
#include "core/obit.h"
#include "core/linux/memory/unhash.h"
#include "core/records/address_record.h"
#include "core/records/pointer_record.h"

struct unhash_opts {
	bool all;
};
static const struct option opts[] = {
	OPT_FLAG("a", struct unhash_opts, all,
		 "every pointer that has the hash, wherever one could be: takes longer"),
};

struct asking {
	struct ctx *c;
	const uint32_t *hashes;
	bool found[UNHASH_MAX];
};

static bool unhash_show(const struct unhash_hit *hit, void *arg)
{
	struct asking *q = arg;
	struct record r;

	pointer_fill(q->c, &r, hit);
	emit(q->c, &r);
	emit_address(q->c, hit->ptr);
	for (int i = 0; i < q->c->argc; i++)
		q->found[i] |= q->hashes[i] == hit->hash;
	return true;
}

/* "00000000b4d860d4", "b4d860d4", "0xb4d860d4": always hexadecimal. */
static bool hash_parse(const char *word, uint32_t *ret, struct err *err)
{
	uint64_t hash;

	if (!parse_number(word, true, &hash) || hash > UINT32_MAX)
		return err_set(
			err, ERR_USAGE,
			"'%.60s' is no hash: those have 32 bits, of which the kernel prints 8 "
			"hexadecimal digits behind zeros",
			word);
	*ret = (uint32_t)hash;
	return true;
}

static void tell_lost(struct asking *q, const struct unhash *u)
{
	struct ctx *c = q->c;

	for (size_t i = 0; i < u->n; i++) {
		if (q->found[i])
			continue;
		c->damaged |= u->missing != 0;
		emit_none(c, &pointer_record,
			  arena_printf(c->arena, "%s: no pointer has this hash%s",
				       pointer_hash_text(c, u->hashes[i]),
				       u->slots_skipped ? "; -a tries every eighth byte of RAM, too"
							: ""));
	}
}

static bool unhash_command(struct ctx *c, struct err *err)
{
	const struct unhash_opts *o = c->opts;
	struct asking *q = ARENA_NEW(c->arena, struct asking);
	uint32_t *hashes = ARENA_ARRAY(c->arena, uint32_t, (size_t)c->argc + 1);
	struct unhash u = { .t = c->t,
			    .hashes = hashes,
			    .n = (size_t)c->argc,
			    .all = o->all,
			    .fn = unhash_show,
			    .arg = q };

	if (!c->argc || (size_t)c->argc > UNHASH_MAX)
		return err_set(err, ERR_USAGE, "1 to %u hashes are wanted", UNHASH_MAX);
	for (int i = 0; i < c->argc; i++)
		if (!hash_parse(c->argv[i], &hashes[i], err))
			return false;
	*q = (struct asking){ .c = c, .hashes = hashes };
	if (!unhash_run(&u, err))
		return false;
	tell_lost(q, &u);
	return true;
}

static const struct example examples[] = {
	{ "unhash 00000000b4d860d4", "the pointer, and what is there" },
	{ "unhash -a 00000000b4d860d4", "every pointer that it could be" },
};
const struct command cmd_unhash = {
	.name = "unhash",
	.group = "memory",
	.summary = "pointers that the kernel printed as hashes",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "hash...",
	OPTS(opts),
	.opts_size = sizeof(struct unhash_opts),
	.emits = (const struct record_kind *const[]){ &pointer_record, &place_kind, NULL },
	.help = "Since v4.15 a kernel prints \"%p\" as 32 bits of a hash, so that its log tells nobody "
		"where things are. The key is in the dump (ptr_key): each address that could have been "
		"printed is hashed until one has the hash, first in the kernel's image, then what memory "
		"holds pointers to, then struct pages, stacks and vmalloc areas, and last every eighth "
		"byte of RAM, where that is at most 1 GB or -a asks for it. Several hashes are sought "
		"at once and take no longer than one.\n\n"
		"A hash of another boot, from the log of another day, has nothing to do with this key: "
		"what is found for it is chance. How likely chance is stands beside each pointer.",
	EXAMPLES(examples),
	.run = unhash_command,
};
