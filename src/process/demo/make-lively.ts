import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { insertStoresEvent } from '../../audit/queries.ts'
import { inTransaction } from '../../db/database.ts'
import { asStore, selectStoreById } from '../../features/installation/index.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import { emptyStore } from './empty-store.ts'
import { type Filled, fillStore } from './fill-store.ts'
import { holding } from './hold.ts'
import * as q from './queries.ts'
import { FULL, type Size } from './trade.ts'

const LEASE_MS = 10 * SECOND_MS
/** A claim is extended this often. */
const EXTEND_MS = 2 * SECOND_MS

export interface Making {
  signal: AbortSignal
  size?: Size
  onStep?(done: number, planned: number): unknown
}

/**
 * Makes the demo shop anew: removes the records of its store and fills it, in one go. Returns undefined
 * while another process makes it. A shop whose making was cut off stays `making`, and is made anew by
 * the next start (decision 317).
 */
export async function makeLively(
  app: App,
  { store_id, seed }: q.LivelyStore,
  { signal, size = FULL, onStep }: Making,
): Promise<Filled | undefined> {
  const now = app.clock.now()
  const claim = { storeId: store_id, now: iso(now), until: iso(now + LEASE_MS) }
  if (!(await q.claimLivelyStore(app.db, claim))) return undefined
  let state: q.LivelyStore['state'] = 'making'
  let extended = now
  try {
    const filled = await holding(app, async () => {
      await inTransaction(app.db, async (tx) => {
        await emptyStore(tx, store_id)
        const act = { action: 'store.reset_demo', object: 'store', object_id: null, changes: {} }
        await insertStoresEvent(tx, { ids: [store_id] }, { origin: app.origin, now: iso(now) }, act)
      })
      app.caches.clear()
      const row = await selectStoreById(app.db, store_id)
      if (!row) throw new Error('The store of the demo shop is missing.')
      return fillStore(app, asStore(row), {
        seed,
        size,
        signal,
        async onStep(done, planned) {
          onStep?.(done, planned)
          if (app.clock.now() - extended < EXTEND_MS) return
          extended = app.clock.now()
          await q.extendClaim(app.db, store_id, iso(extended + LEASE_MS))
        },
      })
    })
    state = 'made'
    return filled
  } finally {
    await q.releaseLivelyStore(app.db, store_id, state)
  }
}

/**
 * Completes the demo shop after a start, and reports it in one line. If another process makes it, this
 * one waits until that has ended or its claim has expired.
 */
export async function makeLivelyOnce(
  app: App,
  { signal, say }: { signal: AbortSignal; say(line: string): void },
): Promise<void> {
  try {
    for (;;) {
      const trade = await q.selectLivelyStore(app.db)
      if (!trade || trade.state === 'made') return
      const filled = await makeLively(app, trade, { signal })
      if (filled) {
        for (const why of filled.refused)
          app.log.warn({ why }, 'A step of the demo shop was refused')
        say(`The demo shop is complete: ${FULL.days} days of trade on its test side.`)
        return
      }
      await pause(LEASE_MS / 5, undefined, { signal })
    }
  } catch (err) {
    if (signal.aborted) return
    app.log.warn(
      { err },
      'The demo shop could not be made; the next start with --lively tries again',
    )
  }
}
