# Compresses sample.log with the command in the arguments, and says how large the result is.
set -e
compressed=$(mktemp)
trap 'rm -f "$compressed"' EXIT
"$@" -c sample.log > "$compressed"
echo "bytes=$(wc -c < "$compressed" | tr -d ' ')"
