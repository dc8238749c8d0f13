import { setTimeout as pause } from 'node:timers/promises'
import { hasTimeFor } from '../lib/bench.mjs'
import { rssOf } from '../lib/proc.mjs'

const WATCH_MS = 20_000
const POLL_MS = 100

/** Returns the peak memory of the sender in MiB, and the number of requests, while it sends for at most 20 s. */
export async function watchMemory(receiver, sender, backlog) {
  await receiver.expect()
  const { pids, stop } = await sender.start()
  const hasTime = hasTimeFor(WATCH_MS)
  let peak_mib = 0
  let sentCount = 0
  while (sentCount < backlog && hasTime()) {
    peak_mib = Math.max(peak_mib, rssOf(pids[0]))
    await pause(POLL_MS)
    sentCount = await receiver.count()
  }
  await stop()
  return { peak_mib, sentCount }
}
