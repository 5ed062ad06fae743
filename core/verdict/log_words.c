/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for the kernel's lines that checks ask for, in one go through the log or the texts. */
#include "core/verdict/log_words.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/log/printk.h"

#define LINE_SHOWN 200u
#define LINES_TOLD 4096u /* how far it is, every so many */

/* By a part of the line; the first that fits is taken. Sources: the messages of the kernels from
 * 5.10 to 7.3. */
static const struct {
	const char *part;
	enum log_word word;
} lines[] = {
	{ "emory cgroup out of memory: Kill", WORD_OOM_CGROUP },
	{ "ut of memory: Kill", WORD_OOM },
	{ "ut of memory (oom_kill_allocating_task): Kill", WORD_OOM },
	{ "page allocation failure: order:", WORD_ALLOCATION },
	{ "[Hardware Error]: event severity: corrected", WORD_CORRECTED },
	{ "[Hardware Error]: Corrected error", WORD_CORRECTED },
	{ "AER: Corrected error", WORD_CORRECTED },
	{ "PCIe Bus Error: severity=Correct", WORD_CORRECTED },
	{ " CE memory ", WORD_CORRECTED },
	{ " CE on ", WORD_CORRECTED },
	{ "PCIe Bus Error: severity=Uncorrect", WORD_UNCORRECTED },
	{ "AER: Uncorrect", WORD_UNCORRECTED },
	{ "[Hardware Error]: event severity: ", WORD_UNCORRECTED },
	{ "[Hardware Error]: Uncorrected", WORD_UNCORRECTED },
	{ "[Hardware Error]: Machine Check Exception", WORD_UNCORRECTED },
	{ " UE memory ", WORD_UNCORRECTED },
	{ " UE on ", WORD_UNCORRECTED },
	{ "temperature above threshold", WORD_HOT },
	{ "critical temperature reached", WORD_HOT },
	{ ": nobody cared", WORD_NOBODY_CARED },
	{ "Remounting filesystem read-only", WORD_FS_READ_ONLY },
	{ "forced readonly", WORD_FS_READ_ONLY },
	{ "Shutting down filesystem", WORD_FS_READ_ONLY },
	{ "Filesystem has been shut down", WORD_FS_READ_ONLY }, /* XFS, v5.18 */
	{ "EXT4-fs error", WORD_FS_ERROR },
	{ "Aborting journal on device", WORD_FS_ERROR },
	{ "Detected aborted journal", WORD_FS_ERROR },
	{ "Corruption detected", WORD_FS_ERROR },
	{ "BTRFS error", WORD_FS_ERROR },
	{ "I/O error, dev ", WORD_IO_ERROR },
	{ "Buffer I/O error on ", WORD_IO_ERROR },
	{ "RT throttling activated", WORD_RT_THROTTLED },
	{ "VFS: Cannot open root device", WORD_ROOT },
	{ "Failed to execute ", WORD_RUN_INIT },
	{ "exists but couldn't execute it", WORD_RUN_INIT },
	{ "[1]: segfault at ", WORD_INIT_FAULT },
	{ "[1] general protection fault", WORD_INIT_FAULT },
	{ "[1] trap ", WORD_INIT_FAULT },
	{ "ommand line: ", WORD_COMMAND_LINE },
	{ "emory cgroup stats for ", WORD_CGROUP },
	{ ": Manual OOM execution", WORD_OOM_ASKED }, /* "SysRq : " up to v5.1 */
	{ "Kernel panic - not syncing: ", WORD_PANIC },
	{ ": probe of ", WORD_PROBE },
	{ ": probe with driver ", WORD_PROBE },
};

/* Parts of lines by their first byte, so that one look at each byte of a log finds all of them. */
struct log_words {
	struct log_seen seen[LOG_WORDS];
	unsigned char head[256];               /* the first of lines[] that begins so, from 1 */
	unsigned char next[ARRAY_SIZE(lines)]; /* of the same byte; 0: there are no more */
};

_Static_assert(ARRAY_SIZE(lines) < 256, "numbers of lines fit in a byte");

