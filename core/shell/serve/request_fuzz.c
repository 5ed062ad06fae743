/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any line as a request of --serve. */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/shell/serve/request.h"
#include "core/shell/serve/serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An answer begins with {"id":ID, whatever came. */
static void check_id(const struct serve_request *r)
{
	struct buf b = { 0 };
	const char *value;
	size_t n;

	buf_printf(&b, "{\"id\":%s}", buf_text(&r->id));
	if (!json_is_object(b.s, b.n) || memchr(b.s, '\n', b.n) ||
	    !json_member(b.s, b.n, "id", &value, &n) || n != r->id.n)
		abort();
	buf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct serve_request r, again;
	struct buf line = { 0 };
	struct err err;

	/* the front ends each line with a NUL */
	buf_add(&line, data, size);
	buf_char(&line, '\0');
	if (serve_request_read(&r, line.s, size, &err)) {
		/* what the engine is sent ends at its first NUL */
		if (strlen(buf_text(&r.line)) != r.line.n || (r.cancel && r.line.n))
			abort();
		buf_reset(&line);
		buf_printf(&line, "{\"cancel\":%s}", buf_text(&r.id));
		/* an id is spelled in one way only, or a cancel would miss it; written out it may
		 * be longer than a client's may be */
		if (r.id.n <= SERVE_ID_MAX && (!serve_request_read(&again, line.s, line.n, &err) ||
					       strcmp(buf_text(&again.id), buf_text(&r.id)) != 0))
			abort();
		if (r.id.n <= SERVE_ID_MAX)
			serve_request_release(&again);
	}
	check_id(&r);
	serve_request_release(&r);
	buf_release(&line);
	return 0;
}
