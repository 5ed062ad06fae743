/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of Chrome's trace event format ("Trace Event Format", a document of Google's). */
#include "readers/trace/chromejson.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/number.h"

#define DIGITS_MAX 18u

bool chrome_time_parse(const char *s, size_t n, uint64_t *ret)
{
	const char *end = s + n, *at;
	uint64_t v = 0, exponent = 0;
	int scale = 3; /* powers of ten that are missing to nanoseconds */
	unsigned digits = 0;
	bool down = false, any = false;

	for (bool fraction = false; s < end; s++) {
		if (*s == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (digit_value(*s) > 9)
			break;
		any = true;
		if (digits == DIGITS_MAX) { /* of a fraction these are less than a picosecond */
			scale += !fraction;
			continue;
		}
		v = v * 10 + digit_value(*s);
		digits += v != 0;
		scale -= fraction;
	}
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		down = s < end && *s == '-';
		s += s < end && (*s == '-' || *s == '+');
		at = s;
		if (!number_take(&at, end, 10, &exponent) || exponent > 40)
			return false;
		s = at;
	}
	if (!any || s != end)
		return false;
	scale += down ? -(int)exponent : (int)exponent;
	for (; scale > 0 && v; scale--) {
		if (v > UINT64_MAX / 10)
			return false;
		v *= 10;
	}
	for (; scale < 0 && v; scale++)
		v /= 10;
	*ret = v;
	return true;
}

static int64_t number_of(const struct json_pair *p)
{
	const char *s = p->value;
	uint64_t v;

	return number_take(&s, s + p->value_n, 10, &v) && s == p->value + p->value_n &&
			       v <= INT64_MAX
		       ? (int64_t)v
		       : -1;
}

static bool is_key(const struct json_pair *p, const char *key)
{
	return p->key_n == strlen(key) && !memcmp(p->key, key, p->key_n);
}

bool chrome_event_parse(const char *s, size_t n, struct chrome_event *ret)
{
	struct json_pair p;
	size_t at = 0;

	*ret = (struct chrome_event){ .pid = -1, .tid = -1 };
	while (json_next(s, n, &at, &p)) {
		struct span value = SPAN(p.value, p.value_n);

		if (is_key(&p, "ph"))
			ret->phase = p.value_n == 3 ? p.value[1] : '\0';
		else if (is_key(&p, "name"))
			ret->name = value;
		else if (is_key(&p, "cat"))
			ret->category = value;
		else if (is_key(&p, "id"))
			ret->id = value;
		else if (is_key(&p, "args"))
			ret->args = value;
		else if (is_key(&p, "ts"))
			ret->has_ts = chrome_time_parse(p.value, p.value_n, &ret->ts);
		else if (is_key(&p, "dur"))
			ret->has_duration = chrome_time_parse(p.value, p.value_n, &ret->duration);
		else if (is_key(&p, "pid"))
			ret->pid = number_of(&p);
		else if (is_key(&p, "tid"))
			ret->tid = number_of(&p);
	}
	return ret->phase > ' ' && ret->phase < 0x7f;
}
