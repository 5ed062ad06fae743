/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one header that commands include. */
#ifndef OBIT_H
#define OBIT_H

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/linux/board.h"
#include "core/linux/linux.h"
#include "core/linux/slab.h"
#include "core/linux/stack_group.h"
#include "core/linux/stack_walk.h"
#include "core/report/report.h"
#include "core/linux/story.h"
#include "core/shell/address_record.h"
#include "core/shell/command.h"
#include "core/shell/device_record.h"
#include "core/shell/frame_record.h"
#include "core/shell/node_record.h"
#include "core/shell/oops_record.h"
#include "core/shell/print_type.h"
#include "core/shell/session.h"
#include "core/shell/source_record.h"
#include "core/shell/stack_record.h"
#include "core/shell/story_record.h"
#include "core/shell/subcommand.h"
#include "core/shell/task_record.h"
#include "core/shell/trace_select.h"
#include "core/target/dis.h"
#include "core/target/shape.h"
#include "core/target/target.h"
#include "core/target/value.h"
#include "core/trace/row.h"
#include "core/trace/key.h"
#include "core/trace/pair.h"
#include "core/trace/power.h"
#include "core/trace/stat.h"
#include "core/trace/tally.h"
#include "core/trace/timeline.h"
#include "core/unwind/unwind.h"

#define OBIT_VERSION "0.1"

#endif
