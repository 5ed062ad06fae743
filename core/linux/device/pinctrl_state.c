/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of pins that devices asked for, and which of them each is in. */
#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/base/guard.h"
#include "core/linux/device/board.h"
#include "core/linux/subsystem.h"

#define SETTINGS_MAX 4096u /* of a state */

static const char handle_type[] = "struct pinctrl", state_type[] = "struct pinctrl_state",
		  setting_type[] = "struct pinctrl_setting";

/* include/linux/pinctrl/machine.h: enum pinctrl_map_type */
enum {
	MAP_MUX_GROUP = 2,
	MAP_CONFIGS_PIN,
	MAP_CONFIGS_GROUP
};

struct state_walk {
	struct target *t;
	bool (*fn)(const struct pin_state *s, void *arg);
	void *arg;
	const char *device;
	uint64_t dev, current;
	uint64_t states, state, settings, setting, data; /* offsets */
	VEC(const char *) texts;
	struct guard guard;
	bool stopped;
	struct err err; /* the first that broke */
};

static bool setting_found(uint64_t addr, void *arg)
{
	static const char mux[] = "struct pinctrl_setting_mux";
	struct state_walk *w = arg;
	uint64_t type, pctl, function, group, data = addr + w->data;
	const char *controller;
	struct buf b = { 0 };
	struct err err;

	if (!field_u64(w->t, setting_type, addr, "type", &type, &err) ||
	    !field_u64(w->t, setting_type, addr, "pctldev", &pctl, &err))
		return board_go_on(&w->err, &err);
	controller = board_device(w->t, "struct pinctrl_dev", pctl, "dev");
	buf_printf(&b, "%s: ", controller ? controller : "?");
	if (type == MAP_MUX_GROUP && field_u64(w->t, mux, data, "func", &function, &err) &&
	    field_u64(w->t, mux, data, "group", &group, &err))
		buf_printf(&b, "function %s on group %s", pin_function_name(w->t, pctl, function),
			   pin_group_name(w->t, pctl, group));
	else if (type == MAP_CONFIGS_PIN || type == MAP_CONFIGS_GROUP)
		pin_configs_text(w->t, &b, data, pctl, type == MAP_CONFIGS_GROUP);
	else
		buf_str(&b, "nothing");
	*vec_push(&w->texts) = arena_strndup(w->t->scratch, buf_text(&b), b.n);
	buf_release(&b);
	return w->texts.n < SETTINGS_MAX;
}

static bool state_found(uint64_t addr, void *arg)
{
	struct state_walk *w = arg;
	struct pin_state s = {
		.addr = addr, .dev = w->dev, .device = w->device, .current = addr == w->current
	};
	const char **kept;
	struct err err;

	if (!guard_step(&w->guard, addr, &err)) {
		w->stopped = true;
		return board_go_on(&w->err, &err) && false;
	}
	if (!subsystem_text(w->t, state_type, addr, "name", &s.name, &err) &&
	    !board_go_on(&w->err, &err))
		return false;
	w->texts.n = 0;
	if (!list_each(w->t, addr + w->settings, w->setting, "settings of pins", setting_found, w,
		       &err) &&
	    !board_go_on(&w->err, &err))
		return false;
	kept = ARENA_ARRAY(w->t->scratch, const char *, w->texts.n + 1);
	for (size_t i = 0; i < w->texts.n; i++)
		kept[i] = w->texts.p[i];
	s.settings = kept;
	s.n_settings = w->texts.n;
	w->stopped = !w->fn(&s, w->arg);
	return !w->stopped;
}

static bool handle_found(uint64_t addr, void *arg)
{
	struct state_walk *w = arg;
	struct err err;

	if (!field_u64(w->t, handle_type, addr, "dev", &w->dev, &err))
		w->dev = 0;
	w->device = board_device(w->t, NULL, w->dev, NULL);
	if (!field_u64(w->t, handle_type, addr, "state", &w->current, &err))
		w->current = 0;
	if (!list_each(w->t, addr + w->states, w->state, "states of pins", state_found, w, &err) &&
	    !board_go_on(&w->err, &err))
		return false;
	return !w->stopped;
}

bool pin_states_each(struct target *t, bool (*fn)(const struct pin_state *s, void *arg), void *arg,
		     struct err *err)
{
	struct state_walk w = { .t = t, .fn = fn, .arg = arg };
	uint64_t head, link;
	struct err why;

	if (!subsystem_symbol(t, "pinctrl_list", "states of pins", &head, err) ||
	    !field_offset(t, handle_type, "node", &link, err) ||
	    !field_offset(t, handle_type, "states", &w.states, err) ||
	    !field_offset(t, state_type, "node", &w.state, err) ||
	    !field_offset(t, state_type, "settings", &w.settings, err) ||
	    !field_offset(t, setting_type, "node", &w.setting, err) ||
	    !field_offset(t, setting_type, "data", &w.data, err))
		return false;
	guard_init(&w.guard, "states of pins", PARTS_MAX);
	if (!list_each(t, head, link, "states of pins", handle_found, &w, &why) &&
	    !board_go_on(&w.err, &why))
		w.err = why;
	vec_release(&w.texts);
	*err = w.err;
	return err->code == ERR_OK;
}
