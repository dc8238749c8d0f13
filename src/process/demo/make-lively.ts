import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { insertStoresEvent } from '../../audit/queries.ts'
import { inTransaction } from '../../db/database.ts'
import { selectStoreById } from '../../features/installation/index.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import { emptyStore } from './empty-store.ts'
import { type FillResult, fillStore } from './fill-store.ts'
import { whileJobsPause } from './pause-jobs.ts'
import * as q from './queries.ts'
import { type DemoSize, FULL_SIZE } from './scenario.ts'

/** The time after which another process may claim the shop, unless the claim is extended. */
const LEASE_MS = 10 * SECOND_MS
/** The interval at which the claim is extended. */
const EXTEND_MS = 2 * SECOND_MS
/** The interval at which a waiting process checks whether the shop is complete. */
const CHECK_MS = 2 * SECOND_MS

export interface CreationOptions {
  signal: AbortSignal
  size?: DemoSize
  onStep?(done: number, planned: number): unknown
}

/**
 * Removes the records of the demo shop's store and fills it again. Returns undefined while another
 * process does this. After an interruption the state remains `making`, and the next start creates the
 * shop again.
 */
export async function makeLively(
  app: App,
  { store_id, seed }: q.LivelyStore,
  { signal, size = FULL_SIZE, onStep }: CreationOptions,
): Promise<FillResult | undefined> {
  const now = app.clock.now()
  const claim = { storeId: store_id, now: iso(now), until: iso(now + LEASE_MS) }
  if (!(await q.claimLivelyStore(app.db, claim))) return undefined
  let state: q.LivelyStore['state'] = 'making'
  let extendedAt = now
  try {
    const result = await whileJobsPause(app, async () => {
      await inTransaction(app.db, async (tx) => {
        await emptyStore(tx, store_id)
        const event = { action: 'store.reset_demo', object: 'store', object_id: null, changes: {} }
        await insertStoresEvent(
          tx,
          { ids: [store_id] },
          { origin: app.origin, now: iso(now) },
          event,
        )
      })
      app.caches.clear()
      const store = await selectStoreById(app.db, store_id)
      if (!store) throw new Error('The store of the demo shop is missing.')
      return fillStore(app, store, {
        seed,
        size,
        signal,
        async onStep(done, planned) {
          onStep?.(done, planned)
          if (app.clock.now() - extendedAt < EXTEND_MS) return
          extendedAt = app.clock.now()
          await q.extendClaim(app.db, store_id, iso(extendedAt + LEASE_MS))
        },
      })
    })
    state = 'made'
    return result
  } finally {
    await q.releaseLivelyStore(app.db, store_id, state)
  }
}

/**
 * Creates the demo shop after a start unless it is complete, and prints a line about it. If another
 * process is creating it, this process waits until that has ended or its claim has expired.
 */
export async function makeLivelyOnce(
  app: App,
  { signal, print }: { signal: AbortSignal; print(line: string): void },
): Promise<void> {
  try {
    for (;;) {
      const livelyStore = await q.selectLivelyStore(app.db)
      if (!livelyStore || livelyStore.state === 'made') return
      const result = await makeLively(app, livelyStore, { signal })
      if (result) {
        for (const refusal of result.refused)
          app.log.warn({ refusal }, 'A step of the demo shop was refused')
        print(`The demo shop is complete: ${FULL_SIZE.days} days of trade on its test side.`)
        return
      }
      await pause(CHECK_MS, undefined, { signal })
    }
  } catch (err) {
    if (signal.aborted) return
    app.log.warn(
      { err },
      'The demo shop could not be created; the next start with --lively repeats it',
    )
  }
}
