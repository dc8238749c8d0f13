// Webhook delivery: 1 KB payloads to 200 endpoints on this machine, with every attempt recorded.
//
//   node bench/webhooks.mjs [rivals] [rivals-request] [rivals-dispatch] [embedded] [history]
//                           [memory] [latency] [neighbour] [profile] [--count=80000] [--subscribers=1]
//                           [--rounds=3] [--stored=200000] [--backlog=100000] [--waiting=100000]
//
// The bars hold for --stored=2000000 and --backlog=1000000. These sizes take minutes.
import { parseArgs } from 'node:util'
import { bench, say } from './lib/bench.mjs'
import { MORE_PARTS, PARTS } from './webhooks/parts.mjs'

/** `subscribers`: the number of endpoints that are subscribed to each event. */
const SIZES = {
  count: 80_000,
  subscribers: 1,
  rounds: 3,
  stored: 200_000,
  backlog: 100_000,
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
const unknown = positionals.filter((name) => !parts[name])
if (unknown.length > 0) throw new Error(`No part ${unknown}: ${Object.keys(parts).join(', ')}.`)

await bench('Webhooks to 200 endpoints, 1 KB each', async (later) => {
  for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    say(`${name}\n`)
    await part((ending) => later(ending), parts[name])
  }
})

/** Closes everything that a part opened before the next part starts. */
async function part(later, work) {
  const endings = []
  const tidy = async () => {
    for (let end = endings.pop(); end; end = endings.pop()) await end()
  }
  later(tidy)
  await work((ending) => void endings.push(ending), sizes)
  await tidy()
}
