/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bios: the layers that one goes through on its way to a disk, and those that wait above it. */
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/linux/io/io_impl.h"
#include "core/linux/object_name.h"
#include "core/types/shape.h"

#define BIOS_MAX 100000u

enum {
	BIO_NEXT,
	BIO_BDEV,
	BIO_DISK,
	BIO_PARTNO,
	BIO_OPF,
	BIO_SECTOR,
	BIO_BYTES,
	BIO_END,
	BIO_DATA
};
static const struct shape_field bio_fields[] = {
	[BIO_NEXT] = FIELD("bi_next"),
	[BIO_BDEV] = FIELD_MAYBE("bi_bdev"), /* 309dca309fc3 (v5.12) */
	[BIO_DISK] = FIELD_MAYBE("bi_disk"),
	[BIO_PARTNO] = FIELD_MAYBE("bi_partno"),
	[BIO_OPF] = FIELD("bi_opf"),
	[BIO_SECTOR] = FIELD("bi_iter.bi_sector"),
	[BIO_BYTES] = FIELD("bi_iter.bi_size"),
	[BIO_END] = FIELD("bi_end_io"),
	[BIO_DATA] = FIELD("bi_private"),
};
static const struct shape bio_shape = SHAPE("struct bio", bio_fields);

/* ---- names */

const char *io_bdev_name(const struct io_call *c, uint64_t bdev)
{
	const struct type *device;
	struct err ignored;
	uint64_t off;

	if (!bdev || !type_find(c->t, "struct device", &device, &ignored) ||
	    !field_offset(c->t, "struct block_device", "bd_device", &off, &ignored))
		return NULL;
	return object_name(c->t, device, bdev + off);
}

static const char *bio_device(const struct io_call *c, const struct shaped *s)
{
	uint64_t bdev = shaped_u64_or(s, BIO_BDEV, 0), disk = shaped_u64_or(s, BIO_DISK, 0);
	uint64_t part = shaped_u64_or(s, BIO_PARTNO, 0);
	const struct type *gendisk;
	struct err ignored;
	const char *name;

	if (bdev)
		return io_bdev_name(c, bdev);
	if (!disk || !type_find(c->t, "struct gendisk", &gendisk, &ignored))
		return NULL;
	name = object_name(c->t, gendisk, disk);
	/* a partition of a disk whose name ends with a digit has a p before its number */
	return name && part ? arena_printf(c->a, "%s%s%llu", name,
					   strchr("0123456789", name[strlen(name) - 1]) ? "p" : "",
					   (unsigned long long)part)
			    : name;
}

#define OP_BITS 8 /* REQ_OP_BITS */

void io_op(const struct io_call *c, uint64_t opf, const char **op, const char **flags)
{
	uint64_t number = opf & ((1u << OP_BITS) - 1);
	const char *name;
	struct buf b = { 0 };

	/* renamed and renumbered by ff07a02e9e8e (v6.0) */
	if (!io_enum_name(c->t, "enum req_op", "REQ_OP_", number, op) &&
	    !io_enum_name(c->t, "enum req_opf", "REQ_OP_", number, op))
		*op = arena_printf(c->a, "%llu", (unsigned long long)number);
	for (unsigned bit = OP_BITS; bit < 32; bit++)
		if (opf >> bit & 1) {
			if (io_enum_name(c->t, "enum req_flag_bits", "__REQ_", bit, &name))
				buf_printf(&b, "%s%s", b.n ? "," : "", name);
			else
				buf_printf(&b, "%sbit %u", b.n ? "," : "", bit);
		}
	*flags = b.n ? arena_strndup(c->a, b.s, b.n) : "";
	buf_release(&b);
}

/* ---- layers */

/* Whose end a bio's end tells of: the function that ends it, and where the bio above is. */
static const struct upper {
	const char *end;
	const char *type;   /* that has the bio above; NULL: bi_private is that */
	const char *member; /* the bio above in it */
	const char *clone;  /* the bio stands in it, as this member; NULL: bi_private leads there */
} uppers[] = {
	{ "bio_chain_endio", NULL, NULL, NULL },
	{ "md_end_clone_io", "struct md_io_clone", "orig_bio", "bio_clone" },
	{ "md_end_io_acct", "struct md_io_acct", "orig_bio", NULL },
	{ "raid1_end_read_request", "struct r1bio", "master_bio", NULL },
	{ "raid1_end_write_request", "struct r1bio", "master_bio", NULL },
	{ "raid10_end_read_request", "struct r10bio", "master_bio", NULL },
	{ "raid10_end_write_request", "struct r10bio", "master_bio", NULL },
};

/* device-mapper's clone stands in a struct that leads to the bio it was made of. */
static bool dm_upper(const struct io_call *c, uint64_t bio, uint64_t *ret, struct err *err)
{
	uint64_t off, io;

	return field_offset(c->t, "struct dm_target_io", "clone", &off, err) &&
	       field_u64(c->t, "struct dm_target_io", bio - off, "io", &io, err) &&
	       field_u64(c->t, "struct dm_io", io, "orig_bio", ret, err);
}

