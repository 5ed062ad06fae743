/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's reports in the log of a dump. */
#ifndef OBIT_LOG_REPORTS_H
#define OBIT_LOG_REPORTS_H

#include "core/report/report.h"

/* Hands the dump's log to a stream of reports, which calls its function for each report in it;
 * false from that ends the walk. note(), which may be NULL, is told what is lost. The stream stays
 * open. */
bool log_reports(struct target *t, struct report_stream *s,
		 void (*note)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;

#endif
