/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request of a client of --serve: one line of JSON, which is hostile. */
#ifndef OBIT_SERVE_REQUEST_H
#define OBIT_SERVE_REQUEST_H

#include "core/base/buf.h"

struct serve_request {
	struct buf id;   /* as JSON; "null" when it has none */
	struct buf line; /* the command line */
	bool cancel;     /* of the request that has this id; it has no line */
};

/* Reads n bytes as a request. False: *err says what it lacks, and ret->id is set all the same.
 * ERR_USAGE. */
bool serve_request_read(struct serve_request *ret, const char *s, size_t n,
			struct err *err) MUST_CHECK;
void serve_request_release(struct serve_request *r);

#endif
