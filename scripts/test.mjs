// Runs the tests (all, or the files named) and ends with one line: N passed, N failed[, N skipped].
// With CI set, a skipped test is a failure, because CI must have everything that tests need.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tradepost-report-'))
const report = join(folder, 'report.json')

const { status: built } = spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale'], {
  cwd: ROOT,
  stdio: 'inherit',
})
if (built !== 0) process.exit(1)

/** How long the same command took last time, in this clone. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'tradepost-tests.json')
/** On two quiet cores. */
const USUAL_S = {
  '': 250,
  'vitest.quick.config.ts': 60,
  'vitest.plans.config.ts': 110,
  'vitest.system.config.ts': 350,
}
const command = process.argv.slice(2).join(' ')
process.stdout.write(`${expectation()}\n`)
const began = Date.now()

const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', ...reporters, ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
)

const { passed, failed, skipped, names } = count()
rmSync(folder, { recursive: true })
if (failed === 0) remember((Date.now() - began) / 1000)
for (const name of names) process.stdout.write(`FAILED: ${name}\n`)
const missing = process.env.CI ? skipped : 0
process.stdout.write(
  `${passed} passed, ${failed + missing} failed${skipped > missing ? `, ${skipped} skipped` : ''}\n`,
)
process.exitCode = status === 0 && missing === 0 ? 0 : 1

/** The line before the first test. */
function expectation() {
  const usual = /** @type {Record<string, number>} */ (USUAL_S)[command.replace('--config ', '')]
  const parts = [
    ...(usual ? [`about ${inWords(usual)} on two quiet cores`] : []),
    ...(durations()[command] ? [`${inWords(durations()[command])} here last time`] : []),
  ]
  return `Expected duration: ${parts.join(', ') || 'not known yet for these files'}.`
}

/** @param {number} seconds */
function inWords(seconds) {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`
}

/** @returns {Record<string, number>} */
function durations() {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'))
  } catch {
    return {}
  }
}

/** @param {number} seconds */
function remember(seconds) {
  mkdirSync(join(CACHE, '..'), { recursive: true })
  writeFileSync(CACHE, JSON.stringify({ ...durations(), [command]: seconds }))
}

/** @typedef {{ name: string, status: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }} TestFile */

function count() {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'))
    /** @type {TestFile[]} */
    const files = result.testResults
    const broken = files.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    )
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + broken.length,
      skipped: result.numPendingTests + result.numTodoTests,
      names: [
        ...broken.map(({ name, message }) => failureLine(name, message)),
        ...files.flatMap(failures),
      ],
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0, names: ['the tests left no report'] }
  }
}

/** @param {TestFile} file */
function failures({ name, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) =>
      failureLine(`${name}: ${fullName}`, failureMessages.join('; ')),
    )
}

/** A failure as one short line. @param {string} name @param {string} why */
function failureLine(name, why) {
  const reason = stripVTControlCharacters(why).replace(/\s+/g, ' ').slice(0, 600)
  return `${name.replace(ROOT, '')}: ${reason}`
}
