/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory as LiME and AVML write it: records of a range of addresses and its bytes.
 *
 * Source: LiME's doc/README.md, version 1; AVML's src/image.rs, version 2: the bytes are a stream
 * in snappy's framing format, and its length stands behind it. */
#include "core/base/guard.h"
#include "readers/dump/rammap.h"
#include "readers/dump/snapframe.h"
#include "readers/reader.h"

#define HEAD 32u
#define MAGIC_LIME 0x4c694d45u
#define MAGIC_AVML 0x4c4d5641u

struct lime_record {
	bool packed;
	uint64_t start, n; /* physical */
};

/* The record's head at p, HEAD bytes. */
static bool record_at(const uint8_t *p, struct lime_record *ret)
{
	uint32_t magic = load_le32(p), version = load_le32(p + 4);
	uint64_t last = load_le64(p + 16);

	*ret = (struct lime_record){ .packed = magic == MAGIC_AVML, .start = load_le64(p + 8) };
	ret->n = last - ret->start + 1;
	return ((magic == MAGIC_LIME && version == 1) || (magic == MAGIC_AVML && version == 2)) &&
	       last >= ret->start && ret->n && load_le64(p + 24) == 0;
}

static int lime_probe(const struct file *file)
{
	struct lime_record r;

	return file->map.n >= HEAD && record_at(file->map.p, &r) ? 95 : 0;
}

/* Adds the chunks of a packed record from *off on, and moves it behind the record. False: *err says
 * where the stream ends that should not. */
static bool add_chunks(struct rammap *m, const struct file *f, const struct lime_record *r,
		       uint64_t *off, struct err *err)
{
	uint64_t done = 0, begin = *off;

	while (done < r->n) {
		struct snap_chunk chunk;
		bool ok = snap_chunk_at(f->map, *off, &chunk, err);

		if (ok && chunk.unpacked > r->n - done)
			ok = err_set(err, ERR_CORRUPT,
				     "the chunk at byte %llu holds more than is left of its record",
				     (unsigned long long)*off);
		if (!ok || !interrupt_check(err)) {
			rammap_lost(m, r->start + done, r->n - done);
			return false;
		}
		if (chunk.unpacked)
			rammap_chunk(m, f, r->start + done, chunk.unpacked, *off);
		done += chunk.unpacked;
		*off = chunk.end;
	}
	if (f->map.n - *off < 8)
		return err_set(err, ERR_TRUNCATED, "the file ends within a record");
	if (load_le64(f->map.p + *off) != *off - begin)
		return err_set(err, ERR_CORRUPT, "the record that ends at byte %llu is damaged",
			       (unsigned long long)*off);
	*off += 8;
	return true;
}

/* Adds all records. False: what stands behind them is none, or cut. */
static bool add_records(struct target *t, struct rammap *m, const struct file *f, struct err *err)
{
	uint64_t off = 0, size = f->map.n;

	while (off < size) {
		struct lime_record r;

		target_tell(t, NULL, off, size);
		if (size - off < HEAD)
			return err_set(err, ERR_TRUNCATED, "the file ends within a record's head");
		if (!record_at(f->map.p + off, &r))
			return err_set(err, ERR_CORRUPT, "there is no record at byte %llu",
				       (unsigned long long)off);
		off += HEAD;
		if (r.packed && !add_chunks(m, f, &r, &off, err))
			return false;
		if (r.packed)
			continue;
		rammap_data(m, f, r.start, r.n, off);
		if (r.n > size - off)
			return true; /* what is lost is counted */
		off += r.n;
		if (!interrupt_check(err))
			return false;
	}
	return true;
}

static bool lime_open(struct target *t, struct file *file, struct err *err)
{
	struct lime_record r;
	struct rammap *m;
	struct err why;

	if (!record_at(file->map.p, &r))
		return err_set(err, ERR_FORMAT, "'%s' does not begin with a record", file->path);
	if (!rammap_begin(t, file, r.packed ? "AVML" : "LiME", &m, err))
		return false;
	if (add_records(t, m, file, &why))
		return true;
	if (why.code == ERR_INTR) {
		*err = why;
		return false;
	}
	target_warn(t, why.code, "'%s' is damaged or cut short: %s; what follows is lost",
		    file->path, why.msg);
	return true;
}

const struct reader reader_lime = {
	.name = "lime",
	.summary = "memory as LiME and AVML write it",
	.probe = lime_probe,
	.cut = true,
	.open = lime_open,
	.seeks = true,
	.attach = rammap_attach,
	.rank = RAMMAP_RANK,
};
