/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts that complete obit's words in bash, zsh and fish, made of the tables that the program
 * itself reads its words by. */
#include <stdio.h>
#include <string.h>

#include "core/arch/arch.h"
#include "core/base/vec.h"
#include "core/shell/option.h"
#include "core/shell/program/program.h"

/* An option, and the verb behind which it may stand. */
struct known_word {
	const char *verb; /* NULL: anywhere; "": only where there is none */
	char name[48];
	enum program_takes takes;
	const char *help;
};

struct script {
	struct buf *b;
	const struct own_words *p;
	VEC(struct known_word) words;
};

const char *const completion_shells[] = { "bash", "zsh", "fish", NULL };

void program_options_add(struct buf *b, const struct own_words *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct program_option *o = &p->options[i];
		size_t start = b->n, width;

		buf_printf(b, "  %s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
		width = b->n - start;
		if (width > 17) {
			buf_char(b, '\n');
			width = 0;
		}
		buf_pad(b, ' ', 19 - width);
		for (const char *s = o->help; *s; s++) {
			buf_char(b, *s);
			if (*s == '\n')
				buf_pad(b, ' ', 19);
		}
		buf_char(b, '\n');
	}
}

/* ---- the words */

static void take_rows(struct script *s, const char *verb, const struct program_option *o, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct known_word *w = vec_push(&s->words);

		*w = (struct known_word){ .verb = o[i].alone ? "" : verb,
					  .takes = o[i].takes,
					  .help = o[i].help };
		snprintf(w->name, sizeof(w->name), "%s", o[i].name);
	}
}

static bool word_is_of(const struct known_word *w, const char *verb)
{
	return verb ? w->verb && !strcmp(w->verb, verb) : !w->verb;
}

/* What stands behind a command's option, as far as its row tells. */
static enum program_takes takes_of(const struct option *o)
{
	if (!o->arg)
		return TAKES_NONE;
	if (o->kind == OPTION_INT || o->kind == OPTION_UINT)
		return TAKES_NUMBER;
	return !strcasecmp(o->arg, "file") ? TAKES_FILE : TAKES_TEXT;
}

static void take_words(struct script *s)
{
	take_rows(s, NULL, s->p->options, s->p->n);
	for (size_t v = 0; s->p->verbs[v]; v++) {
		const struct command *cmd = command_find(s->p->verbs[v]);

		/* the first is one of the program's */
		if (cmd && !strcmp(cmd->name, "triage"))
			take_rows(s, s->p->verbs[v], s->p->fleet + 1, s->p->n_fleet - 1);
		for (size_t i = 0; cmd && i < cmd->n_opts; i++) {
			struct known_word *w = vec_push(&s->words);
			struct buf name = { 0 };

			option_add(&name, &cmd->opts[i]);
			*w = (struct known_word){ .verb = s->p->verbs[v],
						  .takes = takes_of(&cmd->opts[i]),
						  .help = cmd->opts[i].help };
			snprintf(w->name, sizeof(w->name), "%.*s", (int)strcspn(name.s, " "),
				 name.s);
			buf_release(&name);
		}
	}
}

/* Appends s between single quotes; each character of `special` gets a backslash, a newline becomes
 * a blank, and a quote what the shell wants there. */
static void add_quoted(struct buf *b, const char *s, const char *special, const char *quote)
{
	for (; s && *s; s++) {
		if (*s == '\'') {
			buf_str(b, quote);
			continue;
		}
		if (strchr(special, *s))
			buf_char(b, '\\');
		buf_char(b, *s == '\n' ? ' ' : *s);
	}
}

static const char *summary_of(const char *verb)
{
	const struct command *cmd = command_find(verb);

	return cmd ? cmd->summary : "";
}

/* What a kind of value is called in a script: one word. */
static const char *const takes_names[] = {
	[TAKES_NONE] = "none",     [TAKES_TEXT] = "text",     [TAKES_NUMBER] = "number",
	[TAKES_FILE] = "file",     [TAKES_FOLDER] = "folder", [TAKES_LINE] = "command",
	[TAKES_READER] = "reader", [TAKES_ARCH] = "arch",     [TAKES_SHELL] = "shell",
	[TAKES_COLOR] = "color",
};

