/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's configuration as records, one option a line. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/misc/system.h"
#include "core/shell/common_record.h"
#include "commands/sys/system_record.h"

enum {
	LINE,
	OPTION,
	VALUE
};
static const struct record_field fields[] = {
	[LINE] = { "text", NULL, CELL_STR, 0, "the line" },
	[OPTION] = { "option", NULL, CELL_STR, FIELD_JSON, "CONFIG_...; null: a comment" },
	[VALUE] = { "value", NULL, CELL_STR, FIELD_JSON,
		    "y, m, a number or a text; null: it is not set" },
};
const struct record_kind config_kind = { "config",    "a line of the kernel's configuration",
					 LAYOUT_LINE, "{text}",
					 fields,      ARRAY_SIZE(fields) };

/* "CONFIG_FOO=y", and "# CONFIG_FOO is not set". */
static void option_fill(struct record *r, const char *s, size_t n)
{
	static const char unset[] = " is not set";
	size_t tail = sizeof(unset) - 1;
	const char *equals = memchr(s, '=', n);

	if (n > 7 && !strncmp(s, "CONFIG_", 7) && equals) {
		record_strn(r, OPTION, s, (size_t)(equals - s));
		record_strn(r, VALUE, equals + 1, n - (size_t)(equals + 1 - s));
	} else if (n > 9 + tail && !strncmp(s, "# CONFIG_", 9) &&
		   !strncmp(s + n - tail, unset, tail)) {
		record_strn(r, OPTION, s + 2, n - 2 - tail);
	}
}

bool emit_kernel_config(struct ctx *c, struct err *err)
{
	const char *s;
	struct err why;

	if (!kernel_config(c->t, c->arena, &s, &why)) {
		if (why.code != ERR_NOTFOUND)
			return *err = why, false;
		emit_none(c, &config_kind,
			  arena_printf(c->arena,
				       "no configuration: %s; /boot/config-RELEASE may "
				       "be there",
				       why.msg));
		return true;
	}
	while (*s && interrupt_check(err)) {
		size_t n = strcspn(s, "\n");
		struct record r;

		record_init(&r, &config_kind);
		record_strn(&r, LINE, s, n);
		option_fill(&r, s, n);
		emit(c, &r);
		s += n + (s[n] != '\0');
	}
	return interrupt_check(err);
}
