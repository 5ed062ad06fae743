/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes that somebody knows, as a file lists them. */
#include "core/shell/fleet/known.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"

static const char *note_at(struct known *k, const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return arena_strdup(k->a, s);
}

/* "o2:" and the like */
static bool is_signature(const char *s)
{
	return s[0] == 'o' && isdigit((unsigned char)s[1]) && s[2] == ':';
}

/* "KIND:FUNCTION" of a signature; NULL: it has no function. */
static const char *kind_and_function(struct arena *a, const char *signature)
{
	const char *kind = signature + 3, *colon = strchr(kind, ':');
	size_t n = colon ? strcspn(colon + 1, ": \t\r") : 0;

	if (!n || (n == 1 && colon[1] == '-'))
		return NULL;
	return arena_strndup(a, kind, (size_t)(colon + 1 - kind) + n);
}

/* The first form hashed how the kernel came to the function as well. */
static void older_add(struct known *k, const char *s)
{
	const char *key = kind_and_function(k->a, s);

	if (key)
		*strmap_put(&k->older, key, NULL) = (uintptr_t)note_at(k, s + strcspn(s, " \t\r"));
}

static void word_add(struct known *k, struct strmap *m, const char *s)
{
	size_t n = strcspn(s, " \t\r");

	*strmap_put(m, arena_strndup(k->a, s, n), NULL) = (uintptr_t)note_at(k, s + n);
}

static void title_add(struct known *k, const char *s)
{
	size_t n = strcspn(s, "\t\r");
	const char *two = strstr(s, "  ");

	if (two && (size_t)(two - s) < n)
		n = (size_t)(two - s);
	*vec_push(&k->titles) = (struct known_glob){ arena_strndup(k->a, s, n), note_at(k, s + n) };
}

static bool line_add(struct known *k, char *s)
{
	size_t n = strlen(s);

	while (n && isspace((unsigned char)s[n - 1]))
		s[--n] = '\0';
	while (isspace((unsigned char)*s))
		s++;
	if (!*s || *s == '#')
		return true;
	if (is_signature(s) && s[1] == '1')
		older_add(k, s);
	else if (is_signature(s))
		word_add(k, &k->signatures, s);
	else if (!strncmp(s, "function:", 9) && s[9] && !isspace((unsigned char)s[9]))
		word_add(k, &k->functions, s + 9);
	else if (!strncmp(s, "title:", 6) && s[6])
		title_add(k, s + 6 + strspn(s + 6, " "));
	else
		return false;
	return true;
}

bool known_read(struct known *k, const char *path, struct err *err)
{
	FILE *f = fopen(path, "re");
	unsigned number = 0;
	char *line = NULL;
	size_t cap = 0;
	bool ok = true;
	int why = 0;

	if (!f)
		return err_set_errno(err, "'%.150s'", path);
	while (ok && file_line(f, &line, &cap, &why) > 0) {
		number++;
		ok = line_add(k, line) ||
		     err_set(err, ERR_FORMAT,
			     "'%.100s', line %u: neither a signature (o2:...) nor 'function:NAME' "
			     "nor 'title:GLOB'",
			     path, number);
	}
	errno = why;
	if (ok && why)
		ok = err_set_errno(err, "'%.150s'", path);
	free(line);
	fclose(f);
	return ok;
}

static const char *in(const struct strmap *m, const char *key)
{
	const uint64_t *note = key ? strmap_get(m, key) : NULL;

	return note ? (const char *)(uintptr_t)*note : NULL;
}

const char *known_find(const struct known *k, const char *signature, const char *function,
		       const char *title)
{
	const char *note = in(&k->signatures, signature);

	if (!note && signature && is_signature(signature))
		note = in(&k->older, kind_and_function(k->a, signature));
	if (!note)
		note = in(&k->functions, function);
	for (size_t i = 0; !note && title && i < k->titles.n; i++)
		if (!fnmatch(k->titles.p[i].title, title, 0))
			note = k->titles.p[i].note;
	return note;
}

void known_release(struct known *k)
{
	strmap_release(&k->signatures);
	strmap_release(&k->older);
	strmap_release(&k->functions);
	vec_release(&k->titles);
}
