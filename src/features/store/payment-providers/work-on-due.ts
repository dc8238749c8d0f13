import { type App, storeContextOf } from '../../../app.ts'
import { inParallel } from '../../../kernel/in-parallel.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectStoreById } from '../../installation/index.ts'

/** How many providers are asked at once. Each may need 10 s for its answer (decision 527). */
const CONCURRENCY = 8
/** The next provider is asked when the last one has answered, or after this time. */
const TURN_MS = 50
/** A call that fails after a longer time has waited for a provider that does not answer. */
const SILENT_MS = 3 * SECOND_MS

interface DueWork<Row> {
  work(context: StoreContext, row: Row): Promise<unknown>
  /** Called for a row that is left for its next time, because `work` failed or the provider of its store is silent. */
  onLeft(row: Row, error: unknown): unknown
}

/**
 * Works on due rows of several stores, each of which may wait for a provider. Slow providers are asked at once, and fast ones
 * one after the other, so that the work leaves processor time and connections for the calls of the API. If the provider of a
 * store does not answer, the remaining rows of this store are left, so that other stores do not wait for it.
 */
export async function workOnDue<Row extends { store_id: number }>(
  app: App,
  rows: readonly Row[],
  { work, onLeft }: DueWork<Row>,
): Promise<void> {
  const silentStores = new Set<number>()
  const takeTurn = openTurns()
  await inParallel(rows, CONCURRENCY, async (row) => {
    const endTurn = await takeTurn()
    const startedAt = performance.now()
    try {
      if (silentStores.has(row.store_id)) throw new Error('The provider of this store is silent.')
      const store = await selectStoreById(app.db, row.store_id)
      if (store) await work(storeContextOf(app, store), row)
    } catch (error) {
      if (performance.now() - startedAt >= SILENT_MS) silentStores.add(row.store_id)
      await onLeft(row, error)
    } finally {
      endTurn()
    }
  })
}

/** Returns a function that waits until the last turn was ended, or has lasted for `TURN_MS`. It returns how to end its own. */
function openTurns(): () => Promise<() => void> {
  let lastTurn = Promise.resolve()
  return async () => {
    const before = lastTurn
    let pass = () => {}
    lastTurn = new Promise((resolve) => {
      pass = resolve
    })
    await before
    const timer = setTimeout(pass, TURN_MS)
    return () => {
      clearTimeout(timer)
      pass()
    }
  }
}
