import { sql } from 'kysely'
import { call } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'

export interface OnSale {
  id: string
  variantId: number
}

/** Creates a product with these stock keys. */
export async function putOnSale(tradepost: ServedStore, keys: readonly string[]): Promise<OnSale> {
  const [target] = tradepost.targets
  const created = await call(target, 'POST', '/products', {
    body: { name: 'Game', price_cents: 1_000 },
  })
  if (created.status !== 201) throw new Error(created.text)
  const onSale = { id: created.json.product.id, variantId: created.json.variants[0].id }
  await addStockKeys(tradepost, onSale, keys)
  return onSale
}

/** Adds stock keys to a variant. */
export async function addStockKeys(
  { targets }: ServedStore,
  { id, variantId }: OnSale,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const path = `/products/${id}/variants/${variantId}/keys`
  const added = await call(targets[0], 'POST', path, { body: { keys } })
  if (added.status !== 201) throw new Error(added.text)
}

interface Counters {
  on_hand: number
  reserved: number
  sold: number
}

export async function countersOf({ app }: ServedStore, variantId: number): Promise<Counters> {
  const { rows } = await sql<Counters>`
    select on_hand, reserved, sold from stock where variant_id = ${variantId}`.execute(app.db)
  const [counters] = rows
  if (!counters) throw new Error('The variant has no row in the table stock.')
  return counters
}

/** Returns the number of events of each type in the store. */
export async function eventCounts({ app, storeId }: ServedStore): Promise<Record<string, number>> {
  const { rows } = await sql<{ type: string; count: number }>`
    select type, count(*)::int as count
      from event
     where store_id = ${storeId}
     group by type`.execute(app.db)
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}
