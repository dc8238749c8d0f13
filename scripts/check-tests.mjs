// Fails if a test leaves something to chance or to the clock: random values without the seed of the run, arithmetic
// with the machine's time, pauses of a fixed length. Each has one module, which is the exception. A folder may follow,
// whose repository is checked instead of this one.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ pattern: RegExp, module: string, cure: string }} Rule */

/** @type {Rule[]} */
const RULES = [
  {
    pattern: /\bMath\.random\b|\brandomInt\b/,
    module: 'test/chance.mjs',
    cure: 'draw from chanceOf(), which the seed of the run decides',
  },
  {
    pattern: /\bDate\.now\(\) *[-+*/%<>]|(?<!=)[-+*/%<>]=? *Date\.now\(\)/,
    module: 'test/clock.ts',
    cure: 'use fromNow(), now_s(), stopwatch() or timeLimit()',
  },
  {
    pattern: /\bsetTimeout as \w+\b|\bsetTimeout\((?:resolve|done)\b|\.waitForTimeout\(/,
    module: 'test/until.ts',
    cure: 'wait with until() or stays(), or let time pass with elapse()',
  },
]

/** Files of programs that tests start: they run without the modules of tests. */
const PROGRAMS = /^test\/(?:process\/shifted-clock\.mjs|process\/shift-clock\.ts)$/
/** A program in the text of a test. */
const QUOTED_PROGRAM = /^test\/process\/bench\.test\.ts$/

if (process.argv[2]) process.chdir(process.argv[2])
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /^test\/.*\.(?:ts|mjs)$|\.(?:test|fixture)\.ts$/.test(file))
  .filter((file) => existsSync(file) && !PROGRAMS.test(file) && !QUOTED_PROGRAM.test(file))

const faults = files.flatMap((file) => {
  const lines = readFileSync(file, 'utf8').split('\n')
  return RULES.filter(({ module }) => module !== file).flatMap(({ pattern, cure }) =>
    lines.flatMap((line, index) =>
      pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}\n  ${cure}`] : [],
    ),
  )
})
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
