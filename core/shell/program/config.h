/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration: lines "name = value" of what the person always wants, such as colours and
 * where sources lie. It sets how answers look and where is looked, and runs nothing but the pager.
 */
#ifndef OBIT_CONFIG_H
#define OBIT_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

struct args;
struct session;

/* Splits a line, in place. True: *name and *value are set, or *name is NULL, for the line is empty
 * or a comment ("#"). False: it has another form. */
bool config_split(char *line, char **name, char **value);
/* Takes the settings of an open file: pager, color, links, ascii and jobs for the session, and the
 * folders source, debug and modules, behind those that args has. A line that is wrong is told of on
 * stderr by path and number, and the others count. Returns whether all were right. */
bool config_read(struct session *s, struct args *args, FILE *f, const char *path);
/* Reads ~/.config/obit/config, in $XDG_CONFIG_HOME where that says so, if nobody but the person and
 * root could have written it. */
void config_read_own(struct session *s, struct args *args);
/* Reads the file at path, whoever owns it. False: it cannot be read, or a line is wrong; that was
 * told. */
bool config_read_named(struct session *s, struct args *args, const char *path);

#endif
