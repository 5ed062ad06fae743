/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single keys of a terminal, for commands that are steered while they run. */
#ifndef OBIT_KEYS_H
#define OBIT_KEYS_H

#include <termios.h>

#include "core/base/buf.h"

struct session;

struct keys {
	struct session *s;
	struct termios before;
};
enum key {
	KEY_NONE = -1, /* nobody pressed any in time */
	KEY_END = -2,  /* the terminal is gone, or Ctrl-C or Ctrl-D was pressed */
	/* arrows and their like, behind all characters */
	KEY_LEFT = 256,
	KEY_RIGHT,
	KEY_UP,
	KEY_DOWN,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_LAST, /* the key that is called End */
};

/* Takes the terminal over: keys come one by one and are not shown, and long output is not paged.
 * False: input or output is no terminal, or output is redirected. */
bool keys_open(struct keys *k, struct session *s) MUST_CHECK;
void keys_close(struct keys *k);
/* What was emitted so far is shown, then a key is waited for; timeout in ms, -1: for ever. */
int keys_read(struct keys *k, int timeout);
/* A line of text, edited as the terminal does that; false: none was given. */
bool keys_line(struct keys *k, const char *prompt, struct buf *ret);

#endif
