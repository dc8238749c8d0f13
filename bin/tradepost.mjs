#!/usr/bin/env node
import { existsSync } from 'node:fs'

/** Below this limit, the embedded database and some connections would not get files. */
const FILES_MIN = 512

// Until a server has opened anything, a signal just ends it. Loading takes a second on a busy machine, in which a
// process with pid 1, as in a container, would otherwise ignore the signal (decision 211).
if (process.argv[2] === 'start')
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(name, () => process.exit(0))

const program = new URL('../dist/program/cli.js', import.meta.url)
// Otherwise the report would look up the host names of open connections.
process.report.excludeNetwork = true
const files = process.report.getReport().userLimits?.open_files?.soft
if (files < FILES_MIN)
  refuse(`Only ${files} files may be open at once. Raise the limit: ulimit -n 1024`)
if (!existsSync(program)) refuse('Tradepost is not built yet. Build it: npm run build')
await import(program.href)

/** @param {string} why */
function refuse(why) {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}
