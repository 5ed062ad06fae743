/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that say one thing each, and are known by a few words: access, machine, process, object. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

/* "Read of size 8 at addr ffff... by task comm/pid" */
static void access_line(struct report *r, const char *s, const char *end)
{
	const char *p = text_after(s, end, " size "), *q;
	uint64_t v;

	r->access = *s == 'R' ? "read" : *s == 'W' ? "write" : "free";
	if (p && number_dec(p, end, &v, &q)) {
		r->has_access_size = true;
		r->access_size = v;
	}
	if ((p = text_after(s, end, " addr "))) {
		r->address = number_hex(p, end, &q);
		r->has_address = q > p;
	}
	if ((p = text_after(s, end, " by task ")))
		set_process(r, p, end);
}

static void set_error(struct report *r, const char *name, const char *p, const char *end)
{
	const char *q;

	r->error = number_hex(p, end, &q);
	r->has_error = true;
	r->error_name = name;
}

/* What a line of facts says. p: behind the text that the line is known by. False: the line says
 * nothing of it after all, or nothing new. */
typedef bool fact_fn(struct report *r, const char *s, const char *p, const char *end);

static bool fact_access(struct report *r, const char *s, const char *p, const char *end)
{
	(void)p;
	access_line(r, s, end);
	return true;
}

static bool fact_hardware(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	if (r->hardware)
		return false;
	r->hardware = words_copy(r, p, end);
	return true;
}

static bool fact_workqueue(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	if (r->workqueue)
		return false;
	r->workqueue = words_copy(r, p, end);
	return true;
}

/* "Kernel Offset: 0x1e00000 from 0xffffffff81000000", "Kernel Offset: disabled" */
static bool fact_offset(struct report *r, const char *s, const char *p, const char *end)
{
	const char *q;

	(void)s;
	r->has_offset = true;
	r->kernel_offset = isdigit((unsigned char)*p) ? number_hex(p, end, &q) : 0;
	if ((p = text_after(p, end, " from ")))
		r->linked_at = number_hex(p, end, &q);
	return true;
}

/* "#PF: supervisor write access in kernel mode" */
static bool fact_page_fault(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	fact_arch(r, "x86_64");
	if (!(p = text_after(p, end, "supervisor ")))
		return false;
	r->access = *p == 'i' ? "execute" : *p == 'w' ? "write" : "read";
	return true;
}

/* "CPU:    0" and "CPU 1" of old x86 */
static bool fact_lone_cpu(struct report *r, const char *s, const char *p, const char *end)
{
	uint64_t v;

	(void)s;
	p += strspn(p, " ");
	if (r->has_cpu || !number_dec(p, end, &v, &p) || p != end)
		return false;
	r->has_cpu = true;
	r->cpu = (int64_t)v;
	return true;
}

/* "in_atomic(): 1, irqs_disabled(): 0, non_block: 0, pid: 7, name: comm" */
static bool fact_atomic(struct report *r, const char *s, const char *p, const char *end)
{
	const char *name = text_after(p, end, ", name: ");

	(void)s;
	p = text_after(p, end, ", pid: ");
	if (r->comm || !p || !name)
		return false;
	r->comm = words_copy(r, name, end);
	set_pid(r, p, end);
	return true;
}

/* "pid   = 7, comm = a": xmon's (excprint() of arch/powerpc/xmon/xmon.c) */
static bool fact_xmon(struct report *r, const char *s, const char *p, const char *end)
{
	const char *name = text_after(p, end, ", comm = ");

	(void)s;
	if (r->comm || !name)
		return false;
	r->comm = words_copy(r, name, end);
	set_pid(r, p, end);
	return true;
}

static bool fact_error_code(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	if (r->has_error)
		return false;
	set_error(r, "error_code", p, end);
	return true;
}

static bool fact_esr(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	set_error(r, "ESR", p, end);
	fact_arch(r, "aarch64");
	return true;
}

static bool fact_wnr(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	if (r->access || p >= end)
		return false;
	r->access = *p == '1' ? "write" : "read";
	return true;
}

