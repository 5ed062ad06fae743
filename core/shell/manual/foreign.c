/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages and hints for people who come from another tool, made of its table of words. */
#include <string.h>

#include "core/base/buf.h"
#include "core/shell/manual/foreign.h"
#include "core/shell/manual/paragraph.h"

const struct foreign_tool *const foreign_tools[] = { &foreign_crash, &foreign_gdb, &foreign_drgn,
						     NULL };

const struct foreign_tool *foreign_tool_find(const char *name)
{
	for (size_t i = 0; foreign_tools[i]; i++)
		if (!strcmp(foreign_tools[i]->name, name))
			return foreign_tools[i];
	return NULL;
}

static bool same_word(const struct foreign_word *w)
{
	return w->ours && !strcmp(w->word, w->ours);
}

static void same_words(struct buf *b, const struct foreign_tool *tool)
{
	struct buf list = { 0 };
	unsigned n = 0;

	for (size_t i = 0; i < tool->n; i++)
		if (same_word(&tool->words[i]))
			buf_printf(&list, "%s%s", n++ ? " " : "", tool->words[i].word);
	if (n) {
		buf_str(b, "\nTHE SAME WORDS\n");
		manual_wrap(b, buf_text(&list), 2);
	}
	buf_release(&list);
}

/* "word    ours", and below it the note. */
static void one_word(struct buf *b, const struct foreign_word *w, size_t width)
{
	size_t start = b->n;

	buf_printf(b, "  %s", w->word);
	if (b->n - start > width)
		buf_char(b, '\n');
	else
		buf_pad(b, ' ', width + 2 - (b->n - start));
	if (b->s[b->n - 1] == '\n')
		buf_pad(b, ' ', width + 2);
	manual_hang(b, w->ours ? w->ours : "(none)", width + 2);
	if (w->note) {
		buf_pad(b, ' ', width + 4);
		manual_hang(b, w->note, width + 4);
	}
}

void foreign_page(struct buf *b, const struct foreign_tool *tool)
{
	const size_t width = 26;

	buf_printf(b, "NAME\n  %s - its words, and what to type here\n\nDESCRIPTION\n", tool->name);
	manual_wrap(b, tool->about, 2);
	same_words(b, tool);
	buf_str(b, "\nOTHER WORDS, AND WHAT DIFFERS\n");
	for (size_t i = 0; i < tool->n; i++)
		if (!same_word(&tool->words[i]) || tool->words[i].note)
			one_word(b, &tool->words[i], width);
}

const char *foreign_difference(const struct command *cmd)
{
	for (size_t i = 0; i < foreign_crash.n; i++)
		if (!strcmp(foreign_crash.words[i].word, cmd->name))
			return foreign_crash.words[i].note;
	return NULL;
}

void foreign_hint(struct buf *b, const char *word)
{
	for (size_t i = 0; foreign_tools[i]; i++)
		for (size_t k = 0; k < foreign_tools[i]->n; k++) {
			const struct foreign_word *w = &foreign_tools[i]->words[k];

			if (strcmp(w->word, word) != 0)
				continue;
			if (w->ours)
				buf_printf(b, "; for %s's type '%s'", foreign_tools[i]->name,
					   w->ours);
			else
				buf_printf(b, "; %s's: %s", foreign_tools[i]->name, w->note);
			return;
		}
}
