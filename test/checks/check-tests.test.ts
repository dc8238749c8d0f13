import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** scripts/check-tests.mjs, which refuses chance and the machine's time in tests. */

const CHECK_TESTS = fileURLToPath(new URL('../../scripts/check-tests.mjs', import.meta.url))

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tradepost-check-'))
  mkdirSync(join(folder, 'test'))
  execFileSync('git', ['init', '--quiet', folder])
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the names of the refused lines of a file, without the text of the cure. */
function refusedLines(file: string, lines: string[]): string[] {
  writeFileSync(join(folder, file), `${lines.join('\n')}\n`)
  const { stdout, status } = spawnSync(process.execPath, [CHECK_TESTS, folder], {
    encoding: 'utf8',
  })
  rmSync(join(folder, file))
  const refused = stdout.split('\n').filter((line) => /^\S/.test(line))
  expect(status).toBe(refused.length > 0 ? 1 : 0)
  return refused.map((line) => line.replace(/^.*?:\d+: /, ''))
}

// The patterns would find them in this file.
const RANDOM = ['Math', 'random()'].join('.')
const NOW = ['Date', 'now()'].join('.')
const RESOLVE_LATER = ['setTimeout', '(resolve, 100)'].join('')

test.each([
  ['random values without the seed', `const id = ${RANDOM}`],
  ['random values without the seed', `const id = ${['random', 'Int'].join('')}(9)`],
  ['times counted from the clock of the machine', `const soon = ${NOW} + 60_000`],
  ['times counted from the clock of the machine', `while (end > ${NOW}) work()`],
  ['pauses of a fixed length', `await new Promise((resolve) => ${RESOLVE_LATER})`],
  ['pauses of a fixed length', `await page.${['wait', 'ForTimeout'].join('')}(500)`],
])('a test may not use %s: %s', (_, line) => {
  expect(refusedLines('test/a.test.ts', ['const fine = 1', line])).toEqual([line])
})

test('a test may read the clock, and compare nothing', () => {
  expect(refusedLines('test/a.test.ts', [`const calledAt = ${NOW}`])).toEqual([])
})

test('each has one module that may use it', () => {
  expect(refusedLines('test/chance.mjs', [`const seed = ${RANDOM}`])).toEqual([])
  expect(refusedLines('test/until.ts', [RESOLVE_LATER])).toEqual([])
})

test('code that is no test is not checked', () => {
  expect(refusedLines('program.ts', [`const soon = ${NOW} + 60_000`])).toEqual([])
})
