// Time and processor time of a command that a running server answers, against an empty Node program.
//
//   node bench/commands.mjs
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { atMost, bench, hasTime, median, openFolder, printTable, ROOT } from './lib/bench.mjs'
import { startServer } from './lib/server.mjs'

const ROUNDS = 15
const BARS = { time_s: 0.4, ratio: 3 }
const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')

await bench('`tradepost stores list` while a server runs', async (atEnd) => {
  const { env } = await startServer(atEnd, { dataDir: openFolder(atEnd) })
  const rounds = { command: [], node: [] }
  for (let n = 0; n < ROUNDS && (n < 3 || hasTime()); n++) {
    rounds.command.push(measure([PROGRAM, 'stores', 'list'], env))
    rounds.node.push(measure(['-e', '0'], env))
  }
  const medianOf = (name, figure) => median(rounds[name].map((round) => round[figure]))
  const ratio = medianOf('command', 'cpu_s') / medianOf('node', 'cpu_s')
  const time = medianOf('command', 'time_s')
  printTable(
    ['figure', 'command', 'node -e 0', 'bar', ''],
    [
      [
        'time',
        `${time.toFixed(2)} s`,
        `${medianOf('node', 'time_s').toFixed(2)} s`,
        `at most ${BARS.time_s} s`,
        atMost(time, BARS.time_s),
      ],
      [
        'CPU',
        `${medianOf('command', 'cpu_s').toFixed(2)} s`,
        `${medianOf('node', 'cpu_s').toFixed(2)} s`,
        '',
        '',
      ],
      ['CPU, ratio', ratio.toFixed(2), '1', `at most ${BARS.ratio}`, atMost(ratio, BARS.ratio)],
    ],
  )
})

/** Runs Node with these arguments, and measures its processor time with bash. */
function measure(args, env) {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', '-', process.execPath, ...args],
    { env, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { time_s: (performance.now() - startedAt) / 1_000, cpu_s: user + system }
}
