#!/usr/bin/env bash
# Follows the README in a new clone, whose packages are installed without their install scripts. Starts the server,
# sells a product and stops the server.
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
npm ci --ignore-scripts --no-audit --no-fund >/dev/null
node scripts/build.mjs
export PORT=0 DATA_DIR="$work_dir/data" LOG_LEVEL=warn
node bin/tradepost.mjs start --demo >"$work_dir/start.log" 2>&1 &
server=$!
for _ in $(seq 120); do
  [ -f "$DATA_DIR/ready.json" ] && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.25
done
cat "$work_dir/start.log"
node examples/first-sale.mjs
node examples/client.mjs
node bin/tradepost.mjs doctor
kill -TERM "$server"
wait "$server"
server=''
