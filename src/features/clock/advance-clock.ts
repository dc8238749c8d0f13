import { setTimeout as pause } from 'node:timers/promises'
import { type App, storeNow } from '../../app.ts'
import { inTransaction } from '../../db/database.ts'
import { SECOND_MS } from '../../kernel/time.ts'
import { expireDueOrders, selectNextExpiry } from '../orders/index.ts'
import { addClockOffset, type BookedStore } from '../stores/index.ts'
import { moveQueue, selectWebhookWork } from './queries.ts'

const LOOK_MS = 20
const WORK_MAX_MS = 60 * SECOND_MS
/** Other processes read the offset from a cache that is at most a second old (decision 41). */
const OTHERS_MS = SECOND_MS + 100

/**
 * Moves the clock of a test side. It steps from one thing that becomes due to the next, each at its
 * own time, and returns when all of it has run (decision 51).
 */
export async function advanceClock(app: App, store: BookedStore, by_ms: number): Promise<string> {
  let side = store
  let left_ms = by_ms
  await settle(app, side)
  while (left_ms > 0) {
    const wait_ms = await untilNextDue(app, side)
    const step_ms = Math.min(left_ms, wait_ms ?? left_ms)
    side = await moveBy(app, side, step_ms)
    left_ms -= step_ms
    await settle(app, side)
  }
  if (app.config.databaseUrl) await pause(OTHERS_MS)
  return storeNow(app, side)
}

async function moveBy(app: App, side: BookedStore, step_ms: number): Promise<BookedStore> {
  await waitFor(app, side, ({ running }) => !running)
  const clock_offset_ms = await inTransaction(app.db, async (tx) => {
    await moveQueue(tx, side.id, step_ms)
    return addClockOffset(tx, side.id, step_ms)
  })
  app.caches.clear()
  return { ...side, clock_offset_ms }
}

/** Milliseconds until something becomes due, and a little more so that it surely is. */
async function untilNextDue(app: App, side: BookedStore): Promise<number | undefined> {
  const expiry = await selectNextExpiry(app.db, side.id)
  const { next_due_at } = await selectWebhookWork(app.db, side.id)
  const now = app.clock.now()
  const waits = [
    ...(expiry === undefined ? [] : [Date.parse(expiry) - now - side.clock_offset_ms]),
    ...(next_due_at === null ? [] : [Date.parse(next_due_at) - now]),
  ]
  return waits.length === 0 ? undefined : Math.max(1, Math.min(...waits))
}

async function settle(app: App, side: BookedStore): Promise<void> {
  await expireDueOrders(app, side)
  app.ledger.wake()
  await waitFor(app, side, ({ due, running }) => !due && !running)
}

async function waitFor(
  app: App,
  side: BookedStore,
  isDone: (work: Awaited<ReturnType<typeof selectWebhookWork>>) => boolean,
): Promise<void> {
  const until = Date.now() + WORK_MAX_MS
  while (!isDone(await selectWebhookWork(app.db, side.id)) && Date.now() < until)
    await pause(LOOK_MS)
}
