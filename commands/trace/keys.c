/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single keys of a terminal. */
#include "commands/trace/keys.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/shell/output.h"
#include "core/shell/session.h"

#define LINE_MAX_KEYS 1000u

static bool raw(struct keys *k)
{
	struct termios t = k->before;

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	return tcsetattr(STDIN_FILENO, TCSADRAIN, &t) == 0;
}

bool keys_open(struct keys *k, struct session *s)
{
	k->s = s;
	if (!s->sink.ops->for_people || s->stdin_busy || output_redirected(s->out) ||
	    !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetattr(STDIN_FILENO, &k->before) != 0)
		return false;
	s->out->paging = false;
	return raw(k);
}

void keys_close(struct keys *k)
{
	tcsetattr(STDIN_FILENO, TCSADRAIN, &k->before);
}

/* One byte within the time; -1 none, -2 never again. */
static int byte_read(int timeout)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char c;
	int n = poll(&p, 1, timeout);

	if (interrupted || (n < 0 && errno != EINTR))
		return KEY_END;
	if (n <= 0)
		return KEY_NONE;
	return read(STDIN_FILENO, &c, 1) == 1 ? c : KEY_END;
}

/* An arrow is ESC [ and a letter, other keys are ESC [ a number and a tilde, all at once (as xterm
 * and the Linux console have them). */
static int key_behind_escape(void)
{
	static const struct {
		char last, number;
		int key;
	} keys[] = { { 'A', 0, KEY_UP },         { 'B', 0, KEY_DOWN },   { 'C', 0, KEY_RIGHT },
		     { 'D', 0, KEY_LEFT },       { 'H', 0, KEY_HOME },   { 'F', 0, KEY_LAST },
		     { '~', '1', KEY_HOME },     { '~', '4', KEY_LAST }, { '~', '5', KEY_PAGE_UP },
		     { '~', '6', KEY_PAGE_DOWN } };
	int c = byte_read(50), number = 0;

	if (c != '[' && c != 'O')
		return KEY_NONE;
	for (c = byte_read(50); c == ';' || (c >= '0' && c <= '9'); c = byte_read(50))
		number = number ? number : c;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].last == c && (c != '~' || keys[i].number == number))
			return keys[i].key;
	return KEY_NONE;
}

int keys_read(struct keys *k, int timeout)
{
	int c;

	k->s->sink.ops->flush(&k->s->sink);
	output_flush(k->s->out);
	c = byte_read(timeout);
	if (c == 4)
		return KEY_END;
	if (c != 27)
		return c;
	return key_behind_escape();
}

bool keys_line(struct keys *k, const char *prompt, struct buf *ret)
{
	int c;

	k->s->sink.ops->flush(&k->s->sink);
	output_write(k->s->out, prompt, strlen(prompt));
	output_flush(k->s->out);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &k->before);
	buf_reset(ret);
	while ((c = byte_read(-1)) >= 0 && c != '\n' && ret->n < LINE_MAX_KEYS)
		buf_char(ret, (char)c);
	return raw(k) && c == '\n' && ret->n;
}
