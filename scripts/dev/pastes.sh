# SPDX-License-Identifier: GPL-3.0-or-later
# Texts as people and programs pass them on: what run-held makes of each whole report, and what must
# be seen of it still.
# shellcheck shell=sh disable=SC2154

# What loses nothing: a time stamp without its first bracket, other programs' prefixes, quotes,
# other encodings, containers.
pastes_styles='torn closing unbracketed braces squeezed german french japanese logcat brief rfc5424 mediatek hash tabs actions jenkins ci
	container compose numbered clock'
pastes_quotes='quoted twice quotedjournal'
pastes_encodings='utf16le utf16be base64 qp html page journaljson docker dockerparts crio export csv'
# What loses the ends of lines, and what loses lines.
pastes_wraps='wrap60 wrap80 mail60 mail80'
# What makes one line of all, with blanks or with signs of newlines.
pastes_joins='joined escaped'
pastes_cuts='head2 head4 tail6 tail8'

# pastes_awk: writes each text, changed in one way, to the folder "to" as NAME-WAY.
pastes_awk() {
	cat <<-'PASTES'
		# the line without the kernel's time stamp
		function body(s) {
			if (match(s, /^\[ *[0-9]+\.[0-9]+\] ?/)) s = substr(s, RLENGTH + 1)
			return s
		}
		function clock() { return sprintf("10:20:%02d", 10 + int(FNR / 40)) }
		function json(s) {
			gsub(/\\/, "\\\\", s)
			gsub(/"/, "\\\"", s)
			gsub(/\t/, "\\t", s)
			return s
		}
		function entities(s) {
			gsub(/&/, "\\&amp;", s)
			gsub(/</, "\\&lt;", s)
			gsub(/>/, "\\&gt;", s)
			return s
		}
		function put(s) { printf "%s\n", s >out }
		# at a blank where there is one, as mail programs do
		function wrapped(s, width, before,  k, rest) {
			while (length(s) > width) {
				for (k = width; k > 8 && substr(s, k, 1) != " "; k--)
					;
				if (k <= 8 || substr(s, 1, k) ~ /^ *$/) break
				put(before substr(s, 1, k - 1))
				s = substr(s, k + 1)
			}
			put(before s)
		}
		# 73 columns and "=" at the most
		function printable(s,  line) {
			gsub(/=/, "=3D", s)
			while (length(s) > 75) {
				line = substr(s, 1, 75)
				if (match(line, /=[0-9A-F]?$/)) line = substr(line, 1, RSTART - 1)
				put(line "=")
				s = substr(s, length(line) + 1)
			}
			put(s)
		}
		function styled(s) {
			if (way == "torn") return sprintf("%d.%06d] %s", 1043, 123456 + FNR, s)
			if (way == "closing") return sprintf("[ 1043.%06d %s", 123456 + FNR, s)
			if (way == "unbracketed") return sprintf("1043.%06d %s", 123456 + FNR, s)
			if (way == "braces") return sprintf("{ 1043.%06d} %s", 123456 + FNR, s)
			if (way == "squeezed") { # a stamp that the words stick to
				sub(/^ +/, "", s)
				return sprintf("[1043.%06d]%s", 123456 + FNR, s)
			}
			if (way == "german") return sprintf("Mär 06 %s rechner kernel: %s", clock(), s)
			if (way == "french") return sprintf("févr. 06 %s machine kernel: %s", clock(), s)
			if (way == "japanese") return sprintf(" 1月 06 %s ホスト kernel: %s", clock(), s)
			if (way == "logcat") return sprintf("01-06 %s.%03d     0     0 E         : %s", clock(), FNR % 1000, s)
			if (way == "brief") return sprintf("01-06 %s.%03d E/KERNEL  (    0): %s", clock(), FNR % 1000, s)
			if (way == "rfc5424") return sprintf("<3>1 2025-01-06T%s.%06d+01:00 host kernel - - - %s", clock(), FNR, s)
			if (way == "mediatek") return sprintf("<4>[ 1043.%06d] (%d)[2211:kworker/3:2]%s", FNR, FNR % 4, s)
			if (way == "hash") return "# " s
			if (way == "tabs") return "\t\t" s
			if (way == "actions") return sprintf("2025-01-06T%s.%07dZ %s", clock(), FNR, s)
			if (way == "jenkins") return sprintf("[%s] [ INFO] console: %s", clock(), s)
			if (way == "ci") return "stage 12/40 | job-77 | " s
			if (way == "container") return sprintf("2025-01-06T%s.%09dZ stderr F %s", clock(), FNR, s)
			if (way == "compose") return "kernel-1  | " s
			if (way == "numbered") return sprintf("%5d: %s", FNR, s)
			return sprintf("%s:%03d> %s", clock(), FNR % 1000, s)
		}
		function parts(s, before, between, after) {
			if (length(s) > 30) {
				put(sprintf(before, "P") json_or(substr(s, 1, 23)) between)
				s = substr(s, 24)
			}
			put(sprintf(before, "F") json_or(s) after)
		}
		function json_or(s) { return way == "crio" ? s : json(s) }
		function encoded(s) {
			if (way == "qp") return printable(s)
			if (way == "html") return put(entities(s) "<br>")
			if (way == "page") return put("<div class=\"line\"><span>" entities(s) "</span></div>")
			if (way == "journaljson") return put("{\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"" json(s) "\",\"PRIORITY\":\"4\"}")
			if (way == "docker") return put("{\"log\":\"" json(s) "\\n\",\"stream\":\"stdout\",\"time\":\"2025-01-06T10:20:30Z\"}")
			if (way == "dockerparts")
				return parts(s, "{\"log\":\"", "\",\"stream\":\"stdout\"}", "\\n\",\"stream\":\"stdout\"}")
			if (way == "crio") return parts(s, "2025-01-06T10:20:30.000000123+01:00 stdout %s ", "", "")
			if (way == "export") return put("__CURSOR=s=1\n_TRANSPORT=kernel\nPRIORITY=4\nMESSAGE=" s "\n")
			gsub(/"/, "\"\"", s)
			put(sprintf("%d,host,\"%s\",4", FNR, s))
		}
		FNR == 1 {
			if (out != "") close(out)
			name = FILENAME
			sub(/.*\//, "", name)
			out = to "/" name "-" way
			if (way == "qp") put("Content-Transfer-Encoding: quoted-printable\n")
			if (way == "page") put("<html><body>")
		}
		way ~ /^(quoted|twice)$/ { put((way == "twice" ? "> > " : "> ") $0); next }
		way == "quotedjournal" { put(sprintf("> Jan 06 %s host kernel: %s", clock(), body($0))); next }
		way ~ /^wrap/ { wrapped($0, substr(way, 5) + 0, ""); next }
		way ~ /^mail/ { wrapped(sprintf("[ 1043.%06d] %s", FNR, body($0)), substr(way, 5) + 0, "> "); next }
		way ~ /^(joined|escaped)$/ { printf "%s%s", body($0), way == "joined" ? " " : "\\n" >out; next }
		" " encodings " " ~ " " way " " { encoded($0); next }
		{ put(styled(body($0))) }
	PASTES
}

# pastes_cut_awk: how many tenths of the lines of the report are gone, from its head or behind them
pastes_cut_awk() {
	cat <<-'CUT'
		function cut(name, n,  i, from, to, kept) {
			from = 1
			to = n
			if (way ~ /^head/) from = first + int((last - first) * substr(way, 5) / 10)
			else to = first + int((last - first) * substr(way, 5) / 10)
			for (i = from; i <= to; i++)
				kept += line[i] ~ /\+0x[0-9a-f]+\/0x/
			# three frames are a trace, fewer may be anything
			if (!first || last < first + 6 || kept < 4) return
			sub(/.*\//, "", name)
			for (i = from; i <= to; i++) printf "%s\n", line[i] >(folder "/" name "-" way)
			close(folder "/" name "-" way)
		}
		FNR == 1 {
			if (file != "") cut(file, n)
			file = FILENAME
			n = first = last = 0
		}
		{ line[++n] = $0 }
		/BUG|WARNING|INFO|Oops|Unable to|Internal error|general protection|divide error|invalid opcode|Kernel panic|UBSAN|SError|Insufficient|panicked|corruption|usercopy|refcount|unreferenced|CFI|mce|oom-killer|Unhandled|undefined/ {
			if (!first) first = n }
		/\+0x[0-9a-f]+\/0x/ { last = n }
		END { if (file != "") cut(file, n) }
	CUT
}

# pastes FROM TO: each text of FROM in each of the ways
pastes() {
	mkdir -p "$2"
	pastes_awk >"$tmp/pastes.awk"
	pastes_cut_awk >"$tmp/cut.awk"
	find "$1" -type f ! -name truth | LC_ALL=C sort >"$tmp/names"
	for way in $pastes_styles $pastes_quotes $pastes_encodings $pastes_wraps $pastes_joins; do
		case $way in
		utf16le | utf16be | base64) ;;
		*) xargs awk -v way="$way" -v to="$2" -v encodings="$pastes_encodings" \
			-f "$tmp/pastes.awk" <"$tmp/names" ;;
		esac
	done
	for way in $pastes_cuts; do
		xargs awk -v way="$way" -v folder="$2" -f "$tmp/cut.awk" <"$tmp/names"
	done
	while read -r f; do
		name=${f##*/}
		{ printf '\377\376' && iconv -f UTF-8 -t UTF-16LE "$f"; } >"$2/$name-utf16le"
		{ printf '\376\377' && iconv -f UTF-8 -t UTF-16BE "$f"; } >"$2/$name-utf16be"
		{ printf 'Content-Transfer-Encoding: base64\n\n' && base64 "$f"; } >"$2/$name-base64"
	done <"$tmp/names"
}

# pasted CLASS LEAST WAY...: of these, as many in a hundred have the signature that the whole text has,
# or say what is missing
pasted() {
	class=$1
	least=$2
	shift 2
	: >"$tmp/compared"
	for way in "$@"; do
		awk -F'|' -v way="$way" '
		NR == FNR { if ($6 != "-") whole[$1] = $6; next }
		{
			name = $1
			if (!sub("-" way "$", "", name) || !(name in whole)) next
			good = whole[name] == $6 || ($2 == "true" && $5 == "true")
			print "pasted", good ? "right" : "wrong", $0, "whole", whole[name]
		}' "$tmp/first" "$tmp/second" >"$tmp/way"
		printf '    %-14s %d of %d\n' "$way" "$(grep -c '^pasted right' "$tmp/way")" "$(wc -l <"$tmp/way")" >>"$tmp/table"
		cat "$tmp/way" >>"$tmp/compared"
	done
	tally "$tmp/compared" pasted
	rate "$class" "$right" "$all" "$least"
}

# passed_on FOLDER: the texts there, passed on in all these ways
passed_on() {
	pastes "$1" "$tmp/pastes"
	judged "$1" >"$tmp/first"
	judged "$tmp/pastes" >"$tmp/second"
	# shellcheck disable=SC2086 # lists of words
	{
		pasted 'passed on: other prefixes' 98 $pastes_styles
		pasted 'passed on: quoted' 98 $pastes_quotes
		pasted 'passed on: other encodings and containers' 98 $pastes_encodings
		pasted 'passed on: wrapped lines' 98 $pastes_wraps
		pasted 'passed on: all in one line' 95 $pastes_joins
		pasted 'passed on: cut texts, the same or named' 90 $pastes_cuts
	}
}
