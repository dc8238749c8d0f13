import { setTimeout as pause } from 'node:timers/promises'
import type { App, ClockFollower, ClockMove } from '../../app.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import {
  countWebhookWork,
  moveQueue,
  selectWebhookWork,
  type WebhookWork,
} from './queries/clock.ts'

const LOOK_MS = 20
const COUNT_MS = SECOND_MS

/**
 * Webhooks follow the clock of a store. Retries are due by the machine's clock, so a step of the
 * store's clock brings them nearer.
 */
export const webhookClock: ClockFollower = {
  async nextDue({ db }, { id, clock_offset_ms }) {
    const { next_due_at } = await selectWebhookWork(db, id)
    return next_due_at === null ? undefined : iso(Date.parse(next_due_at) + clock_offset_ms)
  },
  beforeStep: (app, move) => waitFor(app, move, ({ running }) => !running),
  step: moveQueue,
  async runDue(app, move) {
    app.ledger.wake()
    await waitFor(app, move, ({ due, running }) => !due && !running)
  },
}

/** Waits as long as deliveries end: one may take 10 s, and many take long. */
async function waitFor(
  { db }: App,
  { store, patience_ms, signal, stopped }: ClockMove,
  isDone: (work: WebhookWork) => boolean,
): Promise<void> {
  let count: number | undefined
  let countedAt = 0
  let changedAt = performance.now()
  while (!isDone(await selectWebhookWork(db, store.id))) {
    if (signal.aborted) throw stopped('Stopped.')
    const now = performance.now()
    if (now - countedAt >= COUNT_MS) {
      countedAt = now
      const before = count
      count = await countWebhookWork(db, store.id)
      if (count !== before) changedAt = now
      else if (now - changedAt >= patience_ms) throw stopped(stuck(count, patience_ms))
    }
    await pause(LOOK_MS)
  }
}

const stuck = (count: number, patience_ms: number) =>
  `Webhooks that are due or running: ${count}. None came to an end for ${patience_ms / SECOND_MS} s; is a worker running?`
