#!/usr/bin/env bash
# Installs what the tests need beside Node, on Debian: PgBouncer, strace for counting flushes, pg_dump for backups,
# Redis, the languages that the guide to webhooks shows programs in, Python also for Schemathesis, Java for the
# generators, curl for the reference, libfaketime for other days, and Chromium in both forms: with a window for the
# journeys, without one for the pages.
set -u
packages=()
need() { command -v "$1" >/dev/null 2>&1 || packages+=("$2"); }
need pgbouncer pgbouncer
need strace strace
need pg_dump postgresql-client
need redis-server redis-server
need python3 python3
need php php-cli
python3 -c 'import ensurepip' 2>/dev/null || packages+=(python3-venv)
need go golang-go
need javac default-jdk-headless
need mvn maven
need curl curl
need chromium chromium
need chromium-headless-shell chromium-headless-shell
ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || packages+=(libfaketime)
[ "${#packages[@]}" -gt 0 ] || exit 0
as=''
[ "$(id -u)" -eq 0 ] || as='sudo -n'
$as apt-get update -qq &&
  DEBIAN_FRONTEND=noninteractive $as apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