/* Sets *ret to the bio above a layer, 0: there is none, or nobody knows. */
static bool upper_of(const struct io_call *c, const struct io_layer *l, uint64_t *ret,
		     struct err *err)
{
	uint64_t off;

	*ret = 0;
	if (!l->end)
		return true;
	io_types_load(c, l->end);
	if (!strcmp(l->end, "clone_endio"))
		return dm_upper(c, l->bio, ret, err);
	for (size_t i = 0; i < ARRAY_SIZE(uppers); i++) {
		if (strcmp(uppers[i].end, l->end) != 0)
			continue;
		*ret = l->end_data;
		if (!uppers[i].type)
			return true;
		if (uppers[i].clone) {
			if (!field_offset(c->t, uppers[i].type, uppers[i].clone, &off, err))
				return false;
			*ret = l->bio - off;
		}
		return field_u64(c->t, uppers[i].type, *ret, uppers[i].member, ret, err);
	}
	return true;
}

static bool layer_read(const struct io_call *c, uint64_t bio, struct io_layer *ret, struct err *err)
{
	struct shaped s;
	uint64_t end;

	*ret = (struct io_layer){ .bio = bio };
	if (!shape_read(c->t, &bio_shape, bio, &s, err) || !shaped_u64(&s, BIO_END, &end, err) ||
	    !shaped_u64(&s, BIO_DATA, &ret->end_data, err))
		return err_wrap(err, "bio 0x%llx", (unsigned long long)bio);
	ret->end = io_symbol(c, end);
	ret->device = bio_device(c, &s);
	return true;
}

static size_t bios_count(const struct io_call *c, uint64_t bio)
{
	struct guard g;
	struct err why;
	size_t n = 0;

	guard_init(&g, "bios of a request", BIOS_MAX);
	while (bio) {
		if (!guard_step(&g, bio, &why) ||
		    !field_u64(c->t, "struct bio", bio, "bi_next", &bio, &why)) {
			io_tell(c, &why, NULL, 0);
			break;
		}
		n++;
	}
	return n;
}

/* ---- who waits for the end */

const struct task *io_issuer_on_stack(const struct io_call *c, uint64_t data)
{
	const struct task *tasks;
	struct err ignored;
	uint64_t size;
	size_t n;

	if (!data || !tasks_all(c->t, &tasks, &n, &ignored) ||
	    !task_stack_size(c->t, &size, &ignored))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (tasks[i].stack && data - tasks[i].stack < size)
			return &tasks[i];
	return NULL;
}

/* The task at addr, if it is one of the list: what is no task could be read as one. */
static const struct task *listed_task(const struct io_call *c, uint64_t addr)
{
	const struct task *tasks;
	struct err ignored;
	size_t n;

	if (!addr || !tasks_all(c->t, &tasks, &n, &ignored))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (tasks[i].addr == addr)
			return &tasks[i];
	return NULL;
}

/* A direct read or write that waits says which task does; it must be one. */
static const struct task *waiter_read(const struct io_call *c, const struct io_layer *top)
{
	uint64_t waiter = 0, sync;
	struct err ignored;

	if (!top->end)
		return NULL;
	if (!strcmp(top->end, "blkdev_bio_end_io_simple")) {
		waiter = top->end_data;
	} else if (!strcmp(top->end, "blkdev_bio_end_io")) {
		/* of an asynchronous one a struct kiocb is in the same place, and no task */
		if (!field_u64(c->t, "struct blkdev_dio", top->end_data, "waiter", &waiter,
			       &ignored))
			return NULL;
	} else if (!strcmp(top->end, "iomap_dio_bio_end_io")) {
		if (!field_u64(c->t, "struct iomap_dio", top->end_data, "wait_for_completion",
			       &sync, &ignored) ||
		    !sync ||
		    !field_u64(c->t, "struct iomap_dio", top->end_data, "submit.waiter", &waiter,
			       &ignored))
			return NULL;
	}
	return listed_task(c, waiter);
}

bool io_layers_read(const struct io_call *c, uint64_t bio, struct io_layer ret[IO_LAYERS_MAX],
		    size_t *n)
{
	struct err why;

	for (*n = 0; bio && *n < IO_LAYERS_MAX;) {
		for (size_t i = 0; i < *n; i++)
			if (ret[i].bio == bio) {
				err_set_addr(&why, ERR_CORRUPT, bio,
					     "the bios above it lead back to it");
				io_tell(c, &why, "bio", bio);
				return false;
			}
		if (!layer_read(c, bio, &ret[*n], &why)) {
			io_tell(c, &why, NULL, 0);
			return false;
		}
		if (!upper_of(c, &ret[(*n)++], &bio, &why)) {
			io_tell(c, &why, "bio", ret[*n - 1].bio);
			return false;
		}
	}
	return true;
}

