/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this folder share. */
#ifndef OBIT_IO_IMPL_H
#define OBIT_IO_IMPL_H

#include "core/linux/io/io.h"
#include "core/base/map.h"
#include "core/base/vec.h"

/* ---- names.c */
/* The name that a function or variable at addr begins; NULL: none begins there. In the arena. */
const char *io_symbol(const struct io_call *c, uint64_t addr);
/* Tells c->flaw, with context in front of the message. */
void io_tell(const struct io_call *c, struct err *e, const char *what, uint64_t addr);
/* Sets *ret to the name of a value of an enum without the prefix, "READ" of REQ_OP_READ; false: the
 * enum has none, or is not there. */
bool io_enum_name(struct target *t, const char *type, const char *prefix, uint64_t value,
		  const char **ret) MUST_CHECK;

/* ---- driver_type.c */
/* The function that takes a disk's bios, "dm_submit_bio": its functions are not always known by
 * name, a function is. NULL: it takes requests. */
const char *io_bio_taker(const struct io_call *c, uint64_t disk);
/* Has the types of a driver found, which a module may have to itself; `by` is the function that
 * takes its requests or bios, or that a bio's end calls. NULL, or one that is not known here:
 * nothing happens. Slow where DWARF is searched: to be called when something is to be decoded. */
void io_types_load(const struct io_call *c, const char *by);

/* ---- queue.c */
struct io_queues {
	const struct io_call *c;
	VEC(struct io_queue) all;
	struct map index; /* struct request_queue -> its number + 1 */
};
bool io_queues_read(const struct io_call *c, struct io_queues *qs, struct err *err) MUST_CHECK;
void io_queues_release(struct io_queues *qs);
/* Calls fn with each struct blk_mq_hw_ctx of a queue until it returns false. */
bool io_hctxs_each(const struct io_call *c, const struct io_queue *q,
		   bool (*fn)(uint64_t hctx, void *arg), void *arg, struct err *err) MUST_CHECK;

/* ---- tags.c */
/* Sets *ret to the struct sbitmap_queue of a member of the struct blk_mq_tags at `tags`: it stands
 * there; until e155b0c238b2 (v5.16) a pointer led to it. 0: there is none. */
bool io_tag_bitmap(struct target *t, uint64_t tags, const char *member, uint64_t *ret,
		   struct err *err) MUST_CHECK;

/* ---- bio_count.c */
/* Sets ret to how many bios to a disk without requests were reads, and how many were writes. */
bool io_bios_count(const struct io_call *c, uint64_t disk, uint64_t ret[2],
		   struct err *err) MUST_CHECK;

/* ---- bio.c */
/* The name of the disk or partition of a struct block_device; NULL: unknown. */
const char *io_bdev_name(const struct io_call *c, uint64_t bdev);
/* Operation and flags of a cmd_flags or bi_opf; in the arena. */
void io_op(const struct io_call *c, uint64_t opf, const char **op, const char **flags);
/* Reads the bios from one up to what was submitted; false: of damage, which c->flaw is told, after
 * the first n. */
bool io_layers_read(const struct io_call *c, uint64_t bio, struct io_layer ret[IO_LAYERS_MAX],
		    size_t *n);
/* Fills r's bios and layers from r's first bio, and says which task waits for its end. */
void io_bio_follow(const struct io_call *c, uint64_t bio, struct io_request *r);
/* The task on whose stack `data` lies; NULL: none. */
const struct task *io_issuer_on_stack(const struct io_call *c, uint64_t data);

#endif
