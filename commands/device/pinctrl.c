/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pinctrl: the pins of every controller, who owns them and what they are switched to. */
#include "core/obit.h"
#include "core/linux/device/board.h"
#include "core/records/device_record.h"

enum {
	CONTROLLER,
	NUMBER,
	NAME,
	OWNER,
	GPIO,
	FUNCTION,
	GROUP,
	USES,
	ADDR
};
static const struct record_field fields[] = {
	[CONTROLLER] = { "controller", NULL, CELL_STR, 0, "the controller's device" },
	[NUMBER] = { "number", "PIN", CELL_UINT, FIELD_RIGHT, "the pin's number" },
	[NAME] = { "name", NULL, CELL_STR, 0, "and its name" },
	[OWNER] = { "owner", NULL, CELL_STR, 0, "the device that it is switched for" },
	[GPIO] = { "gpio_owner", "GPIO", CELL_STR, 0, "who uses it as a GPIO" },
	[FUNCTION] = { "function", NULL, CELL_STR, 0, "what it is switched to" },
	[GROUP] = { "group", NULL, CELL_STR, 0, "the pins that were switched with it" },
	[USES] = { "uses", NULL, CELL_UINT, FIELD_JSON, "how often it is switched" },
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct pin_desc" },
};
static const struct record_kind pin_kind = { "pin", "a pin", LAYOUT_TABLE,
					     NULL,  fields,  ARRAY_SIZE(fields) };

enum {
	STATE_DEVICE,
	STATE_NAME,
	STATE_CURRENT,
	STATE_SETTINGS,
	STATE_ADDR
};

static void current_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	(void)k, (void)r;
	buf_str(b, cell->b ? "yes" : "");
}

static const struct record_field state_fields[] = {
	[STATE_DEVICE] = { "device", NULL, CELL_STR, 0, "whose pins they are" },
	[STATE_NAME] = { "state", NULL, CELL_STR, 0, "the state's name: default, sleep, ..." },
	[STATE_CURRENT] = { "current", "NOW", CELL_BOOL, 0, "it is the one that they are in",
			    .text = current_text },
	[STATE_SETTINGS] = { "settings", NULL, CELL_STRS, 0, "what each controller is told in it" },
	[STATE_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON,
			 "address of its struct pinctrl_state" },
};
static const struct record_kind state_kind = {
	"pin_state",  "a state of a device's pins (pinctrl -s)",
	LAYOUT_TABLE, NULL,
	state_fields, ARRAY_SIZE(state_fields)
};

struct pin_opts {
	bool all, states;
};
static const struct option opts[] = {
	{ "a", NULL, OPTION_FLAG, offsetof(struct pin_opts, all),
	  "every pin, not only those in use" },
	{ "s", NULL, OPTION_FLAG, offsetof(struct pin_opts, states),
	  "the states that each device has for its pins, and the one they are in" },
};

static bool pinctrl_show(const struct pin *p, void *arg)
{
	struct record r;

	record_init(&r, &pin_kind);
	record_str(&r, CONTROLLER, p->controller);
	record_uint(&r, NUMBER, p->number);
	record_str(&r, NAME, p->name);
	record_str(&r, OWNER, p->owner);
	record_str(&r, GPIO, p->gpio_owner);
	record_str(&r, FUNCTION, p->function);
	record_str(&r, GROUP, p->group);
	record_uint(&r, USES, p->uses);
	record_uint(&r, ADDR, p->addr);
	emit(arg, &r);
	return true;
}

static bool show_state(const struct pin_state *s, void *arg)
{
	struct record r;

	record_init(&r, &state_kind);
	record_str(&r, STATE_DEVICE, s->device);
	record_str(&r, STATE_NAME, s->name);
	record_bool(&r, STATE_CURRENT, s->current);
	if (s->n_settings)
		record_strs(&r, STATE_SETTINGS, s->settings, s->n_settings);
	record_uint(&r, STATE_ADDR, s->addr);
	emit(arg, &r);
	return true;
}

static bool pinctrl_run(struct ctx *c, struct err *err)
{
	const struct pin_opts *o = c->opts;

	if (o->states)
		return emit_walked(c, pin_states_each(c->t, show_state, c, err), err);
	return emit_walked(c, pins_each(c->t, !o->all, pinctrl_show, c, err), err);
}

static const struct record_kind *const emits[] = { &pin_kind, &state_kind, NULL };
static const struct example examples[] = {
	{ "pinctrl", "pins in use" },
	{ "pinctrl -s", "which states devices have for their pins" },
};
const struct command cmd_pinctrl = {
	.name = "pinctrl",
	.group = "system",
	.summary = "pins and what they are switched to",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	OPTS(opts),
	.opts_size = sizeof(struct pin_opts),
	.emits = emits,
	.none = "no such pin",
	.help = "Prints the pins in use, by controller: the device that owns each, its function and "
		"group, and who uses it as a GPIO. Functions and groups are numbers where the "
		"driver keeps their names to itself.",
	EXAMPLES(examples),
	.run = pinctrl_run,
};
