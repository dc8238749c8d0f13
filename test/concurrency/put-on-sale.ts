import { sql } from 'kysely'
import { call } from '../process/client.ts'
import type { RealServer } from './open-market.ts'

export interface OnSale {
  id: string
  variantId: number
}

/** A product with these keys in stock. */
export async function putOnSale(tradepost: RealServer, keys: readonly string[]): Promise<OnSale> {
  const [target] = tradepost.targets
  const made = await call(target, 'POST', '/products', {
    body: { name: 'Game', price_cents: 1_000 },
  })
  if (made.status !== 201) throw new Error(made.text)
  const onSale = { id: made.json.product.id, variantId: made.json.variants[0].id }
  await stock(tradepost, onSale, keys)
  return onSale
}

/** Adds keys to a variant. */
export async function stock(
  { targets }: RealServer,
  { id, variantId }: OnSale,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const path = `/products/${id}/variants/${variantId}/keys`
  const added = await call(targets[0], 'POST', path, { body: { keys } })
  if (added.status !== 201) throw new Error(added.text)
}

export interface Counters {
  on_hand: number
  reserved: number
  sold: number
}

export async function countersOf({ app }: RealServer, variantId: number): Promise<Counters> {
  const { rows } = await sql<Counters>`
    select on_hand, reserved, sold from stock where variant_id = ${variantId}`.execute(app.db)
  const [counters] = rows
  if (!counters) throw new Error('A variant without counters.')
  return counters
}

/** How many events of each type the store has. */
export async function eventCounts({ app, storeId }: RealServer): Promise<Record<string, number>> {
  const { rows } = await sql<{ type: string; count: number }>`
    select type, count(*)::int as count
      from event
     where store_id = ${storeId}
     group by type`.execute(app.db)
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}
