import { setTimeout as pause } from 'node:timers/promises'
import { type App, storeContextOf, storeNow } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { CommandError, SILENT } from '../../../command.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { later, SECOND_MS } from '../../../kernel/time.ts'
import {
  createDueReviews,
  expireDueOrders,
  makeDueCalls,
  renewDue,
  selectNextAutoReview,
  selectNextCall,
  selectNextExpiry,
  selectNextRenewal,
} from '../../store/index.ts'
import { pruneEventsOf } from '../../webhooks/index.ts'
import { deleteExpiredOf } from '../retention/index.ts'
import { addClockOffset, type CachedStore } from '../stores/index.ts'
import { countWebhookWork, moveQueue, selectWebhookWork, type WebhookWork } from './queries.ts'

const LOOK_MS = 20
const COUNT_MS = SECOND_MS
/** Twice the lease of a delivery: what a crash left is taken up again and ends well within it. */
const PATIENCE_MS = 60 * SECOND_MS
/** Other processes read the offset from a cache that is at most a second old (decision 41). */
const OTHERS_MS = SECOND_MS + 100

export interface Waiting {
  /** For how long nothing may come to an end. */
  patience_ms?: number
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal
}

/** A clock on its way. */
interface Advance extends Required<Waiting> {
  readonly app: App
  side: CachedStore
  left_ms: number
  /** The first step writes the audit event of all of them. */
  isAudited: boolean
}

/**
 * Moves the clock of a test side. It steps from one thing that becomes due to the next, each at its
 * own time, and returns when all of it has run (decision 51), however long that takes. It refuses to go
 * on where nothing comes to an end any more.
 */
export async function advanceClock(
  app: App,
  store: CachedStore,
  by_ms: number,
  { patience_ms = PATIENCE_MS, signal = SILENT.signal }: Waiting = {},
): Promise<string> {
  const advance: Advance = {
    app,
    side: store,
    left_ms: by_ms,
    patience_ms,
    signal,
    isAudited: false,
  }
  await settle(advance)
  while (advance.left_ms > 0) {
    const wait_ms = await untilNextDue(app, advance.side)
    await moveBy(advance, Math.min(advance.left_ms, wait_ms ?? advance.left_ms))
    await settle(advance)
  }
  await pruneEventsOf(app, advance.side.id)
  await deleteExpiredOf(app, advance.side.id)
  if (app.config.databaseUrl) await pause(OTHERS_MS)
  return storeNow(app, advance.side)
}

async function moveBy(advance: Advance, step_ms: number): Promise<void> {
  const { app, side } = advance
  await waitFor(advance, ({ running }) => !running)
  const clock_offset_ms = await inTransaction(app.db, async (tx) => {
    await moveQueue(tx, side.id, step_ms)
    if (!advance.isAudited) await auditAdvance(tx, advance)
    return addClockOffset(tx, side.id, step_ms)
  })
  app.caches.clear()
  advance.isAudited = true
  advance.side = { ...side, clock_offset_ms }
  advance.left_ms -= step_ms
}

async function auditAdvance(tx: Tx, { app, side, left_ms }: Advance): Promise<void> {
  const from = storeNow(app, side)
  const changes = changesOf({ now: from }, { now: later(from, left_ms / SECOND_MS) })
  const act = { action: 'store.advance_clock', object: 'store', object_id: side.hash, changes }
  await storeContextOf(app, side, tx).audit.record(tx, [act])
}

/** Milliseconds until something becomes due, and a little more so that it surely is. */
async function untilNextDue(app: App, side: CachedStore): Promise<number | undefined> {
  const expiry = await selectNextExpiry(app.db, side.id)
  const renewal = await selectNextRenewal(app.db, side.id)
  const review = await selectNextAutoReview(app.db, side.id)
  const call = await selectNextCall(app.db, side.id)
  const { next_due_at } = await selectWebhookWork(app.db, side.id)
  const now = app.clock.now()
  const waits = [
    ...[expiry, renewal, review, call].flatMap((due) =>
      due === undefined ? [] : [Date.parse(due) - now - side.clock_offset_ms],
    ),
    ...(next_due_at === null ? [] : [Date.parse(next_due_at) - now]),
  ]
  return waits.length === 0 ? undefined : Math.max(1, Math.min(...waits))
}

async function settle(advance: Advance): Promise<void> {
  const { app, side } = advance
  await expireDueOrders(app, side)
  await renewDue(app, side)
  await createDueReviews(app, side)
  await makeDueCalls(app, side)
  app.ledger.wake()
  await waitFor(advance, ({ due, running }) => !due && !running)
}

/** Waits as long as webhooks come to an end: one that hangs takes 10 s, and many of them take long. */
async function waitFor(advance: Advance, isDone: (work: WebhookWork) => boolean): Promise<void> {
  const { app, side, patience_ms, signal } = advance
  let count: number | undefined
  let countedAt = 0
  let changedAt = performance.now()
  while (!isDone(await selectWebhookWork(app.db, side.id))) {
    if (signal.aborted) throw new CommandError(`Stopped. ${whereItStands(advance)}`)
    const now = performance.now()
    if (now - countedAt >= COUNT_MS) {
      countedAt = now
      const before = count
      count = await countWebhookWork(app.db, side.id)
      if (count !== before) changedAt = now
      else if (now - changedAt >= patience_ms) throw stuck(advance, count)
    }
    await pause(LOOK_MS)
  }
}

const stuck = (advance: Advance, count: number) =>
  new CommandError(
    `Webhooks that are due or running: ${count}. None came to an end for ${advance.patience_ms / SECOND_MS} s; is a worker running? ${whereItStands(advance)}`,
  )

function whereItStands({ app, side, left_ms }: Advance): string {
  const it = `It is ${storeNow(app, side)} in ${side.hash}`
  if (left_ms <= 0) return `${it}, as was asked, but not all that became due has run.`
  return `${it}; ${Math.ceil(left_ms / SECOND_MS)}s are left of the way.`
}
