/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every command needs; the kernel's subjects and the records that it uses it includes besides.
 */
#ifndef OBIT_H
#define OBIT_H

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/shell/command.h"
#include "core/shell/common_record.h"
#include "core/shell/session.h"
#include "core/image/target.h"
#include "core/types/value.h"

#endif
