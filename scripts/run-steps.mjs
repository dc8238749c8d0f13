// Runs the checks that a change must pass, and prints the time of each.
//
//   node scripts/run-steps.mjs ci       what .ci/run runs on a clean clone
//   node scripts/run-steps.mjs long     npm run test:long
//
// Another module with lists of steps may follow: node scripts/run-steps.mjs ci other-steps.mjs
//
// The last line counts all tests of all steps: N passed, N failed.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** @typedef {import('./steps.mjs').Step} Step */
/** @typedef {{ passed: number, failed: number, failures: string[], failedFiles: FailedFile[] }} Result */
/** @typedef {{ options: string[], file: string, failures: string[] }} FailedFile A file of tests that scripts/test.mjs reports. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The number of files that may pass only when they run again. More have one cause. */
const FLAKY_FILES_MAX = 3
/** Runs files of tests. @type {NonNullable<Step['testProgram']>} */
const TEST_PROGRAM = ['node', 'scripts/test.mjs']
const print = (line = '') => void process.stdout.write(`${line}\n`)

const [name = '', list = join(ROOT, 'scripts', 'steps.mjs')] = process.argv.slice(2)
/** @type {typeof import('./steps.mjs')} */
const { STEPS } = await import(pathToFileURL(resolve(list)).href)
const steps = STEPS[name]
if (!steps) {
  print(`Usage: node scripts/run-steps.mjs ${Object.keys(STEPS).join('|')}`)
  process.exit(2)
}
if (name === 'long') process.env.SEED ??= 'random'
process.env.CI = 'true'
// It reads SEED when it is loaded.
const { exportSeed } = await import('../test/chance.mjs')
print(exportSeed())
const cleanUp = moveToMemory()
const total = { passed: 0, failed: 0 }
/** @type {string[]} */
const durations = []
/** @type {string[]} */
const failures = []
/** @type {{ step: Step, failedFile: FailedFile }[]} */
const failedFiles = []
try {
  for (const step of steps) await runStep(step)
  await repeatFailedFiles()
} finally {
  cleanUp()
}
print()
for (const line of [...durations, ...failures]) print(line)
print(exportSeed())
print(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

/** @param {Step} step */
async function runStep(step) {
  print(`\n== ${step.name}`)
  const startedAt = performance.now()
  const result = await runAndCount(step)
  total.passed += result.passed
  total.failed += result.failed
  failures.push(...result.failures)
  failedFiles.push(...result.failedFiles.map((failedFile) => ({ step, failedFile })))
  const duration_s = Math.round((performance.now() - startedAt) / 1_000)
  durations.push(`${String(duration_s).padStart(5)} s  ${step.name}`)
}

/**
 * Runs each failed file once more, alone. One that then passes is printed as FLAKY. In `.ci/run` it counts as passed,
 * unless there are too many.
 */
async function repeatFailedFiles() {
  /** @type {string[]} */
  const flaky = []
  let flakyFiles = 0
  for (const { step, failedFile } of failedFiles) {
    const file = relative(ROOT, failedFile.file)
    print(`\n== ${file}, once more`)
    const program = step.testProgram ?? TEST_PROGRAM
    const command = /** @type {Step['command']} */ ([
      ...program,
      ...failedFile.options,
      failedFile.file,
    ])
    const { failed } = await runAndCount({ ...step, command })
    if (failed > 0) {
      failures.push(...failedFile.failures.map((line) => `FAILED: ${line}`))
      continue
    }
    flakyFiles++
    flaky.push(...failedFile.failures.map((line) => `FLAKY: ${line}`))
    if (name === 'ci') {
      total.failed -= failedFile.failures.length
      total.passed += failedFile.failures.length
    }
  }
  failures.push(...flaky)
  if (flakyFiles <= FLAKY_FILES_MAX) return
  total.failed++
  failures.push(`FAILED: ${flakyFiles} files passed only when they ran again`)
}

/**
 * Runs a command, prints its output and counts its tests. A command without the line "N passed, N failed" counts as
 * one test.
 *
 * @param {Step} step
 * @returns {Promise<Result>}
 */
async function runAndCount(step) {
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-step-'))
  const report = join(folder, 'failed-files')
  const { status, output } = await run(step, { FAILED_FILES: report })
  const failedFilesOfStep = readFailedFiles(report)
  rmSync(folder, { recursive: true, force: true })
  const lines = output.trimEnd().split('\n')
  const count = /^(\d+) passed, (\d+) failed/.exec(lines.at(-1) ?? '')
  const [passed, counted] = count ? [Number(count[1]), Number(count[2])] : [status === 0 ? 1 : 0, 0]
  const failed = counted === 0 && status !== 0 ? 1 : counted
  const repeatable = new Set(
    failedFilesOfStep.flatMap((item) => item.failures.map((line) => `FAILED: ${line}`)),
  )
  const lasting = lines.filter((line) => line.startsWith('FAILED: ') && !repeatable.has(line))
  if (failed > 0 && lasting.length === 0 && repeatable.size === 0)
    lasting.push(`FAILED: ${step.name}`)
  return { passed, failed, failures: lasting, failedFiles: failedFilesOfStep }
}

/** @param {string} report @returns {FailedFile[]} */
function readFailedFiles(report) {
  try {
    const lines = readFileSync(report, 'utf8').trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/**
 * Runs a command and prints its output while it runs.
 *
 * @param {Step} step
 * @param {Record<string, string>} env
 * @returns {Promise<{ status: number | null, output: string }>}
 */
function run({ command: [program = '', ...args], env: stepEnv }, env) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, ...stepEnv },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text)
      output += text
    })
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: 1, output: `${output}${error.message}\n` }))
    child.once('close', (status) => resolve({ status, output }))
  })
}

/**
 * Moves temporary files, above all databases, into memory if there is room and programs may run there. Returns the
 * function that deletes them.
 */
function moveToMemory() {
  const NEEDED_BYTES = 8 * 1024 ** 3
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    const memory_kib = /^MemAvailable: +(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
    if (bavail * bsize < NEEDED_BYTES || Number(memory_kib) * 1024 < 1.5 * NEEDED_BYTES)
      return () => {}
    const folder = mkdtempSync('/dev/shm/ci-')
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o1777)
    writeFileSync(join(folder, 'program'), '#!/bin/sh\n', { mode: 0o755 })
    process.env.TMPDIR = folder
    return () => rmSync(folder, { recursive: true, force: true })
  } catch {
    return () => {}
  }
}
