# The number of a page is no address of one: numbers as trace-cmd prints them for `pfn=`.
guest: none

$ xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/.*: (mm_page_[a-z_]*):.* pfn=(0x[0-9a-f]*) .*/\1: page=<pfn \2> pfn=\2/p' >want; xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit --json t.dat -c 'trace show -e mm_page_*' | jq -r .text | sed -n 's/\(pfn=0x[0-9a-f]*\).*/\1/p' | cmp - want && [ "$(wc -l <want)" -gt 100 ] && echo same
same
