/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of the audit subsystem that no daemon had taken yet: kernel/audit.c. */
#include "core/base/guard.h"
#include "core/linux/log/audit.h"
#include "core/types/shape.h"

#define RECORDS_MAX 1000000u
#define TEXT_MAX 65536u
/* struct nlmsghdr: length, type, flags, sequence, sender */
#define HEADER 16u
#define TYPE_AT 4u

enum {
	SKB_NEXT,
	SKB_DATA,
	SKB_LEN,
	SKB_FIELDS
};
static const struct shape_field skb_fields[SKB_FIELDS] = {
	[SKB_NEXT] = FIELD("next"),
	[SKB_DATA] = FIELD("data"),
	[SKB_LEN] = FIELD("len"),
};
static const struct shape skb_shape = SHAPE("struct sk_buff", skb_fields);

struct audit_walk {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct audit_record *r, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	bool stopped;
};

static bool record_read(struct audit_walk *w, const struct shaped *s, struct audit_record *r,
			struct err *err)
{
	uint64_t data, n;
	char *text;
	uint8_t *bytes;

	if (!shaped_u64(s, SKB_DATA, &data, err) || !shaped_u64(s, SKB_LEN, &n, err))
		return false;
	if (n < HEADER || n > TEXT_MAX)
		return err_set_addr(err, ERR_CORRUPT, s->addr, "it claims %llu bytes",
				    (unsigned long long)n);
	bytes = arena_alloc(w->a, n + 1);
	if (!mem_read(w->t, data, bytes, n, err))
		return false;
	r->type = target_u16(w->t, bytes + TYPE_AT);
	text = (char *)bytes + HEADER;
	for (n -= HEADER; n && (!text[n - 1] || text[n - 1] == '\n'); n--)
		;
	text[n] = '\0';
	r->text = text;
	return true;
}

static bool queue_walk(struct audit_walk *w, const char *queue, uint64_t head, struct err *err)
{
	struct guard guard;
	uint64_t at;

	guard_init(&guard, queue, RECORDS_MAX);
	if (!mem_ptr(w->t, head, &at, err))
		return err_wrap(err, "%s", queue);
	while (at && at != head && !w->stopped) {
		struct audit_record r = { .queue = queue, .addr = at };
		struct shaped s;
		struct err why;

		if (!guard_step(&guard, at, err) || !shape_read(w->t, &skb_shape, at, &s, err) ||
		    !shaped_u64(&s, SKB_NEXT, &at, err))
			return err_wrap(err, "%s", queue);
		if (record_read(w, &s, &r, &why)) {
			w->stopped = !w->fn(&r, w->arg);
		} else if (w->flaw) {
			err_wrap(&why, "%s: record 0x%llx", queue, (unsigned long long)r.addr);
			w->flaw(&why, w->arg);
		}
	}
	return true;
}

bool audit_each(struct target *t, struct arena *a,
		bool (*fn)(const struct audit_record *r, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	/* in the order in which they would be sent; v4.11 made three of one */
	static const char *const queues[] = { "audit_hold_queue", "audit_retry_queue",
					      "audit_queue" };
	struct audit_walk w = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg };
	bool some = false;
	uint64_t head;

	for (size_t i = 0; i < ARRAY_SIZE(queues) && !w.stopped; i++) {
		struct err why;

		if (!symbol_addr(t, queues[i], &head))
			continue;
		some = true;
		if (queue_walk(&w, queues[i], head, &why))
			continue;
		if (why.code == ERR_INTR || !flaw)
			return *err = why, false;
		flaw(&why, arg);
	}
	if (some)
		return true;
	return symbols_complete(t)
		       ? err_set(err, ERR_NOTFOUND, "the kernel was built without CONFIG_AUDIT")
		       : err_set(err, ERR_NOSYM,
				 "no symbol 'audit_queue' among those that are known: give the "
				 "vmlinux");
}
