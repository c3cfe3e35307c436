#!/bin/sh
# Compares the bytes of code of the command, with all its parts, with those that code_weight.csv records: a crate may
# grow by a twentieth. `record` writes the file anew, for a growth that is worth it. The figures are those of x86_64
# under Linux.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
binary=${CARGO_TARGET_DIR:-../../target}/release/hindsight
[ "$(uname -sm)" = 'Linux x86_64' ] || { echo "not weighed on $(uname -sm)"; exit 0; }
[ -f "$binary" ] || { echo "code_weight: no $binary: build it with --features full first" >&2; exit 2; }
command -v nm >/dev/null 2>&1 || { echo 'not weighed: no nm (how: apt-get install binutils)'; exit 0; }

# Lines "bytes;crate;function", of our functions of the same name together, the largest first.
functions() {
    nm --demangle --print-size --radix=d "$binary" | awk '$3 ~ /^[tTwW]$/ {
        bytes = $2; name = $0
        sub(/^[0-9]+ [0-9]+ . /, "", name); sub(/::h[0-9a-f]+$/, "", name); gsub(/;/, ",", name)
        if (match(name, /hindsight_[a-z]+/)) {
            all[substr(name, RSTART + 10, RLENGTH - 10) ";" name] += bytes
        }
    } END { for (name in all) print all[name] ";" name }' | sort -t';' -k1,1nr -k2
}

# Sums of the crates, and the functions of 4 kB or more.
weights() {
    functions | awk -F';' '{ sum[$2] += $1; if ($1 >= 4096) print }
        END { for (crate in sum) print sum[crate] ";" crate ";all" }' | sort -t';' -k2,2 -k1,1nr -k3
}

now=$(weights)
[ -n "$now" ] || { echo "code_weight: $binary has no symbols" >&2; exit 2; }
if [ "${1:-}" = record ]; then
    printf '%s\n' 'bytes;crate;function' "$now" >code_weight.csv
    exit 0
fi
printf '%s\n' "$now" | awk -F';' 'NR == FNR { was[$2 ";" $3] = $1; next }
    { now[$2 ";" $3] = $1 }
    $3 == "all" && $1 > was[$2 ";all"] * 1.05 + 20000 { grown[$2] = 1; failed = 1 }
    END {
        for (crate in grown) {
            printf "%s has %d bytes of code, and had %d; what grew:\n", crate, now[crate ";all"], was[crate ";all"]
            for (name in now) {
                split(name, part, ";")
                more = now[name] - was[name]
                if (part[1] == crate && part[2] != "all" && more > 2048) {
                    printf "  %8d more: %s\n", more, part[2] | "sort -k1,1nr"
                }
            }
            close("sort -k1,1nr")
        }
        if (failed) print "if it is worth that: crates/cli/code_weight.sh record"
        exit failed
    }' code_weight.csv -
