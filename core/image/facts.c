/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the target by name: what VMCOREINFO says, and what readers found. */
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/image/target.h"

bool vmcoreinfo_str(const struct target *t, const char *key, const char **ret, size_t *n)
{
	const char *p = t->vmcoreinfo.text, *end = p ? p + t->vmcoreinfo.n : NULL;
	size_t len = strlen(key);

	while (p && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;

		if ((size_t)(stop - p) > len && p[len] == '=' && memcmp(p, key, len) == 0) {
			*ret = p + len + 1;
			*n = (size_t)(stop - *ret);
			return true;
		}
		p = nl ? nl + 1 : end;
	}
	return false;
}

/* Is the whole of s, n bytes, a number? */
static bool is_number(const char *s, size_t n, unsigned base, uint64_t *ret)
{
	const char *end = s + n;
	uint64_t v;

	if (!number_take(&s, end, base, &v) || s != end)
		return false;
	*ret = v;
	return true;
}

bool vmcoreinfo_hex(const struct target *t, const char *key, uint64_t *ret)
{
	const char *s;
	size_t n;

	return vmcoreinfo_str(t, key, &s, &n) && is_number(s, n, 16, ret);
}

bool vmcoreinfo_num(const struct target *t, const char *key, int64_t *ret)
{
	const char *s;
	uint64_t v;
	bool minus;
	size_t n;

	if (!vmcoreinfo_str(t, key, &s, &n))
		return false;
	minus = n && s[0] == '-';
	if (!is_number(s + minus, n - minus, 0, &v))
		return false;
	*ret = (int64_t)(minus ? 0 - v : v);
	return true;
}

int target_addr_digits(const struct target *t)
{
	return t && t->arch && t->arch->word == 4 ? 8 : 16;
}

void target_add_fact(struct target *t, const char *name, uint64_t value)
{
	struct fact *f;

	for (size_t i = 0; i < t->facts.n; i++)
		if (strcmp(t->facts.p[i].name, name) == 0)
			return;
	f = vec_push(&t->facts);
	f->name = name;
	f->value = value;
}

/* Keys of a kernel's own, without a kind, whose numbers are hexadecimal. */
static bool is_hex_key(const char *name)
{
	static const char *const keys[] = { "KERNELOFFSET", "KERNELOFFPHYS", "IDENTITYBASE" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(name, keys[i]))
			return true;
	return false;
}

static bool fact_number(void *self, const char *name, uint64_t *ret)
{
	const struct target *t = self;
	char key[80];
	int64_t v;

	if (is_hex_key(name) && vmcoreinfo_hex(t, name, ret))
		return true;
	snprintf(key, sizeof(key), "NUMBER(%s)", name);
	if (vmcoreinfo_num(t, key, &v) || vmcoreinfo_num(t, name, &v)) {
		*ret = (uint64_t)v;
		return true;
	}
	for (size_t i = 0; i < t->facts.n; i++)
		if (strcmp(t->facts.p[i].name, name) == 0) {
			*ret = t->facts.p[i].value;
			return true;
		}
	return false;
}

static bool fact_symbol(void *self, const char *name, uint64_t *ret)
{
	struct target *t = self;
	char key[80];

	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	return vmcoreinfo_hex(t, key, ret) || symbol_addr(t, name, ret);
}

struct arch_facts target_facts(struct target *t)
{
	return (struct arch_facts){ .number = fact_number, .symbol = fact_symbol, .self = t };
}
