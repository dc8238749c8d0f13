// Sends a backlog and measures arrivals per second and processor time. The first quarter is not counted,
// because processes start, plan and compile in it.
import { hasTimeFor, limited, median } from '../lib/bench.mjs'
import { cpuOf } from '../lib/proc.mjs'

const UNCOUNTED = 0.25
const DRAIN_MAX_MS = 120_000
const ROUNDS_MAX_MS = 200_000

/** Lets the senders drain the same backlog in turns. The result has the medians of each sender. */
export async function compare(receiver, senders, { count, rounds }) {
  const results = new Map(senders.map((sender) => [sender, []]))
  const hasTime = hasTimeFor(ROUNDS_MAX_MS)
  for (let n = 0; n === 0 || (n < rounds && hasTime()); n++) {
    for (const sender of senders) results.get(sender).push(await drain(receiver, sender, count))
  }
  return senders.map((sender) => {
    const each = results.get(sender)
    const middle = (name) => median(each.map((item) => item[name]))
    const figures = { perSecond: middle('perSecond'), node: middle('node'), store: middle('store') }
    return { name: sender.name, ...figures, rounds: each.map((item) => item.perSecond) }
  })
}

async function drain(receiver, sender, count) {
  await sender.fill(count)
  const uncounted = Math.ceil(count * UNCOUNTED)
  const [first, last] = await receiver.expect(uncounted, count)
  const { pids, stop } = await sender.start()
  const begun = await limited(first, DRAIN_MAX_MS, `The beginning of ${sender.name}`)
  const before = pids.map(cpuOf)
  const ended = await limited(last, DRAIN_MAX_MS, `A backlog of ${count} with ${sender.name}`)
  const [node, store] = pids.map((pid, at) => cpuOf(pid) - before[at])
  await stop()
  const left = await sender.left()
  if (left > 0) throw new Error(`${sender.name} has ${left} of ${count} left.`)
  const sent = count - uncounted
  const perSecond = (sent * 1_000) / (ended - begun)
  return { perSecond, node: (node * 1_000) / sent, store: (store * 1_000) / sent }
}

export const HEADINGS = ['sender', 'deliveries/s', 'CPU µs: Node', 'its store', 'rounds']

export const row = ({ name, perSecond, node, store, rounds }) => [
  name,
  whole(perSecond),
  whole(node),
  Number.isNaN(store) ? '' : whole(store),
  rounds.map(whole).join(' '),
]

export const whole = (value) => Math.round(value).toLocaleString('en')
