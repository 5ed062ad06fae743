/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record of a sub-buffer made an event. */
#include "core/trace/decode.h"

static uint64_t decode_load(const uint8_t *p, size_t n, bool big)
{
	uint64_t v = 0;

	if (!big)
		return load_le(p, n);
	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

void trace_decode_context(const struct recording *rec, struct span data, struct trace_event *ret)
{
	const struct trace_common *common = &rec->common;

	ret->flags = data.p[2];
	ret->preempt = data.p[3];
	if (!common->lazy_at)
		return;
	ret->flags &= (uint8_t) ~(common->lazy_flag | TRACE_FLAG_LAZY_RESCHED);
	if (data.p[2] & common->lazy_flag)
		ret->flags |= TRACE_FLAG_LAZY_RESCHED;
	if (common->lazy_at < data.n)
		ret->lazy = data.p[common->lazy_at];
	if (common->migrate_at && common->migrate_at < data.n)
		ret->preempt = (uint8_t)((ret->preempt & 0xf) | data.p[common->migrate_at] << 4);
}

/* The common fields have stood in these places since 2.6.31. */
void trace_decode(const struct recording *rec, const struct trace_record *at,
		  struct trace_event *ret)
{
	const uint8_t *p = at->data.p;
	bool big = rec->big_endian;

	ret->data = at->data;
	ret->name = "[unknown]";
	if (ret->data.n < 2)
		return;
	ret->id = (uint16_t)decode_load(p, 2, big);
	if (ret->data.n >= 8) {
		trace_decode_context(rec, ret->data, ret);
		ret->pid = (int32_t)(uint32_t)decode_load(p + 4, 4, big);
	}
	ret->format = rec->ops->format ? rec->ops->format(rec, ret->id) : NULL;
	if (ret->format) {
		ret->name = ret->format->name;
		ret->system = ret->format->system;
	}
}
