import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** scripts/run-steps.mjs, which runs the checks of a change, with steps of a test. */

const RUN_STEPS = fileURLToPath(new URL('../../scripts/run-steps.mjs', import.meta.url))

/** Ends as scripts/test.mjs does when the files that are named in an argument of their own fail. */
const SUITE = `
import { appendFileSync } from 'node:fs'
const failed = process.argv.slice(2)
for (const file of failed) {
  const record = { options: ['--config', 'slow.ts'], file, failures: [file + ': a title'] }
  appendFileSync(process.env.FAILED_FILES, JSON.stringify(record) + '\\n')
  console.log('FAILED: ' + file + ': a title')
}
console.log('10 passed, ' + failed.length + ' failed')
process.exitCode = failed.length > 0 ? 1 : 0
`

/** Runs a failed file again. It fails if the name of the file says so. */
const AGAIN = `
const file = process.argv.at(-1)
console.log('again: ' + process.argv.slice(2).join(' ') + ' in ' + process.env.ZONE)
const isBroken = file.includes('broken')
console.log(isBroken ? '0 passed, 1 failed' : '1 passed, 0 failed')
process.exitCode = isBroken ? 1 : 0
`

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tradepost-steps-'))
  await writeFile(join(folder, 'suite.mjs'), SUITE)
  await writeFile(join(folder, 'again.mjs'), AGAIN)
})
afterEach(() => rm(folder, { recursive: true }))

interface Run {
  status: number
  lines: string[]
}

/** Runs one step whose files with these names fail at first. */
async function runWithFailures(list: 'ci' | 'long', files: string[], env = {}): Promise<Run> {
  const steps = [
    {
      name: 'a suite',
      command: ['node', join(folder, 'suite.mjs'), ...files],
      env: { ZONE: 'Kathmandu' },
      testProgram: ['node', join(folder, 'again.mjs'), 'leap-day'],
    },
    { name: 'a check', command: ['node', '--version'] },
  ]
  const module = join(folder, 'steps.mjs')
  await writeFile(module, `export const STEPS = ${JSON.stringify({ [list]: steps })}`)
  const { SEED: _, ...ownEnv } = process.env
  return new Promise((resolve) => {
    const command = [RUN_STEPS, list, module]
    execFile(process.execPath, command, { env: { ...ownEnv, ...env } }, (error, stdout) => {
      const status = error ? Number(error.code) : 0
      resolve({ status, lines: stdout.trimEnd().split('\n') })
    })
  })
}

test('the last line counts the tests of all steps, a check without a count as one', async () => {
  const { status, lines } = await runWithFailures('ci', [])
  expect({ status, last: lines.at(-1) }).toEqual({ status: 0, last: '11 passed, 0 failed' })
})

test('the time of each step is printed', async () => {
  const { lines } = await runWithFailures('ci', [])
  const times = lines
    .filter((line) => /^ +\d+ s {2}/.test(line))
    .map((line) => line.split(' s  ')[1])
  expect(times).toEqual(['a suite', 'a check'])
})

describe('a file with a failure runs once more, alone', () => {
  test('with the program, the options and the environment of its step', async () => {
    const { lines } = await runWithFailures('ci', ['one.test.ts'])
    expect(lines.filter((line) => line.startsWith('again: '))).toEqual([
      'again: leap-day --config slow.ts one.test.ts in Kathmandu',
    ])
  })

  test('and is counted as passed before a change if it then passes', async () => {
    const { status, lines } = await runWithFailures('ci', ['one.test.ts'])
    expect(lines).toContain('FLAKY: one.test.ts: a title')
    expect({ status, last: lines.at(-1) }).toEqual({ status: 0, last: '12 passed, 0 failed' })
  })

  test('and is counted as failed in the long run even if it then passes', async () => {
    const { status, lines } = await runWithFailures('long', ['one.test.ts'])
    expect(lines).toContain('FLAKY: one.test.ts: a title')
    expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: '11 passed, 1 failed' })
  })

  test('and is failed if it fails again', async () => {
    const { status, lines } = await runWithFailures('ci', ['broken.test.ts'])
    expect(lines).toContain('FAILED: broken.test.ts: a title')
    expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: '11 passed, 1 failed' })
  })
})

test('more than three files that pass only when they run again are a failure', async () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => `${name}.test.ts`)
  const three = await runWithFailures('ci', files.slice(1))
  expect(three.status).toBe(0)
  const four = await runWithFailures('ci', files)
  expect(four.lines).toContain('FAILED: 4 files passed only when they ran again')
  expect({ status: four.status, last: four.lines.at(-1) }).toEqual({
    status: 1,
    last: '15 passed, 1 failed',
  })
})

describe('the seed', () => {
  const seedOf = ({ lines }: Run) => lines.find((line) => line.startsWith('SEED='))

  test('is the same in each run before a change', async () => {
    expect(seedOf(await runWithFailures('ci', []))).toBe('SEED=4711')
  })

  test('is another one in each long run', async () => {
    const [first, second] = [await runWithFailures('long', []), await runWithFailures('long', [])]
    expect(seedOf(first)).not.toBe(seedOf(second))
  })

  test('is the one that the caller names', async () => {
    expect(seedOf(await runWithFailures('long', [], { SEED: '12' }))).toBe('SEED=12')
  })
})
