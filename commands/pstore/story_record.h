/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story that survived, as records: messages with their sources, calls with their names. */
#ifndef OBIT_STORY_RECORD_H
#define OBIT_STORY_RECORD_H

#include "core/linux/pstore/story.h"
#include "core/shell/command.h"

/* "message" and "event" */
extern const struct record_kind story_message_kind, story_event_kind;

/* source: say where the line was found. */
void story_message_emit(struct ctx *c, const struct story_line *l, bool source);
/* The calls of some records, merged; with names, and a note on where these come from. */
bool story_calls_emit(struct ctx *c, const struct survivor *const *v, size_t n,
		      struct err *err) MUST_CHECK;

#endif
