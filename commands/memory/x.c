/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x: gdb's word for looking at memory; rd and dis do it. */
#include <inttypes.h>
#include <string.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/shell/stage.h"

#define COUNT_MAX 1000000u

/* gdb's "/4xg": how many, how each is shown, and how large each is. */
struct x_format {
	uint64_t count;
	char letter; /* x d u a c s i */
	char size;   /* b h w g; 0: the machine's word */
};

static bool format_parse(const char *word, struct x_format *ret, struct err *err)
{
	size_t digits = strspn(word, "0123456789");
	char number[24];

	*ret = (struct x_format){ .count = 1, .letter = 'x' };
	if (digits >= sizeof(number))
		return err_set(err, ERR_USAGE, "1 to %u can be shown", COUNT_MAX);
	if (digits) {
		memcpy(number, word, digits);
		number[digits] = '\0';
		if (!parse_number(number, false, &ret->count) || !ret->count ||
		    ret->count > COUNT_MAX)
			return err_set(err, ERR_USAGE, "1 to %u can be shown", COUNT_MAX);
	}
	for (word += digits; *word; word++) {
		if (strchr("bhwg", *word))
			ret->size = *word;
		else if (strchr("xduacsi", *word))
			ret->letter = *word;
		else
			return err_set(
				err, ERR_USAGE,
				"'%c' is neither a format (x d u a c s i) nor a size (b h w g)",
				*word);
	}
	return ret->letter != 's' || ret->count == 1 ||
	       err_set(err, ERR_USAGE, "one string at a time");
}

/* The line that does it. The address is one word there, whatever blanks it has. */
static const char *line_of(struct ctx *c, const struct x_format *f, const char *addr)
{
	static const char sizes[] = "bhwg";
	static const char *const options[] = { "-8 ", "-16 ", "-32 ", "-64 " };
	const char *size = f->size ? options[strchr(sizes, f->size) - sizes] : "";
	const char *form = f->letter == 'd' ? "-d " : f->letter == 'u' ? "-D " : "";

	if (strpbrk(addr, " \t"))
		addr = arena_printf(c->arena, "(%s)", addr);
	switch (f->letter) {
	case 's':
		return arena_printf(c->arena, "rd -a %s", addr);
	case 'c':
		return arena_printf(c->arena, "rd -a %s %" PRIu64, addr, f->count);
	case 'i':
		return arena_printf(c->arena, "dis %s %" PRIu64, addr, f->count);
	case 'a':
		return arena_printf(c->arena, "rd -s %s %" PRIu64, addr, f->count);
	default:
		return arena_printf(c->arena, "rd %s%s%s %" PRIu64, form, size, addr, f->count);
	}
}

static bool x_run(struct ctx *c, struct err *err)
{
	const char *addr = c->rest;
	struct x_format f = { .count = 1, .letter = 'x' };

	if (c->argc && *c->argv[0] == '/') {
		if (!format_parse(c->argv[0] + 1, &f, err))
			return false;
		addr += strlen(c->argv[0]);
		addr += strspn(addr, " \t");
	}
	if (!c->argc || !*addr)
		return err_set(err, ERR_USAGE, "an address is wanted");
	return stage_run(c, line_of(c, &f, addr)) || err_set(err, ERR_INTR, "interrupted");
}

static const struct example examples[] = {
	{ "x/4xg init_task", "four words of eight bytes, as 'rd -64 init_task 4'" },
	{ "x/s linux_banner", "a string, as 'rd -a linux_banner'" },
	{ "x/3i schedule", "three instructions, as 'dis schedule 3'" },
};
const struct command cmd_x = {
	.name = "x",
	.group = "memory",
	.summary = "gdb's way to read memory: rd and dis do it",
	.needs = NEED_DUMP,
	.formats = true,
	.operands = "[/count format size] address",
	.completes = COMPLETE_SYMBOL,
	.help = "Runs rd or dis, and prints what they do. x/4xg ADDR is 'rd -64 ADDR 4': the sizes b, h, w and g are 1, 2, 4 and "
		"8 bytes; without one words are of the machine's size. x is hexadecimal, d and u are decimal, a is the symbol that a "
		"word points to ('rd -s'), c are characters and s is a string ('rd -a'), i are instructions ('dis'). The address is "
		"an expression, as p takes it: a variable means its own address, where gdb has its value.",
	EXAMPLES(examples),
	.run = x_run,
};
