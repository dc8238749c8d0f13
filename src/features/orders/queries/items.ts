import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { isHash } from '../../../kernel/ids.ts'
import type { Line, Sellable } from '../lines.rules.ts'
import type { NewItem } from '../schema.ts'

/** What each item names, in their order: a variant with its product, the default one where none is said. */
export async function selectSellables(
  db: Db,
  storeId: number,
  items: readonly NewItem[],
): Promise<(Sellable | undefined)[]> {
  const refs = items.map(({ product_id }) => product_id)
  const variantIds = items.flatMap(({ variant_id }) => variant_id ?? [])
  const { rows } = await sql<Sellable & { is_default: boolean | null }>`
    select p.id as product_id, p.hash_id as product_hash, p.name as product_name,
           p.sku as product_sku, p.status as product_status, p.active as product_active,
           p.visibility, p.discount_percent as product_discount_percent, p.min_qty, p.max_qty,
           p.sell_limit, p.methods, p.accepts_coupons, v.id as variant_id, v.name as variant_name,
           v.sku as variant_sku, v.active as variant_active, v.delivery_type, v.price_cents,
           v.discount_percent, v.is_default
      from product p
      left join variant v
        on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
       and (v.is_default or v.id = any(${variantIds}::bigint[]))
     where p.store_id = ${storeId} and p.deleted_at is null
       and (p.hash_id = any(${refs.filter(isHash)}::text[])
            or p.id = any(${refs.filter((ref) => !isHash(ref))}::bigint[]))`.execute(db)

  return items.map(({ product_id, variant_id }) => {
    const ofProduct = rows.filter(
      (row) => row.product_hash === product_id || String(row.product_id) === product_id,
    )
    const named = ofProduct.find((row) =>
      variant_id === undefined ? row.is_default : row.variant_id === variant_id,
    )
    const [any] = ofProduct
    return named ?? (any && { ...any, variant_id: null })
  })
}

export interface ItemRow extends Line {
  id: number
  reserved: number
  /** Whether stock left for it, or it needed none. */
  served: boolean
}

/** The lines of an order as they are delivered or given back. */
export async function selectItems(db: Db, storeId: number, orderId: string): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select i.id, i.product_id, i.product_hash, i.variant_id, i.name, i.variant_name, i.sku,
           i.delivery_type, i.quantity, i.reserved, i.served, i.unit_price_cents, i.discount_cents,
           i.total_cents
      from order_item i
     where i.store_id = ${storeId} and i.order_id = ${orderId}
     order by i.id`.execute(db)
  return rows
}

/** These lines hold no stock any more. */
export async function clearReserved(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update order_item set reserved = 0
     where store_id = ${storeId} and id = any(${ids}::bigint[]) and reserved > 0`.execute(tx)
}

/** Units of products that a customer has bought, or holds in unpaid orders. */
export async function countBought(
  tx: Tx,
  storeId: number,
  customerId: number,
  productIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ product_id: number; units: number }>`
    select i.product_id, sum(i.quantity) as units
      from "order" o
      join order_item i on i.store_id = o.store_id and i.order_id = o.id
     where o.store_id = ${storeId} and o.customer_id = ${customerId}
       and o.status not in ('expired', 'cancelled', 'refunded')
       and i.product_id = any(${productIds}::bigint[])
     group by i.product_id`.execute(tx)
  return new Map(rows.map((row) => [row.product_id, row.units]))
}
