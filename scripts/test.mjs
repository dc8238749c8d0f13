// Runs the tests (all, or the files named) and ends with one line: N passed, N failed[, N skipped].
// With CI set a skipped test is a failure: it would have needed something that is missing here.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tradepost-report-'))
const report = join(folder, 'report.json')

const { status: built } = spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale'], {
  cwd: ROOT,
  stdio: 'inherit',
})
if (built !== 0) process.exit(1)

const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', ...reporters, ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
)

const { passed, failed, skipped } = count()
rmSync(folder, { recursive: true })
const missing = process.env.CI ? skipped : 0
process.stdout.write(
  `${passed} passed, ${failed + missing} failed${skipped > missing ? `, ${skipped} skipped` : ''}\n`,
)
process.exitCode = status === 0 && missing === 0 ? 0 : 1

function count() {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'))
    const brokenFiles = result.testResults.filter(
      (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
        file.status === 'failed' && file.assertionResults.length === 0,
    ).length
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + brokenFiles,
      skipped: result.numPendingTests + result.numTodoTests,
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
