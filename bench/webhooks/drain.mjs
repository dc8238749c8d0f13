// Sends a backlog, and measures arrivals a second and processor time. The first quarter is not counted, because in
// it the process starts, V8 compiles its functions, and PostgreSQL plans its statements.
import { hasTimeFor, median, withTimeout } from '../lib/bench.mjs'
import { cpuOf } from '../lib/proc.mjs'

const UNCOUNTED_SHARE = 0.25
const DRAIN_MAX_MS = 120_000
const ROUNDS_MAX_MS = 200_000

/** Lets the senders drain the same backlog in turns. Returns the medians of each sender. */
export async function compareSenders(receiver, senders, { count, rounds }) {
  const resultsBySender = new Map(senders.map((sender) => [sender, []]))
  const hasTime = hasTimeFor(ROUNDS_MAX_MS)
  for (let n = 0; n === 0 || (n < rounds && hasTime()); n++) {
    for (const sender of senders)
      resultsBySender.get(sender).push(await drain(receiver, sender, count))
  }
  return senders.map((sender) => {
    const results = resultsBySender.get(sender)
    const medianOf = (figure) => median(results.map((result) => result[figure]))
    return {
      name: sender.name,
      perSecond: medianOf('perSecond'),
      nodeCpu_us: medianOf('nodeCpu_us'),
      databaseCpu_us: medianOf('databaseCpu_us'),
      rounds: results.map((result) => result.perSecond),
    }
  })
}

async function drain(receiver, sender, count) {
  await sender.fill(count)
  const uncounted = Math.ceil(count * UNCOUNTED_SHARE)
  const [firstQuarter, wholeBacklog] = await receiver.expect(uncounted, count)
  const { pids, stop } = await sender.start()
  const quarterTitle = `The first quarter of the backlog with ${sender.name}`
  const startedAt = await withTimeout(firstQuarter, DRAIN_MAX_MS, quarterTitle)
  const cpuBefore = pids.map(cpuOf)
  const endedAt = await withTimeout(
    wholeBacklog,
    DRAIN_MAX_MS,
    `A backlog of ${count} with ${sender.name}`,
  )
  const [node_ms, database_ms] = pids.map((pid, index) => cpuOf(pid) - cpuBefore[index])
  await stop()
  const pending = await sender.countPending()
  if (pending > 0) throw new Error(`${sender.name} has ${pending} of ${count} pending.`)
  const counted = count - uncounted
  return {
    perSecond: (counted * 1_000) / (endedAt - startedAt),
    nodeCpu_us: (node_ms * 1_000) / counted,
    databaseCpu_us: (database_ms * 1_000) / counted,
  }
}

export const HEADINGS = ['sender', 'deliveries/s', 'CPU µs: Node', 'CPU µs: database', 'rounds']

export const tableRow = ({ name, perSecond, nodeCpu_us, databaseCpu_us, rounds }) => [
  name,
  formatInteger(perSecond),
  formatInteger(nodeCpu_us),
  Number.isNaN(databaseCpu_us) ? '' : formatInteger(databaseCpu_us),
  rounds.map(formatInteger).join(' '),
]

/** Formats a number without decimals. */
export const formatInteger = (value) => Math.round(value).toLocaleString('en')
