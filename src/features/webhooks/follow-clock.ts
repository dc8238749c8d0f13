import { setTimeout as pause } from 'node:timers/promises'
import type { App, ClockFollower, ClockMove } from '../../app.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import * as q from './queries/index.ts'

const POLL_MS = 20
const COUNT_EVERY_MS = SECOND_MS

/**
 * Moves the webhooks of a store with its clock. Due times of retries and ends of overlaps are machine times, so when the
 * store's clock is advanced, they become earlier by the same time.
 */
export const webhookClock: ClockFollower = {
  async nextDue({ db }, { id, clock_offset_ms }) {
    const { next_due_at } = await q.selectWebhookWork(db, id)
    return next_due_at === null ? undefined : iso(Date.parse(next_due_at) + clock_offset_ms)
  },
  beforeStep: (app, move) => waitUntilDone(app, move, ({ running }) => !running),
  async step(tx, storeId, step_ms) {
    await q.moveQueue(tx, storeId, step_ms)
    await q.moveOverlaps(tx, storeId, step_ms)
  },
  async runDue(app, move) {
    app.ledger.wake()
    await waitUntilDone(app, move, ({ due, running }) => !due && !running)
  },
}

/** Waits until the work is done. Throws if no work ends for `stallTimeout_ms`. One attempt may take 10 s. */
async function waitUntilDone(
  { db }: App,
  { store, stallTimeout_ms, signal, stopError }: ClockMove,
  isDone: (work: q.WebhookWork) => boolean,
): Promise<void> {
  let count: number | undefined
  let lastCountAt = 0
  let lastChangeAt = performance.now()
  while (!isDone(await q.selectWebhookWork(db, store.id))) {
    if (signal.aborted) throw stopError('Stopped.')
    const now = performance.now()
    if (now - lastCountAt >= COUNT_EVERY_MS) {
      lastCountAt = now
      const before = count
      count = await q.countWebhookWork(db, store.id)
      if (count !== before) lastChangeAt = now
      else if (now - lastChangeAt >= stallTimeout_ms)
        throw stopError(stuckMessage(count, stallTimeout_ms))
    }
    await pause(POLL_MS)
  }
}

const stuckMessage = (count: number, stallTimeout_ms: number) =>
  `Webhooks that are due or running: ${count}. None ended within ${stallTimeout_ms / SECOND_MS} s. Check that a worker is running.`