/* Appends the words that a value may be, with blanks between them. False: it is none of a few. */
static bool add_choices(struct buf *b, const struct own_words *p, enum program_takes takes)
{
	const char *const *list = takes == TAKES_READER  ? p->readers
				  : takes == TAKES_COLOR ? p->colors
							 : completion_shells;

	if (takes == TAKES_ARCH) {
		for (size_t i = 0; archs[i]; i++)
			buf_printf(b, "%s%s", i ? " " : "", archs[i]->name);
		return true;
	}
	if (takes < TAKES_READER)
		return false;
	for (size_t i = 0; list[i]; i++)
		buf_printf(b, "%s%s", i ? " " : "", list[i]);
	return true;
}

static void add_verbs(struct buf *b, const struct own_words *p, const char *between)
{
	for (size_t i = 0; p->verbs[i]; i++)
		buf_printf(b, "%s%s", i ? between : "", p->verbs[i]);
}

/* ---- bash */

/* The words behind `verb` that take a value of that kind, as a pattern of case. */
static void bash_case(struct script *s, const char *verb, enum program_takes takes)
{
	size_t n = 0;

	for (size_t i = 0; i < s->words.n; i++) {
		const struct known_word *w = &s->words.p[i];

		if (w->takes == takes && word_is_of(w, verb))
			buf_printf(s->b, "%s%s%s%s", n++ ? " | " : "\t", verb ? verb : "*", ":",
				   w->name);
	}
	if (n)
		buf_printf(s->b, ") kind=%s ;;\n", takes_names[takes]);
}

static void bash_options(struct script *s, const char *verb)
{
	bool first = true;

	for (size_t i = 0; i < s->words.n; i++) {
		const struct known_word *w = &s->words.p[i];

		if (!word_is_of(w, verb))
			continue;
		buf_printf(s->b, "%s%s", first ? "" : " ", w->name);
		first = false;
	}
}

static const char bash_body[] =
	"_obit()\n"
	"{\n"
	"	local cur=${COMP_WORDS[COMP_CWORD]} verb= kind= file= plain= words= i=0\n"
	"	while ((++i < COMP_CWORD)); do\n"
	"		[[ $plain ]] && continue\n"
	"		_obit_kind \"$verb:${COMP_WORDS[i]}\"\n"
	"		if [[ $kind ]]; then\n"
	"			# the value is the next word, or stands behind '='\n"
	"			[[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))\n"
	"			((i + 1 >= COMP_CWORD)) && break\n"
	"			((i++))\n"
	"			kind=\n"
	"			continue\n"
	"		fi\n"
	"		case ${COMP_WORDS[i]} in\n"
	"		--) plain=yes ;;\n"
	"		-*) ;;\n"
	"		@VERBS@) [[ $verb$file ]] || verb=${COMP_WORDS[i]} ;;\n"
	"		*) file=yes ;;\n"
	"		esac\n"
	"	done\n"
	"	[[ $kind && $cur == = ]] && cur=\n"
	"	COMPREPLY=()\n"
	"	case $kind:$cur in\n"
	"	text:* | number:*) return ;;\n"
	"	command:*) words=$_obit_commands ;;\n"
	"@CHOICES@"
	"	folder:*)\n"
	"		compopt -o filenames\n"
	"		mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
	"		return ;;\n"
	"	:-*) [[ $plain ]] || words=$(_obit_options \"$verb\") ;;\n"
	"	esac\n"
	"	if [[ $words ]]; then\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	"		return\n"
	"	fi\n"
	"	compopt -o filenames\n"
	"	[[ $kind$verb$file$plain ]] || words='@WORDS@'\n"
	"	mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"; compgen -f -- \"$cur\")\n"
	"}\n"
	"complete -F _obit obit\n";

/* Appends the text with what stands between '@' replaced. */
static void bash_fill(struct script *s, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "@");

		buf_add(s->b, text, n);
		text += n;
		if (!strncmp(text, "@VERBS@", 7)) {
			add_verbs(s->b, s->p, " | ");
			text += 7;
		} else if (!strncmp(text, "@WORDS@", 7)) {
			add_verbs(s->b, s->p, " ");
			text += 7;
		} else if (!strncmp(text, "@CHOICES@", 9)) {
			for (int t = TAKES_READER; t <= TAKES_COLOR; t++) {
				buf_printf(s->b, "\t%s:*) words='", takes_names[t]);
				add_choices(s->b, s->p, t);
				buf_str(s->b, "' ;;\n");
			}
			text += 9;
		}
	}
}

