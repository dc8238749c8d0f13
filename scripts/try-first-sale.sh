#!/usr/bin/env bash
# Follows the README in a new clone: its two commands install and start everything. Then sells a product with the
# examples, and stops the server.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work_dir=$(mktemp -d)
server=''
cleanup() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$server" ] || wait "$server" 2>/dev/null || true
  rm -rf "$work_dir"
}
trap cleanup EXIT

git clone -q "$root" "$work_dir/tradepost"
cd "$work_dir/tradepost"
# No package needs its install script (decision 25).
npm ci --ignore-scripts >/dev/null
export PORT=0 DATA_DIR="$work_dir/data" LOG_LEVEL=warn
npm start >"$work_dir/start.log" 2>&1 &
server=$!
for _ in $(seq 1200); do
  [ -f "$DATA_DIR/ready.json" ] && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.25
done
cat "$work_dir/start.log"
node examples/first-sale.mjs
node examples/client.mjs
node bin/tradepost.mjs doctor
# npm ends with the exit code of the program.
kill -TERM "$(node -p "JSON.parse(fs.readFileSync(process.env.DATA_DIR + '/ready.json')).pid")"
wait "$server"
server=''
