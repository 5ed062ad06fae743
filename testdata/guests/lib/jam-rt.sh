# SPDX-License-Identifier: GPL-3.0-or-later
# The standstill of kernels of PREEMPT_RT, whose spinlocks sleep. It stands beside jam.sh because every jam's recipe has
# that file's text.
# shellcheck shell=sh disable=SC2034 # variables are shared among the files of lib

# jam_rt NAME: what load_jam set, for a guest whose module is another one
jam_rt() {
	case $1 in
	jam-rt-*) sources='jam.h main.c locks_rt.c' objects='main.o locks_rt.o' ;;
	esac
}
