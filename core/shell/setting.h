/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings that the prompt's `set`, the program's options and the configuration share: how text
 * looks, and how many processes work. */
#ifndef OBIT_SETTING_H
#define OBIT_SETTING_H

#include "core/shell/session.h"

/* The words that --color takes, in the order of enum color_when; NULL at the end. */
extern const char *const color_words[];

/* Sets one of color, links, ascii and jobs. False, ERR_USAGE: the value is none of its, or is NULL.
 * False, ERR_NOTFOUND: another name. */
bool setting_take(struct session *s, const char *name, const char *value,
		  struct err *err) MUST_CHECK;
/* Looks where stdout and stderr lead and what the environment says, and lets the sink and the
 * output be as the session's settings have it. */
void setting_apply(struct session *s);

#endif