static void bash_script(struct script *s)
{
	buf_str(s->b, "_obit_commands='");
	for (size_t i = 0; commands[i]; i++)
		if (!command_verb(commands[i]))
			buf_printf(s->b, "%s%s", i ? " " : "", commands[i]->name);
	buf_str(s->b, "'\n"
		      "# _obit_kind VERB:OPTION: sets kind to what the option takes\n"
		      "_obit_kind()\n{\n\tkind=\n\tcase $1 in\n");
	for (int takes = TAKES_TEXT; takes <= TAKES_COLOR; takes++) {
		bash_case(s, NULL, takes);
		bash_case(s, "", takes);
		for (size_t v = 0; s->p->verbs[v]; v++)
			bash_case(s, s->p->verbs[v], takes);
	}
	buf_str(s->b, "\tesac\n}\n"
		      "# _obit_options VERB: those that may stand behind it\n"
		      "_obit_options()\n{\n\techo '");
	bash_options(s, NULL);
	buf_str(s->b, "'\n\tcase $1 in\n\t'') echo '");
	bash_options(s, "");
	buf_str(s->b, "' ;;\n");
	for (size_t v = 0; s->p->verbs[v]; v++) {
		buf_printf(s->b, "\t%s) echo '", s->p->verbs[v]);
		bash_options(s, s->p->verbs[v]);
		buf_str(s->b, "' ;;\n");
	}
	buf_str(s->b, "\tesac\n}\n");
	bash_fill(s, bash_body);
}

/* ---- zsh */

/* What _arguments calls the value and completes it by. */
static void zsh_value(struct script *s, const struct known_word *w)
{
	struct buf *b = s->b;

	if (w->takes == TAKES_NONE)
		return;
	buf_printf(b, ":%s:", takes_names[w->takes]);
	if (w->takes == TAKES_LINE) {
		buf_str(b, "_obit_commands");
	} else if (w->takes == TAKES_FILE) {
		buf_str(b, "_files");
	} else if (w->takes == TAKES_FOLDER) {
		buf_str(b, "_files -/");
	} else if (w->takes >= TAKES_READER) {
		buf_char(b, '(');
		add_choices(b, s->p, w->takes);
		buf_char(b, ')');
	} else {
		buf_char(b, ' ');
	}
}

static void zsh_options(struct script *s, const char *verb, const char *indent)
{
	for (size_t i = 0; i < s->words.n; i++) {
		const struct known_word *w = &s->words.p[i];
		bool word = w->name[1] == '-';

		if (!word_is_of(w, verb))
			continue;
		buf_printf(s->b, "%s'*%s%s[", indent, w->name,
			   !w->takes       ? ""
			   : word && !verb ? "="
					   : "");
		add_quoted(s->b, w->help, "[]:\\", "'\\''");
		buf_char(s->b, ']');
		zsh_value(s, w);
		buf_str(s->b, "'\n");
	}
}

static void zsh_describe(struct script *s, const char *name, const char *summary)
{
	buf_printf(s->b, "\t\t'%s:", name);
	add_quoted(s->b, summary, "\\:", "'\\''");
	buf_str(s->b, "'\n");
}

static void zsh_script(struct script *s)
{
	struct buf *b = s->b;

	buf_str(b, "_obit_commands()\n{\n\tlocal -a list=(\n");
	for (size_t i = 0; commands[i]; i++)
		if (!command_verb(commands[i]))
			zsh_describe(s, commands[i]->name, commands[i]->summary);
	buf_str(b, "\t)\n\t_describe -t commands 'command of obit' list\n}\n"
		   "_obit_first()\n{\n\tlocal -a list=(\n");
	for (size_t v = 0; s->p->verbs[v]; v++)
		zsh_describe(s, s->p->verbs[v], summary_of(s->p->verbs[v]));
	buf_str(b,
		"\t)\n\t_alternative 'verbs:word:{_describe -t verbs word list}' 'files:file:_files'\n}\n"
		"_obit()\n{\n\tlocal -a all=(\n");
	zsh_options(s, NULL, "\t\t");
	buf_str(b, "\t) more=(\n");
	zsh_options(s, "", "\t\t");
	buf_str(b, "\t\t'1:word or file:_obit_first'\n\t)\n\tlocal i\n"
		   "\tfor ((i = 2; i < CURRENT; i++)); do\n"
		   "\t\tcase $words[i] in\n");
	for (size_t v = 0; s->p->verbs[v]; v++) {
		buf_printf(b, "\t\t%s)\n\t\t\tmore=(\n", s->p->verbs[v]);
		zsh_options(s, s->p->verbs[v], "\t\t\t\t");
		buf_str(b, "\t\t\t)\n\t\t\tbreak ;;\n");
	}
	/* a value of an option is not the first word */
	buf_str(b, "\t\t");
	for (size_t i = 0, n = 0; i < s->words.n; i++)
		if ((!s->words.p[i].verb || !*s->words.p[i].verb) && s->words.p[i].takes)
			buf_printf(b, "%s%s", n++ ? " | " : "", s->words.p[i].name);
	buf_str(b,
		") ((i++)) ;;\n\t\t-*) ;;\n\t\t*) break ;;\n\t\tesac\n\tdone\n"
		"\t_arguments -S $all $more '*:file:_files'\n}\n"
		"if [[ $funcstack[1] == _obit ]]; then\n\t_obit \"$@\"\nelse\n\tcompdef _obit obit\nfi\n");
}

