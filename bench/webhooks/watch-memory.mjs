import { setTimeout as pause } from 'node:timers/promises'
import { hasTimeFor } from '../lib/bench.mjs'
import { rssOf } from '../lib/proc.mjs'

const WATCH_MS = 20_000
const LOOK_MS = 100

/** Peak memory of the sender while it works on a backlog, for at most 20 s. */
export async function watchMemory(receiver, sender, backlog) {
  await receiver.expect()
  const { pids, stop } = await sender.start()
  const hasTime = hasTimeFor(WATCH_MS)
  let peak = 0
  let sent = 0
  while (sent < backlog && hasTime()) {
    peak = Math.max(peak, rssOf(pids[0]))
    await pause(LOOK_MS)
    sent = await receiver.count()
  }
  await stop()
  return { peak, sent }
}
