/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where gdb finds the dump. A dump is full of secrets, so no other machine is let in. */
#include "core/shell/gdb/gdb_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/vec.h"

#define WAITING 1 /* who comes while one is served is sent away */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un un;
};

static bool listen_at(struct gdb_listener *l, const union address *a, socklen_t n, struct err *err)
{
	int on = 1;

	l->fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (l->fd >= 0 && !setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    !bind(l->fd, &a->any, n) && !listen(l->fd, WAITING))
		return true;
	err_set_errno(err, "cannot listen there");
	if (l->fd >= 0)
		(void)close(l->fd);
	return false;
}

/* ---- ports */

static const struct {
	const char *begin;
	bool v6;
} hosts[] = { { "127.0.0.1:", false }, { "localhost:", false }, { "[::1]:", true }, { "", false } };

static bool read_port(const char *where, uint64_t *port, bool *v6)
{
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		size_t n = strlen(hosts[i].begin);

		*v6 = hosts[i].v6;
		if (!strncmp(where, hosts[i].begin, n))
			return number_parse(where + n, 10, port) && *port <= UINT16_MAX;
	}
	return false;
}

static bool listen_port(struct gdb_listener *l, const char *where, struct err *err)
{
	union address a = { 0 };
	socklen_t n = sizeof(a);
	uint64_t port;
	bool v6;

	if (!read_port(where, &port, &v6))
		return err_set(err, ERR_USAGE,
			       "'%.60s' is neither a port of this machine nor a path with a '/'",
			       where);
	if (v6)
		a.v6 = (struct sockaddr_in6){ .sin6_family = AF_INET6,
					      .sin6_port = htons((uint16_t)port),
					      .sin6_addr = in6addr_loopback };
	else
		a.v4 = (struct sockaddr_in){ .sin_family = AF_INET,
					     .sin_port = htons((uint16_t)port),
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (!listen_at(l, &a, v6 ? sizeof(a.v6) : sizeof(a.v4), err))
		return false;
	(void)getsockname(l->fd, &a.any, &n);
	buf_printf(&l->name, "%s:%u", v6 ? "[::1]" : "127.0.0.1",
		   ntohs(v6 ? a.v6.sin6_port : a.v4.sin_port));
	return true;
}

/* ---- Unix sockets */

/* Removes a socket that a server left behind, at which nobody listens any more. */
static void remove_dead(const union address *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat st;

	if (fd < 0)
		return;
	if (!lstat(a->un.sun_path, &st) && S_ISSOCK(st.st_mode) &&
	    connect(fd, &a->any, sizeof(a->un)) && errno == ECONNREFUSED)
		(void)unlink(a->un.sun_path);
	(void)close(fd);
}

static bool listen_path(struct gdb_listener *l, const char *path, struct err *err)
{
	union address a = { .un = { .sun_family = AF_UNIX } };
	struct stat st;
	mode_t was;
	bool ok;

	if (strlen(path) >= sizeof(a.un.sun_path))
		return err_set(err, ERR_USAGE, "the path is longer than %zu bytes",
			       sizeof(a.un.sun_path) - 1);
	memcpy(a.un.sun_path, path, strlen(path) + 1);
	remove_dead(&a);
	was = umask(0177); /* mode 0600 from the beginning */
	ok = listen_at(l, &a, sizeof(a.un), err);
	(void)umask(was);
	if (!ok)
		return false;
	l->path = path;
	if (!lstat(path, &st)) {
		l->dev = st.st_dev;
		l->ino = st.st_ino;
	}
	buf_str(&l->name, path);
	return true;
}

bool gdb_listen(struct gdb_listener *ret, const char *where, struct err *err)
{
	*ret = (struct gdb_listener){ .fd = -1 };
	return strchr(where, '/') ? listen_path(ret, where, err) : listen_port(ret, where, err);
}

void gdb_listener_close(struct gdb_listener *l)
{
	struct stat st;

	(void)close(l->fd);
	if (l->path && !lstat(l->path, &st) && st.st_dev == l->dev && st.st_ino == l->ino)
		(void)unlink(l->path);
	buf_release(&l->name);
}
