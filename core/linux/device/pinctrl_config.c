/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pins are configured to: words that are the driver's own, or those that all drivers share. */
#include <ctype.h>
#include <string.h>

#include "core/linux/device/board.h"
#include "core/types/shape.h"

#define CONFIGS_MAX 64u /* of a setting */

/* Whether a controller (struct pinctrl_dev) takes the words of enum pin_config_param. */
static bool is_generic(struct target *t, uint64_t pctl)
{
	uint64_t at, generic;
	struct err ignored;

	return field_u64(t, "struct pinctrl_dev", pctl, "desc", &at, &ignored) && at &&
	       field_u64(t, "struct pinctrl_desc", at, "confops", &at, &ignored) && at &&
	       field_u64(t, "struct pinconf_ops", at, "is_generic", &generic, &ignored) && generic;
}

/* "bias-pull-up=4700" of include/linux/pinctrl/pinconf-generic.h: the parameter is the low byte,
 * and named as in a device tree, which is how the kernel's enum names it. Those of a driver's own
 * have no name there. */
static bool generic_text(const struct type *params, struct buf *b, uint64_t word)
{
	static const char prefix[] = "PIN_CONFIG_";
	const struct enumerator *e;
	size_t n;

	e = type_enumerators(params, &n);
	for (size_t i = 0; i < n; i++) {
		const char *name = e[i].name;

		/* PIN_CONFIG_END and PIN_CONFIG_MAX only say where the shared ones end */
		if (e[i].value != (word & 0xff) || e[i].value >= 0x7f ||
		    strncmp(name, prefix, strlen(prefix)) != 0)
			continue;
		for (name += strlen(prefix); *name; name++)
			buf_char(b, *name == '_' ? '-' : (char)tolower((unsigned char)*name));
		buf_printf(b, "=%llu", (unsigned long long)(word >> 8 & 0xffffff));
		return true;
	}
	return false;
}

void pin_configs_text(struct target *t, struct buf *b, uint64_t configs, uint64_t pctl, bool group)
{
	static const char type[] = "struct pinctrl_setting_configs";
	const struct type *params = NULL;
	uint64_t which, at, n, word;
	struct err ignored;

	if (!field_u64(t, type, configs, "group_or_pin", &which, &ignored) ||
	    !field_u64(t, type, configs, "configs", &at, &ignored) ||
	    !field_u64(t, type, configs, "num_configs", &n, &ignored)) {
		buf_str(b, "?");
		return;
	}
	if (!is_generic(t, pctl) || !type_find(t, "enum pin_config_param", &params, &ignored))
		params = NULL;
	buf_printf(b, "config of %s %s:", group ? "group" : "pin",
		   group ? pin_group_name(t, pctl, which) : pin_name(t, pctl, which));
	for (uint64_t i = 0; i < n && i < CONFIGS_MAX; i++) {
		if (!mem_ptr(t, at + i * t->arch->word, &word, &ignored)) {
			buf_str(b, " ?");
			return;
		}
		buf_char(b, ' ');
		if (!params || !generic_text(params, b, word))
			buf_printf(b, "0x%llx", (unsigned long long)word);
	}
	if (n > CONFIGS_MAX)
		buf_str(b, " ...");
}
