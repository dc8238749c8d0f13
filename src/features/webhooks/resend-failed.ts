import { CommandError, type Talk } from '../../command.ts'
import { StoreError } from '../../kernel/errors.ts'
import { iso } from '../../kernel/time.ts'
import type { Shop } from '../../shop.ts'
import { countFailedSince, selectFailedSince } from './queries/log.ts'
import { resendDelivery } from './send-by-hand.ts'

const PAGE = 100

/** Sends again what failed, one after the other, so that a receiver that just recovered is not flooded. */
export async function resendFailed(
  shop: Shop,
  since_ms: number,
  { emit, signal }: Talk,
): Promise<{ resent: number; failed: number }> {
  const { db, store } = shop
  const since = iso(Date.parse(shop.now) - since_ms)
  const total = await countFailedSince(db, store.id, since)
  const counts = { resent: 0, failed: 0 }
  const done = () => counts.resent + counts.failed
  let after = 0
  for (;;) {
    const ids = await selectFailedSince(db, store.id, { since, after, limit: PAGE })
    const last = ids.at(-1)
    if (last === undefined) return counts
    for (const id of ids) {
      if (signal.aborted) throw new CommandError(`Stopped after ${done()} of ${total}; repeat it.`)
      counts[(await arrives(shop, id)) ? 'resent' : 'failed']++
      emit({ done: done(), total: Math.max(total, done()), failed: counts.failed })
    }
    after = last
  }
}

async function arrives(shop: Shop, id: number): Promise<boolean> {
  try {
    return (await resendDelivery(shop, id)).result.ok
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}
