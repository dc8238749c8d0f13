// Shared by all benchmarks: builds stale files, cleans up at the end, prints a table.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TIME_MS = 60_000

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a benchmark. Functions passed to `later` run at its end, in reverse order, even after a failure. */
export async function bench(title, work) {
  const endings = []
  // A signal also makes the work fail. Both paths then wait for the same cleanup.
  let tidied
  const tidy = () => {
    tidied ??= runAll(endings)
    return tidied
  }
  let left = false
  const leave = (code) => {
    left = true
    process.exitCode = code
    void tidy().finally(() => process.exit())
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => leave(130))
  process.on('uncaughtException', (error) => {
    if (!left) warn(error.stack)
    leave(1)
  })
  // The reader closed the pipe (`| head`). Further lines fail too, and the cleanup still runs.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => leave(1))
  try {
    build()
    say(`${title}\n${cpus().length} cores, Node ${process.versions.node}\n`)
    await work((ending) => void endings.push(ending))
  } catch (error) {
    // An error during the exit is a consequence of it.
    if (!left) process.exitCode = 1
    if (!left) warn(error.stack)
  } finally {
    await tidy()
  }
  // The result of the work decides the exit code. Open handles must not delay the exit.
  process.exit()
}

async function runAll(endings) {
  for (let ending = endings.pop(); ending; ending = endings.pop()) {
    await Promise.resolve()
      .then(ending)
      .catch((error) => warn(error.message))
  }
}

function build() {
  const options = { cwd: ROOT, stdio: 'inherit' }
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale'], options)
  if (status !== 0) throw new Error('The build failed.')
}

const warn = (text) => void process.stderr.write(`${text}\n`)

/** True if there is time for another round. On a busy machine, a benchmark has fewer rounds. */
export const hasTime = () => performance.now() < TIME_MS

/** Like `hasTime`, for one part of a benchmark with its own time limit. */
export function hasTimeFor(most_ms) {
  const until = performance.now() + most_ms
  return () => performance.now() < until
}

/** Resolves with the promise, or fails after the timeout. */
export async function limited(promise, most_ms, what) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, most_ms, new Error(`${what} took more than ${most_ms / 1_000} s.`))
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Creates a folder in the system's temporary folder. */
export function openFolder(later) {
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-bench-'))
  later(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export const say = (line = '') => void process.stdout.write(`${line}\n`)

/** Prints a table. Each column is as wide as its widest cell. */
export function table(headings, rows) {
  const cells = [headings, ...rows].map((row) => row.map(String))
  const widths = headings.map((_, at) => Math.max(...cells.map((row) => row[at].length)))
  const line = (row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd()
  say([line(cells[0]), widths.map((width) => '-'.repeat(width)).join('  ')].join('\n'))
  for (const row of cells.slice(1)) say(line(row))
  say()
}

export const atMost = (value, bar) => (value <= bar ? 'met' : 'missed')
export const atLeast = (value, bar) => (value >= bar ? 'met' : 'missed')

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The percentile: the value that this share of all values does not exceed. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