/* ---- fish */

static void fish_text(struct script *s, const char *flag, const char *text)
{
	buf_printf(s->b, " %s '", flag);
	add_quoted(s->b, text, "\\", "\\'");
	buf_char(s->b, '\'');
}

static void fish_option(struct script *s, const struct known_word *w, const char *verbs)
{
	struct buf choices = { 0 };
	bool word = w->name[1] == '-';

	buf_str(s->b, "complete -c obit");
	if (w->verb && !*w->verb)
		buf_printf(s->b, " -n 'not __fish_seen_subcommand_from %s'", verbs);
	else if (w->verb)
		buf_printf(s->b, " -n '__fish_seen_subcommand_from %s'", w->verb);
	buf_printf(s->b, " -%s %s", word ? "l" : w->name[2] ? "o" : "s", w->name + 1 + word);
	if (w->takes == TAKES_LINE)
		buf_str(s->b, " -x -a '(__obit_commands)'");
	else if (w->takes == TAKES_FILE)
		buf_str(s->b, " -r -F");
	else if (w->takes == TAKES_FOLDER)
		buf_str(s->b, " -x -a '(__obit_folders)'");
	else if (add_choices(&choices, s->p, w->takes))
		buf_printf(s->b, " -x -a '%s'", choices.s);
	else if (w->takes)
		buf_str(s->b, " -x");
	buf_release(&choices);
	fish_text(s, "-d", w->help);
	buf_char(s->b, '\n');
}

static void fish_script(struct script *s)
{
	struct buf verbs = { 0 };

	buf_str(s->b, "function __obit_commands\n");
	for (size_t i = 0; commands[i]; i++) {
		if (command_verb(commands[i]))
			continue;
		buf_printf(s->b, "\tprintf '%%s\\t%%s\\n' '%s' '", commands[i]->name);
		add_quoted(s->b, commands[i]->summary, "\\", "\\'");
		buf_str(s->b, "'\n");
	}
	buf_str(s->b,
		"end\n"
		"# The value alone, of --modules=DIR, too\n"
		"function __obit_folders\n"
		"\t__fish_complete_directories (string replace -r -- '^--[^=]*=' '' (commandline -ct))\n"
		"end\n"
		"# Is there no word but options yet?\n"
		"function __obit_first\n"
		"\tfor word in (commandline -opc)[2..-1]\n"
		"\t\tstring match -q -- '-*' $word; or return 1\n"
		"\tend\n"
		"end\n");
	add_verbs(&verbs, s->p, " ");
	for (size_t i = 0; i < s->words.n; i++)
		fish_option(s, &s->words.p[i], verbs.s);
	for (size_t v = 0; s->p->verbs[v]; v++) {
		buf_printf(s->b, "complete -c obit -n __obit_first -a %s", s->p->verbs[v]);
		fish_text(s, "-d", summary_of(s->p->verbs[v]));
		buf_char(s->b, '\n');
	}
	buf_release(&verbs);
}

bool completion_add(struct buf *b, const struct own_words *p, const char *shell)
{
	static void (*const scripts[])(struct script * s) = { bash_script, zsh_script,
							      fish_script };
	struct script s = { .b = b, .p = p };

	for (size_t i = 0; completion_shells[i]; i++) {
		if (strcmp(shell, completion_shells[i]) != 0)
			continue;
		take_words(&s);
		/* zsh asks for the first line */
		buf_str(b, i == 1 ? "#compdef obit\n" : "");
		buf_printf(
			b,
			"# SPDX-License-Identifier: GPL-3.0-or-later\n"
			"# What %s completes behind the word obit; made by 'obit --completion %s'.\n",
			shell, shell);
		scripts[i](&s);
		vec_release(&s.words);
		return true;
	}
	return false;
}
