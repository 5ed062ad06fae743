/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands for libkdumpfile_child.c where obit was built without libkdumpfile's header. */
#include <string.h>
#include <sys/socket.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/outfile.h"
#include "readers/dump/libkdumpfile_child.h"

int kd_serve(void *arg)
{
	static const char why[] =
		"this obit was built without libkdumpfile, which reads dumps of this form (make "
		"finds it once its header is there; Debian: libkdumpfile-dev)";
	const struct kd_task *task = arg;
	uint32_t n = (uint32_t)strlen(why), room = (n + 7) & ~7u, nothing = 0;
	struct kd_fact failed = { .size = (uint32_t)sizeof(failed) + room,
				  .type = KD_FAILED,
				  .data_n = n,
				  .number = ERR_NEED };
	struct kd_fact end = { .size = sizeof(end), .type = KD_END };
	struct buf out = { 0 };
	bool ok = true;

	buf_add(&out, &failed, sizeof(failed));
	buf_add(&out, why, n);
	buf_pad(&out, '\0', room - n);
	buf_add(&out, &end, sizeof(end));
	if (task->facts >= 0)
		ok = fd_write(task->facts, out.s, out.n);
	buf_release(&out);
	return ok && send(task->socket, &nothing, sizeof(nothing), MSG_NOSIGNAL) == sizeof(nothing)
		       ? 0
		       : 1;
}