static void words_sort(struct log_words *w)
{
	for (size_t i = ARRAY_SIZE(lines); i; i--) {
		unsigned char *head = &w->head[(unsigned char)*lines[i - 1].part];

		w->next[i - 1] = *head;
		*head = (unsigned char)i;
	}
}

/* The number in lines[] of the first that is a part of the line; ARRAY_SIZE(lines): none is. */
static size_t line_word(const struct log_words *w, const char *line, size_t n)
{
	size_t ret = ARRAY_SIZE(lines);

	for (size_t at = 0; at < n; at++)
		for (size_t i = w->head[(unsigned char)line[at]]; i && i - 1 < ret;
		     i = w->next[i - 1]) {
			const char *part = lines[i - 1].part;
			size_t len = strlen(part);

			if (n - at >= len && part[1] == line[at + 1] &&
			    !memcmp(part, line + at, len))
				ret = i - 1;
		}
	return ret;
}

static void line_see(struct triage *g, const char *line, size_t n, const char *source, uint64_t at,
		     void *arg)
{
	size_t i = line_word(g->words, line, n);
	struct log_seen *s;

	(void)arg;
	if (i == ARRAY_SIZE(lines))
		return;
	s = &g->words->seen[lines[i].word];
	s->last = arena_strndup(g->a, line, n < LINE_SHOWN ? n : LINE_SHOWN);
	if (s->n++)
		return;
	s->at = at;
	s->first = s->last;
	s->source = at == UINT64_MAX ? source
				     : arena_printf(g->a, "%s %" PRIu64 ".%06" PRIu64, source,
						    at / 1000000000, at % 1000000000 / 1000);
}

struct line_walk {
	struct triage *g;
	void (*fn)(struct triage *g, const char *line, size_t n, const char *source, uint64_t at,
		   void *arg);
	void *arg;
};

static bool message_see(const struct log_message *m, void *arg)
{
	const struct line_walk *w = arg;

	for (size_t at = 0; at < m->n;) {
		const char *nl = memchr(m->text + at, '\n', m->n - at);
		size_t n = nl ? (size_t)(nl - m->text) - at : m->n - at;

		w->fn(w->g, m->text + at, n, "log", m->time_ns, w->arg);
		at += n + 1;
	}
	return true;
}

/* The time in front stays: it tells when as well as anything. */
static void text_see(const struct line_walk *w, const struct file *f)
{
	const char *text = (const char *)f->map.p;
	size_t lines_seen = 0;

	for (size_t at = 0; at < f->map.n && !interrupted;) {
		const char *nl = memchr(text + at, '\n', f->map.n - at);
		size_t n = nl ? (size_t)(nl - text) - at : f->map.n - at, len = n;

		while (len && text[at + len - 1] == '\r')
			len--;
		w->fn(w->g, text + at, len, f->path, UINT64_MAX, w->arg);
		at += n + 1;
		if (!(++lines_seen % LINES_TOLD))
			target_tell(w->g->t, "triage: reading lines", at, f->map.n);
	}
}

void log_lines(struct triage *g,
	       void (*fn)(struct triage *g, const char *line, size_t n, const char *source,
			  uint64_t at, void *arg),
	       void *arg)
{
	struct line_walk w = { g, fn, arg };
	struct err ignored;

	for (size_t i = 0; i < g->t->report_texts.n; i++)
		text_see(&w, g->t->report_texts.p[i]);
	/* what is lost of it was told when reports were looked for */
	if (!g->from_text)
		(void)!log_each(g->t, message_see, NULL, &w, &ignored);
}

const struct log_seen *log_seen(struct triage *g, enum log_word word)
{
	if (!g->words) {
		g->words = ARENA_NEW(g->a, struct log_words);
		memset(g->words, 0, sizeof(*g->words));
		words_sort(g->words);
		log_lines(g, line_see, NULL);
	}
	return &g->words->seen[word];
}

void claim_word(struct triage *g, struct claim *c, enum log_word word)
{
	const struct log_seen *s = log_seen(g, word);

	if (s->n)
		claim_support(g, c, s->source, "%s", s->first);
}
