// Webhook delivery: 1 KB payloads to 200 endpoints on this machine, with every attempt recorded.
//
//   node bench/webhooks.mjs [rivals] [rivals-request] [rivals-dispatch] [embedded] [history]
//                           [memory] [latency] [trickle] [neighbour] [profile] [--count=80000] [--subscribers=1]
//                           [--rounds=3] [--stored=200000] [--backlog=100000] [--waiting=100000]
//
// The published figures are measured with --stored=2000000 and --backlog=1000000, which take some minutes more.
import { parseArgs } from 'node:util'
import { bench, print } from './lib/bench.mjs'
import { MORE_PARTS, PARTS } from './webhooks/parts.mjs'

const SIZES = {
  /** The number of deliveries that each sender makes in a round. */
  count: 80_000,
  /** The number of endpoints that are subscribed to each event. */
  subscribers: 1,
  rounds: 3,
  /** The number of earlier attempts in the part `history`. */
  stored: 200_000,
  /** The number of pending deliveries in the part `memory`. */
  backlog: 100_000,
  /** The number of pending deliveries to the hanging receiver in the part `neighbour`. */
  waiting: 100_000,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(Object.keys(SIZES).map((name) => [name, { type: 'string' }])),
})
const sizes = Object.fromEntries(
  Object.entries(SIZES).map(([name, size]) => [name, Number(values[name] ?? size)]),
)
const parts = { ...PARTS, ...MORE_PARTS }
const unknown = positionals.find((name) => !parts[name])
if (unknown) {
  throw new Error(`There is no part ${unknown}. The parts are ${Object.keys(parts).join(', ')}.`)
}

await bench('Webhooks to 200 endpoints, 1 KB each', async (atEnd) => {
  for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    print(`${name}\n`)
    await runPart(atEnd, parts[name])
  }
})

/** Runs a part, and closes everything that it opened before the next part starts. */
async function runPart(atEnd, work) {
  const cleanups = []
  const cleanUp = async () => {
    for (let step = cleanups.pop(); step; step = cleanups.pop()) await step()
  }
  atEnd(cleanUp)
  await work((step) => void cleanups.push(step), sizes)
  await cleanUp()
}
