// Functions for all benchmarks: the build of outdated files, the cleanup, deadlines, tables and quantiles.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** No round begins after this time. */
const ROUNDS_MS = 60_000

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a benchmark. Functions passed to `atEnd` run at its end, in reverse order, even after a failure. */
export async function bench(title, work) {
  const cleanups = []
  // A signal also makes the work fail. Both paths then wait for the same cleanup.
  let cleanup
  const cleanUp = () => {
    cleanup ??= runAll(cleanups)
    return cleanup
  }
  let isExiting = false
  const exit = (code) => {
    isExiting = true
    process.exitCode = code
    void cleanUp().finally(() => process.exit())
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => exit(130))
  process.on('uncaughtException', (error) => {
    if (!isExiting) warn(error.stack)
    exit(1)
  })
  // A write fails if the reader closed the pipe (`| head`). The cleanup must still run.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => exit(1))
  try {
    build()
    print(`${title}\n${cpus().length} cores, Node ${process.versions.node}, load ${load()}\n`)
    await work((step) => void cleanups.push(step))
    print(`Load at the end: ${load()}`)
  } catch (error) {
    // The cleanup before an exit causes errors in running work.
    if (!isExiting) {
      process.exitCode = 1
      warn(error.stack)
    }
  } finally {
    await cleanUp()
  }
  // Open handles must not delay the exit. The exit code is already set.
  process.exit()
}

/** Returns the load average of the last minute. */
const load = () => loadavg()[0].toFixed(1)

async function runAll(cleanups) {
  for (let step = cleanups.pop(); step; step = cleanups.pop()) {
    await Promise.resolve()
      .then(step)
      .catch((error) => warn(error.message))
  }
}

function build() {
  const options = { cwd: ROOT, stdio: 'inherit' }
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale'], options)
  if (status !== 0) throw new Error('The build failed.')
}

const warn = (text) => void process.stderr.write(`${text}\n`)

/** Returns true if there is time for another round. On a busy machine, a benchmark has fewer rounds. */
export const hasTime = () => performance.now() < ROUNDS_MS

/** Returns a function like `hasTime` for a part of a benchmark. */
export function hasTimeFor(limit_ms) {
  const until = performance.now() + limit_ms
  return () => performance.now() < until
}

/** Resolves with the promise, or fails after the timeout. */
export async function withTimeout(promise, timeout_ms, title) {
  let timer
  const timeout = new Promise((_, reject) => {
    const error = new Error(`${title} took more than ${timeout_ms / 1_000} s.`)
    timer = setTimeout(reject, timeout_ms, error)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/** Creates a folder in the system's temporary folder. */
export function openFolder(atEnd) {
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export const print = (line = '') => void process.stdout.write(`${line}\n`)

/** Prints a table. Each column is as wide as its widest cell. */
export function printTable(headings, rows) {
  const cells = [headings, ...rows].map((row) => row.map(String))
  const widths = headings.map((_, index) => Math.max(...cells.map((row) => row[index].length)))
  const lines = cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index]))
      .join('  ')
      .trimEnd(),
  )
  print(lines[0])
  print(widths.map((width) => '-'.repeat(width)).join('  '))
  for (const line of lines.slice(1)) print(line)
  print()
}

export const atMost = (value, bar) => (value <= bar ? 'met' : 'missed')
export const atLeast = (value, bar) => (value >= bar ? 'met' : 'missed')

export function median(values) {
  const sorted = [...values].sort((value, other) => value - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Returns the value that this share of all values does not exceed. */
export function quantile(values, share) {
  const sorted = [...values].sort((value, other) => value - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
