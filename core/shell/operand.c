/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operands as people type them: numbers, addresses, lists of CPUs. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/number.h"
#include "core/linux/fs/dcache.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/shell/command.h"

bool parse_number(const char *s, bool hex, uint64_t *ret)
{
	return number_parse(s, hex ? 16 : 0, ret);
}

/* The first term of a sum: an address or a symbol. Eight hexadecimal digits are an address before
 * anybody looks for a symbol of that name; fewer may be either, and a symbol is likelier. */
static bool address_base(struct target *t, const char *s, uint64_t *ret, struct err *err)
{
	bool hex = parse_number(s, true, ret);
	struct symbol sym;

	if (hex && (strlen(s) >= 8 || (s[0] >= '0' && s[0] <= '9')))
		return true;
	if (symbol_find(t, s, &sym, err)) {
		*ret = sym.addr;
		return true;
	}
	if (hex)
		return true;
	return err_set(err, ERR_NOSYM, "'%.100s' is neither an address nor a symbol", s);
}

/* A further term: a number, hexadecimal digits without 0x too when they are no decimal ones. */
static bool address_term(struct target *t, const char *s, uint64_t *ret, struct err *err)
{
	return parse_number(s, false, ret) || address_base(t, s, ret, err);
}

#define ADDRESS_TERM_MAX 256

bool parse_address(struct target *t, const char *s, uint64_t *ret, struct err *err)
{
	char term[ADDRESS_TERM_MAX];
	const char *text = s, *end = s + strlen(s);
	uint64_t sum = 0, u = 0;
	bool minus = false, first = true;

	while (end > s + 1 && *s == '(' && end[-1] == ')') {
		s++;
		end--;
	}
	for (;;) {
		size_t n;

		while (s < end && *s == ' ')
			s++;
		n = strcspn(s, "+- ()");
		if (n > (size_t)(end - s))
			n = (size_t)(end - s);
		if (!n || n >= sizeof(term))
			return err_set(err, ERR_USAGE, "'%.100s' is not an address", text);
		memcpy(term, s, n);
		term[n] = '\0';
		if (!(first ? address_base(t, term, &u, err) : address_term(t, term, &u, err)))
			return false;
		sum += minus ? -u : u;
		first = false;
		for (s += n; s < end && *s == ' ';)
			s++;
		if (s >= end)
			break;
		if (*s != '+' && *s != '-')
			return err_set(err, ERR_USAGE, "'%.100s' is not an address", text);
		minus = *s++ == '-';
	}
	*ret = sum;
	return true;
}

bool parse_cpu_range(const char **s, uint64_t *first, uint64_t *last)
{
	const char *p = *s;

	if (!number_take(&p, NULL, 10, first))
		return false;
	*last = *first;
	if (*p == '-') {
		p++;
		if (!number_take(&p, NULL, 10, last))
			return false;
	}
	*s = p;
	return (*p == '\0' || *p == ',') && *first <= *last;
}

bool parse_cpus(struct target *t, const char *s, bool (*fn)(unsigned cpu, void *arg), void *arg,
		struct err *err)
{
	const char *text = s;
	bool all = !strcmp(s, "a") || !strcmp(s, "all");
	unsigned n;

	if (!cpus_count(t, &n, err))
		return false;
	for (unsigned cpu = 0; all && cpu < n; cpu++)
		if (cpu_has_run(t, cpu) && !fn(cpu, arg))
			return true;
	while (!all) {
		uint64_t first, last;

		if (!parse_cpu_range(&s, &first, &last))
			return err_set(err, ERR_USAGE,
				       "'%.60s' is not a list of CPUs, as 0,2-3 or a for all",
				       text);
		if (last >= n || !cpu_is_possible(t, (unsigned)last))
			return err_set(err, ERR_NOTFOUND,
				       "no CPU %" PRIu64 "; this kernel has 0 to %u", last, n - 1);
		for (uint64_t cpu = first; cpu <= last; cpu++)
			if (cpu_is_possible(t, (unsigned)cpu) && !fn((unsigned)cpu, arg))
				return true;
		if (*s++ != ',')
			break;
	}
	return true;
}

bool superblock_asked(const struct ctx *c, const struct superblock *s)
{
	bool ret = false;
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if (!strcmp(c->argv[i], s->type) || !strcmp(c->argv[i], s->id) ||
		    (s->path && !strcmp(c->argv[i], s->path)) ||
		    (parse_number(c->argv[i], true, &n) && n == s->addr))
			ret = c->met[i] = true;
	return ret;
}

bool operands_met(const struct ctx *c, const char *before, const char *behind, struct err *err)
{
	struct buf others = { 0 };
	const char *first = NULL;

	if (!interrupt_check(err))
		return false;
	for (int i = 0; i < c->argc; i++) {
		if (c->met[i])
			continue;
		if (first)
			buf_printf(&others, ", nor '%.60s'", c->argv[i]);
		else
			first = c->argv[i];
	}
	if (first)
		err_set(err, ERR_NOTFOUND, "%s'%.100s'%s%s", before, first, behind,
			buf_text(&others));
	buf_release(&others);
	return !first;
}