void io_bio_follow(const struct io_call *c, uint64_t bio, struct io_request *r)
{
	struct io_layer *layers;

	if (!bio)
		return;
	r->bios = bios_count(c, bio);
	layers = ARENA_ARRAY(c->a, struct io_layer, IO_LAYERS_MAX);
	r->layers = layers;
	if (!io_layers_read(c, bio, layers, &r->n_layers))
		return;
	r->issuer = waiter_read(c, &layers[r->n_layers - 1]);
	if (r->issuer) {
		r->issuer_how = "waiter";
		return;
	}
	r->issuer = io_issuer_on_stack(c, layers[r->n_layers - 1].end_data);
	if (r->issuer)
		r->issuer_how = "stack";
}

/* ---- bios that wait */

struct bio_walk {
	const struct io_call *c;
	bool (*fn)(const struct io_bio *b, void *arg);
	void *arg;
	const char *where;
	const struct task *task;
	bool stop;
};

static void bio_list_read(struct bio_walk *w, uint64_t bio)
{
	struct io_layer layers[IO_LAYERS_MAX];
	struct guard g;
	struct err why;
	struct shaped s;
	size_t n;

	guard_init(&g, "list of bios", BIOS_MAX);
	while (bio && !w->stop) {
		struct io_bio b = { .addr = bio, .where = w->where, .task = w->task };

		if (!guard_step(&g, bio, &why) || !shape_read(w->c->t, &bio_shape, bio, &s, &why) ||
		    !shaped_u64(&s, BIO_NEXT, &bio, &why)) {
			io_tell(w->c, &why, w->where, bio);
			return;
		}
		b.device = bio_device(w->c, &s);
		io_op(w->c, shaped_u64_or(&s, BIO_OPF, 0), &b.op, &b.flags);
		b.sector = shaped_u64_or(&s, BIO_SECTOR, 0);
		b.bytes = shaped_u64_or(&s, BIO_BYTES, 0);
		if (!b.task && io_layers_read(w->c, b.addr, layers, &n) && n) {
			b.task = waiter_read(w->c, &layers[n - 1]);
			if (!b.task)
				b.task = io_issuer_on_stack(w->c, layers[n - 1].end_data);
		}
		w->stop = !w->fn(&b, w->arg);
	}
}

/* A task hands bios down in two lists on its stack: what its current device made, and what waits
 * below (79bd99596b73, v4.12). */
static void task_bios(struct bio_walk *w, const struct task *task)
{
	uint64_t lists, head, size;
	struct err why;

	if (!field_u64(w->c->t, "struct task_struct", task->addr, "bio_list", &lists, &why)) {
		io_tell(w->c, &why, "task", task->addr);
		return;
	}
	if (!lists)
		return;
	size = 2 * (uint64_t)w->c->t->arch->word;
	w->where = "submission";
	w->task = task;
	for (unsigned i = 0; i < 2 && !w->stop; i++)
		if (field_u64(w->c->t, "struct bio_list", lists + i * size, "head", &head, &why))
			bio_list_read(w, head);
		else
			io_tell(w->c, &why, "bios of task", task->addr);
}

/* A suspended device of device-mapper keeps what comes until it is resumed. */
static void disk_bios(struct bio_walk *w, const struct io_queue *q)
{
	const char *by = q->driver ? q->driver : io_bio_taker(w->c, q->disk);
	uint64_t md, head;
	struct err why;

	if (!by || (strcmp(by, "dm_submit_bio") != 0 && strcmp(by, "dm_mq_queue_rq") != 0))
		return;
	io_types_load(w->c, by);
	if (!field_u64(w->c->t, "struct gendisk", q->disk, "private_data", &md, &why) ||
	    !field_u64(w->c->t, "struct mapped_device", md, "deferred.head", &head, &why)) {
		io_tell(w->c, &why, "disk", q->disk);
		return;
	}
	w->where = "suspended device";
	w->task = NULL;
	bio_list_read(w, head);
}

bool io_bios(const struct io_call *c, bool (*fn)(const struct io_bio *b, void *arg), void *arg,
	     struct err *err)
{
	struct bio_walk w = { .c = c, .fn = fn, .arg = arg };
	const struct task *tasks;
	struct io_queues qs;
	bool ok;
	size_t n;

	ok = io_queues_read(c, &qs, err);
	for (size_t i = 0; ok && !w.stop && i < qs.all.n; i++)
		if (qs.all.p[i].disk)
			disk_bios(&w, &qs.all.p[i]);
	io_queues_release(&qs);
	if (!ok || !tasks_all(c->t, &tasks, &n, err))
		return false;
	for (size_t i = 0; i < n && !w.stop; i++) {
		if (!interrupt_check(err))
			return false;
		task_bios(&w, &tasks[i]);
	}
	return true;
}
