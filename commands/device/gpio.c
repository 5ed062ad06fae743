/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpio: the lines of every GPIO chip, and who requested them. */
#include "core/obit.h"
#include "core/linux/device/board.h"
#include "core/records/device_record.h"

enum {
	NUMBER,
	CHIP,
	OFFSET,
	USER,
	DIRECTION,
	FLAGS,
	NAME,
	DEVICE,
	ACTIVE_LOW,
	IRQ,
	HOGGED,
	ADDR
};
/* Those that matter, in words. */
static void flags_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)cell;
	buf_str(b, r->cells[ACTIVE_LOW].b ? "active-low " : "");
	buf_str(b, r->cells[IRQ].b ? "irq " : "");
	buf_str(b, r->cells[HOGGED].b ? "hogged" : "");
}

static const struct record_field fields[] = {
	[NUMBER] = { "number", NULL, CELL_UINT, FIELD_RIGHT, "among all lines" },
	[CHIP] = { "chip", NULL, CELL_STR, 0, "the chip's label" },
	[OFFSET] = { "offset", NULL, CELL_UINT, FIELD_RIGHT, "among the chip's" },
	[USER] = { "user", NULL, CELL_STR, 0, "who requested it" },
	[DIRECTION] = { "direction", NULL, CELL_STR, 0, "in or out" },
	[FLAGS] = { "flags", NULL, CELL_HEX, 0, "of struct gpio_desc", .text = flags_text },
	[NAME] = { "name", NULL, CELL_STR, 0, "the line's name on the board" },
	[DEVICE] = { "device", NULL, CELL_STR, FIELD_JSON, "the chip's device" },
	[ACTIVE_LOW] = { "active_low", NULL, CELL_BOOL, FIELD_JSON, "a low level means active" },
	[IRQ] = { "irq", NULL, CELL_BOOL, FIELD_JSON, "it is used as an interrupt" },
	[HOGGED] = { "hogged", NULL, CELL_BOOL, FIELD_JSON, "the chip's node claims it" },
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct gpio_desc" },
};
static const struct record_kind gpio_kind = { "gpio", "a GPIO line", LAYOUT_TABLE,
					      NULL,   fields,        ARRAY_SIZE(fields) };

struct gpio_opts {
	bool all;
};
static const struct option opts[] = {
	{ "a", NULL, OPTION_FLAG, offsetof(struct gpio_opts, all),
	  "every line, not only those that somebody requested" },
};

static bool gpio_show(const struct gpio_line *g, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &gpio_kind);
	record_uint(&r, NUMBER, g->number);
	record_str(&r, CHIP, g->chip);
	record_uint(&r, OFFSET, g->offset);
	record_str(&r, USER, g->user);
	record_str(&r, DIRECTION, g->out ? "out" : "in");
	record_str(&r, NAME, g->name);
	record_str(&r, DEVICE, g->device);
	record_bool(&r, ACTIVE_LOW, g->active_low);
	record_bool(&r, IRQ, g->irq);
	record_bool(&r, HOGGED, g->hogged);
	record_uint(&r, FLAGS, g->flags);
	record_uint(&r, ADDR, g->addr);
	emit(c, &r);
	return true;
}

static bool gpio_run(struct ctx *c, struct err *err)
{
	const struct gpio_opts *o = c->opts;

	return emit_walked(c, gpios_each(c->t, !o->all, gpio_show, c, err), err);
}

static const struct record_kind *const emits[] = { &gpio_kind, NULL };
static const struct example examples[] = {
	{ "gpio", "lines that somebody requested" },
	{ "gpio -a", "every line of every chip" },
};
const struct command cmd_gpio = {
	.name = "gpio",
	.group = "system",
	.summary = "GPIO lines and their users",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	OPTS(opts),
	.opts_size = sizeof(struct gpio_opts),
	.emits = emits,
	.none = "no such GPIO line",
	.help = "Prints the GPIO lines that somebody requested, by chip: who did, and in which "
		"direction the kernel set it. The level of a line stands in the chip's registers, "
		"which no dump has.",
	EXAMPLES(examples),
	.run = gpio_run,
};
