// Runs all tests, or the given files, and ends with the line: N passed, N failed[, N skipped].
// With CI set, a skipped test is a failure, because CI must have everything that tests need. The files with failures
// are written to the file named by FAILED_FILES, so that scripts/run-steps.mjs can run them again.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { exportSeed } from '../test/chance.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tradepost-report-'))
const report = join(folder, 'report.json')

const { status: buildStatus } = spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale'], {
  cwd: ROOT,
  stdio: 'inherit',
})
if (buildStatus !== 0) process.exit(1)

/** The file with the durations of earlier runs in this clone. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'tradepost-tests.json')
/** The usual durations on two idle cores of a slow processor. A fast one needs half of them. */
const USUAL_S = {
  '': 500,
  'vitest.quick.config.ts': 90,
  'vitest.plans.config.ts': 250,
  'vitest.system.config.ts': 700,
}
/** The lengths from which the parts of a printed failure are shortened. */
const NAME_MAX = 300
const REASON_MAX = 800
const command = process.argv.slice(2).join(' ')
process.stdout.write(`${exportSeed()}\n${expectedDuration()}\n`)
const startedAt = Date.now()

const args = process.argv.slice(2)
const files = runVitest(args)
reportFailedFiles()
rmSync(folder, { recursive: true })

const failureLines = files.flatMap(failuresOf)
const tests = files.flatMap(({ assertionResults }) => assertionResults)
const passed = tests.filter(({ status }) => status === 'passed').length
const skipped = tests.length - passed - tests.filter(({ status }) => status === 'failed').length
const refusedSkips = process.env.CI ? skipped : 0
const failed = failureLines.length + refusedSkips
if (failed === 0) saveDuration((Date.now() - startedAt) / 1000)
for (const line of failureLines) process.stdout.write(`FAILED: ${line}\n`)
const skippedText = skipped > refusedSkips ? `, ${skipped} skipped` : ''
process.stdout.write(`${passed} passed, ${failed} failed${skippedText}\n`)
process.exitCode = failed === 0 ? 0 : 1

/** Returns the line with the expected duration. */
function expectedDuration() {
  const usual_s = /** @type {Record<string, number>} */ (USUAL_S)[command.replace('--config ', '')]
  const last_s = savedDurations()[command]
  const parts = [
    ...(usual_s ? [`about ${durationText(usual_s)} on two idle cores`] : []),
    ...(last_s ? [`${durationText(last_s)} in the last run here`] : []),
  ]
  return `Expected duration: ${parts.join(', ') || 'unknown for these files'}.`
}

/** @param {number} seconds */
function durationText(seconds) {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`
}

/** @returns {Record<string, number>} */
function savedDurations() {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'))
  } catch {
    return {}
  }
}

/** @param {number} seconds */
function saveDuration(seconds) {
  mkdirSync(join(CACHE, '..'), { recursive: true })
  writeFileSync(CACHE, JSON.stringify({ ...savedDurations(), [command]: seconds }))
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} TestResult
 * @typedef {{ name: string, status: string, message: string, assertionResults: TestResult[] }} TestFile
 */

/** Runs Vitest and returns the results of its files. @param {string[]} vitestArgs @returns {TestFile[]} */
function runVitest(vitestArgs) {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...vitestArgs], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const results = readReport()
  rmSync(report, { force: true })
  // For example an error outside every test.
  if (status !== 0 && !results.some(isFailed)) {
    results.push(brokenFile('vitest', `Vitest ended with status ${status}.`))
  }
  return results
}

/** Appends a line for each file with failures to the file named by FAILED_FILES, with the options of this run. */
function reportFailedFiles() {
  const { FAILED_FILES } = process.env
  if (!FAILED_FILES) return
  const options = args.flatMap((arg, index) => {
    if (arg === '--config') return [arg, String(args[index + 1])]
    return arg.startsWith('--') && !arg.startsWith('--exclude') ? [arg] : []
  })
  for (const file of files.filter(isFailed)) {
    if (!existsSync(file.name)) continue
    const line = JSON.stringify({ options, file: file.name, failures: failuresOf(file) })
    appendFileSync(FAILED_FILES, `${line}\n`)
  }
}

/** @returns {TestFile[]} */
function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return [brokenFile('vitest', 'The tests wrote no report.')]
  }
}

/** @param {string} name @param {string} message @returns {TestFile} */
function brokenFile(name, message) {
  return { name, status: 'failed', message, assertionResults: [] }
}

/** @param {TestFile} file */
function isFailed({ status, assertionResults }) {
  return status === 'failed' || assertionResults.some(({ status }) => status === 'failed')
}

/** Returns a line for each failed test. A file that cannot be loaded has no tests, so it counts as one failure. @param {TestFile} file */
function failuresOf(file) {
  if (!isFailed(file)) return []
  const failedTests = file.assertionResults.filter(({ status }) => status === 'failed')
  if (failedTests.length === 0) return [failureLine(file.name, file.message)]
  return failedTests.map(({ fullName, failureMessages }) =>
    failureLine(`${file.name.replace(ROOT, '')}: ${fullName}`, failureMessages.join('; ')),
  )
}

/**
 * Returns a failure as one line: the test, the line of its code, and the reason without the stack.
 *
 * @param {string} name
 * @param {string} message
 */
function failureLine(name, message) {
  const text = stripVTControlCharacters(message).replaceAll(ROOT, '')
  const [reason = ''] = text.split(/\n +at /)
  const frames = [...text.matchAll(/\n +at (.*)/g)].map(([, frame = '']) => frame)
  const frame = frames.find((item) => !/node_modules|node:/.test(item))
  const position = /[\w./-]+:\d+(?=:\d+\)?$)/.exec(frame ?? '')?.[0]
  return [shorten(name.replace(ROOT, ''), NAME_MAX), position, shorten(reason, REASON_MAX)]
    .filter(Boolean)
    .join(': ')
}

/** @param {string} text @param {number} max */
function shorten(text, max) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
