/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hostile strings inside the languages of other programs: HTML and XML, Markdown, the workflow
 * commands of GitHub. What a terminal would act on is escaped as buf_plain() does it, in each. */
#ifndef OBIT_MARKUP_H
#define OBIT_MARKUP_H

#include "core/base/buf.h"

/* Appends the n bytes at s as text, or as a value between double quotes, of HTML, XML 1.0 or SVG.
 */
void buf_markup(struct buf *b, const char *s, size_t n);
/* Appends them as words of a paragraph or of a table's cell in Markdown as GitHub and GitLab have
 * it. They form no link, no mention of a person, and no reference to an issue. */
void buf_markdown(struct buf *b, const char *s, size_t n);
/* Appends them as a code span of such a paragraph or cell; of nothing it makes nothing. */
void buf_markdown_code(struct buf *b, const char *s, size_t n);
/* How long the fence of a block of code must be that is to hold the n bytes at s: longer than any
 * run of backticks in them, and at least 3. */
size_t markdown_fence(const char *s, size_t n);
/* Appends them as the message of a workflow command ("::error::MESSAGE"), or, with property, as the
 * value of one of its properties ("::error title=VALUE::"). */
void buf_workflow(struct buf *b, const char *s, size_t n, bool property);
/* Appends them as a relative reference of a URI: "fs/a%20b.c". */
void buf_uri(struct buf *b, const char *s, size_t n);

#endif
