/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf.data: what perf recorded of tracepoints, with the formats that are in the file. */
#include <string.h>

#include "core/image/target.h"
#include "readers/reader.h"
#include "readers/trace/perfdata.h"

static const struct trace_format *perf_format(const struct recording *rec, uint16_t id)
{
	const struct perfdata *p = rec->self;
	const struct recording *from = p->meta.n_formats ? NULL : trace_other(rec);

	return from ? from->ops->format(from, id) : meta_format(rec, id);
}

/* Are the names that are loaded those of the traced kernel? Build-ids say so; where one is not
 * known a symbol at the very address that perf noted does, which KASLR moves at each boot. */
static bool names_fit(struct perfdata *p)
{
	const struct vmlinux *v = &p->t->vmlinux;
	uint64_t addr;

	if (p->names == PERF_NAMES_UNKNOWN && p->ref_name) {
		p->names = PERF_NAMES_NONE;
		if (!symbol_addr(p->t, p->ref_name, &addr))
			return false;
		p->slide = p->ref_addr - addr;
		if (p->build_id_n && v->build_id_n
			    ? p->build_id_n == v->build_id_n &&
				      !memcmp(p->build_id, v->build_id, v->build_id_n)
			    : !p->slide)
			p->names = PERF_NAMES_FIT;
	}
	return p->names == PERF_NAMES_FIT;
}

static bool perf_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	struct perfdata *p = rec->self;
	struct symbol sym;
	struct err err;

	*ret = (struct trace_symbol){ 0 };
	if (p->meta.kallsyms.n && meta_symbol(rec, addr, ret))
		return true;
	if (!names_fit(p) || !symbol_at(p->t, addr - p->slide, &sym, &ret->offset, &err))
		return false;
	ret->name = sym.name;
	ret->module = sym.module;
	ret->size = sym.size;
	return true;
}

static const char *perf_comm(const struct recording *rec, int32_t pid)
{
	const struct perfdata *p = rec->self;
	const uint64_t *slot = map_get(&p->comms, (uint32_t)pid);

	return slot ? (const char *)(uintptr_t)*slot : meta_comm(rec, pid);
}

static int32_t perf_tgid(const struct recording *rec, int32_t pid)
{
	const struct perfdata *p = rec->self;

	return p->pid == pid ? p->tgid : -1;
}

static const struct recording_ops perfdata_ops = {
	.open = perfstream_open,
	.next = perfstream_next,
	.format = perf_format,
	.each_format = meta_each_format,
	.names = true,
	.comm = perf_comm,
	.tgid = perf_tgid,
	.symbol = perf_symbol,
	.string = meta_string,
	.address = meta_address,
};

static const char *clock_name(const struct perf_attr *attr)
{
	/* clockid_t, include/uapi/linux/time.h; as trace_clock calls them, where it has them */
	static const char *const names[] = {
		[0] = "realtime", [1] = "mono", [4] = "mono_raw", [7] = "boot", [11] = "tai"
	};

	if (!attr->has_clock)
		return "perf";
	if (attr->clock < 0 || (size_t)attr->clock >= ARRAY_SIZE(names) || !names[attr->clock])
		return "?";
	return names[attr->clock];
}

static void add_recording(struct perfdata *p)
{
	struct recording *rec = ARENA_NEW(p->meta.a, struct recording);
	struct trace_buffer *b = ARENA_NEW(p->meta.a, struct trace_buffer);
	struct trace_lane *lane = ARENA_NEW(p->meta.a, struct trace_lane);

	/* samples of all CPUs, in the order of their times */
	*lane = (struct trace_lane){ .cpu = -1, .self = p, .bytes = p->data.n };
	lane->entries = lane->overrun = lane->commit_overrun = UINT64_MAX;
	lane->dropped = lane->read = UINT64_MAX;
	*b = (struct trace_buffer){ .recording = rec,
				    .clock = clock_name(p->attrs),
				    .ns = true,
				    .overwrite = true,
				    .shows = TRACE_SHOW_DEFAULT |
					     (p->meta.user_data ? TRACE_SHOW_SYSCALL_0X : 0),
				    .online = p->cpus,
				    .possible = p->cpus,
				    .lanes = lane,
				    .n_lanes = 1 };
	*rec = (struct recording){ .t = p->t,
				   .origin = p->pipe ? "perf.data of a pipe" : "perf.data",
				   .path = p->file->path,
				   .word_size = p->word_size,
				   .buffers = b,
				   .n_buffers = 1,
				   .ops = &perfdata_ops,
				   .self = p };
	traces_add(p->t, rec);
}

static void comms_free(void *what)
{
	map_release(what);
}

static int perfdata_probe(const struct file *file)
{
	return file->map.n >= 16 && !memcmp(file->map.p, "PERFILE2", 8) ? 100 : 0;
}

static bool perfdata_open(struct target *t, struct file *file, struct err *err)
{
	struct perfdata *p = ARENA_NEW(&t->arena, struct perfdata);

	p->t = t;
	p->file = file;
	p->meta.a = &t->arena;
	if (!perf_read_head(p, err))
		return err_wrap(err, "'%s'", file->path);
	target_defer(t, comms_free, &p->comms);
	add_recording(p);
	return true;
}

const struct reader reader_perfdata = {
	.name = "perfdata",
	.summary = "perf.data: tracepoints and other events that perf recorded",
	.probe = perfdata_probe,
	.open = perfdata_open,
};