/* "Failing address: 0000000000000000 TEID: 0000000000000483" */
static bool fact_failing(struct report *r, const char *s, const char *p, const char *end)
{
	const char *q;
	uint64_t v = number_hex(p, end, &q);

	(void)s;
	if (!r->has_address) {
		r->has_address = true;
		r->address = v;
	}
	if ((p = text_after(p, end, "TEID: ")))
		set_error(r, "TEID", p, end);
	fact_arch(r, "s390x");
	return true;
}

/* "Process swapper (pid: 1, stack limit = 0x...)", by arm with 8 digits, by arm64 with 16 */
static bool fact_process(struct report *r, const char *s, const char *p, const char *end)
{
	const char *pid = text_after(s, end, "(pid: ");
	const char *limit = text_after(s, end, ", stack limit = 0x"), *q;

	if (limit) {
		(void)number_hex(limit, end, &q);
		if (q - limit == 8 || q - limit == 16)
			fact_arch(r, q - limit == 8 ? "arm" : "aarch64");
	}
	if (r->comm || !pid)
		return false;
	r->comm = words_copy(r, p, pid - strlen("(pid: ") - 1);
	set_pid(r, pid, end);
	return true;
}

static bool fact_object(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	r->object = words_copy(r, p, end);
	return true;
}

/* 'comm "insmod", pid 123, jiffies 4294937000' of kmemleak */
static bool fact_comm(struct report *r, const char *s, const char *p, const char *end)
{
	size_t n = (size_t)(end - p);
	const char *stop = find_text(p, n, "\", pid ");

	if (!stop)
		stop = memchr(p, '"', n);
	if (r->comm || !stop)
		return false;
	r->comm = words_copy(r, p, stop);
	if ((p = text_after(s, end, ", pid ")))
		set_pid(r, p, end);
	return true;
}

/* Who was asked whether an interrupt is its own: of two, the one that a thread runs. */
static bool fact_handler(struct report *r, const char *s, const char *p, const char *end)
{
	const char *close = memrchr(s, '>', (size_t)(end - s));

	(void)p;
	if (r->kind != KIND_IRQ || r->named || !close || end - close < 4)
		return false;
	r->named = words_copy(r, close + 2, word_end(close + 3, end));
	return true;
}

/* "Faulting instruction address: 0xc05233c0": powerpc's, as wide as its words are */
static bool fact_faulting(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	if (end - p > 2 && p[1] == 'x')
		fact_arch(r, powerpc_of(p + 2, end));
	return true;
}

static bool fact_aarch64(struct report *r, const char *s, const char *p, const char *end)
{
	(void)s;
	(void)p;
	(void)end;
	fact_arch(r, "aarch64");
	return true;
}

/* The first that the line is known by, and whose function takes it, is what the line says. */
void fact_line_read(struct report *r, const char *s, size_t n)
{
	static const struct {
		const char *text;
		bool anywhere; /* the text may stand in the line's middle */
		fact_fn *take;
	} facts[] = {
		{ "Read of size", false, fact_access },
		{ "Write of size", false, fact_access },
		{ "Free of addr", false, fact_access },
		{ "Hardware name: ", true, fact_hardware },
		{ "Workqueue: ", false, fact_workqueue },
		{ "Kernel Offset: ", true, fact_offset },
		{ "#PF: ", false, fact_page_fault },
		{ "error_code(", true, fact_error_code },
		{ "ESR = ", false, fact_esr },
		{ "WnR = ", true, fact_wnr },
		{ "Failing address: ", true, fact_failing },
		{ "Process ", false, fact_process },
		{ "Faulting instruction address: ", false, fact_faulting },
		{ "belongs to the object at ", true, fact_object },
		{ "comm \"", false, fact_comm },
		{ "in_atomic(): ", false, fact_atomic },
		{ "pid   = ", false, fact_xmon },
		{ "Mem abort", false, fact_aarch64 },
		{ "[<", false, fact_handler },
		{ "CPU:", false, fact_lone_cpu },
		{ "CPU ", false, fact_lone_cpu },
		{ "swapper pgtable", false, fact_aarch64 },
		{ "user pgtable", false, fact_aarch64 },
	};
	const char *end = s + n;

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char *p = text_after(s, end, facts[i].text);

		if (p && (facts[i].anywhere || has_prefix(s, n, facts[i].text)) &&
		    facts[i].take(r, s, facts[i].anywhere ? p : s + strlen(facts[i].text), end))
			return;
	}
}
