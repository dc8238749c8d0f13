// Time and processor time of a command that a running server answers, against an empty Node program.
//
//   node bench/commands.mjs
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { atMost, bench, hasTime, median, openFolder, ROOT, table } from './lib/bench.mjs'
import { startServer } from './lib/shop.mjs'

const ROUNDS = 15
const BARS = { time_s: 0.4, ratio: 3 }
const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')

await bench('`tradepost stores list` while a server runs', async (later) => {
  const { env } = await startServer(later, { dataDir: openFolder(later) })
  const rounds = { command: [], node: [] }
  for (let n = 0; n < ROUNDS && (n < 3 || hasTime()); n++) {
    rounds.command.push(measure([PROGRAM, 'stores', 'list'], env))
    rounds.node.push(measure(['-e', '0'], env))
  }
  const middle = (name, figure) => median(rounds[name].map((item) => item[figure]))
  const ratio = middle('command', 'cpu_s') / middle('node', 'cpu_s')
  const time = middle('command', 'time_s')
  table(
    ['figure', 'command', 'node -e 0', 'bar', ''],
    [
      [
        'time',
        `${time.toFixed(2)} s`,
        `${middle('node', 'time_s').toFixed(2)} s`,
        `at most ${BARS.time_s} s`,
        atMost(time, BARS.time_s),
      ],
      [
        'CPU',
        `${middle('command', 'cpu_s').toFixed(2)} s`,
        `${middle('node', 'cpu_s').toFixed(2)} s`,
        '',
        '',
      ],
      ['CPU, ratio', ratio.toFixed(2), '1', `at most ${BARS.ratio}`, atMost(ratio, BARS.ratio)],
    ],
  )
})

/** Runs Node with these arguments; bash measures its processor time. */
function measure(args, env) {
  const begun = performance.now()
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', '-', process.execPath, ...args],
    { env, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { time_s: (performance.now() - begun) / 1_000, cpu_s: user + system }
}
