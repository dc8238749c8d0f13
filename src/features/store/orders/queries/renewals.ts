import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import type { OrderLine } from '../lines.rules.ts'
import type { StoredOrder } from '../schema.ts'

/** The fields that a renewal copies from an earlier order, and the current customer. */
export type RenewalSource = Omit<
  OrderLine,
  | 'quantity'
  | 'unit_price_cents'
  | 'discount_cents'
  | 'total_cents'
  | 'bundle_product_id'
  | 'bundle_hash'
  | 'bundle_name'
  | 'bundle_units'
> &
  Pick<
    StoredOrder,
    | 'customer'
    | 'shipping'
    | 'shipping_address'
    | 'shipping_cents'
    | 'source'
    | 'language'
    | 'by_user'
  >

/** The ids of the line to repeat, and of the current customer of its subscription. */
export interface RenewalRef {
  order_item_id: number
  customer_id: number
}

/**
 * Returns the lines to repeat, by their ids. Locks the customers, as every new order does.
 */
export async function selectRenewalSources(
  tx: Tx,
  storeId: number,
  renewals: readonly RenewalRef[],
): Promise<Map<number, RenewalSource>> {
  const itemIds = renewals.map((item) => item.order_item_id)
  const customerIds = renewals.map((item) => item.customer_id)
  const { rows } = await sql<RenewalSource & { order_item_id: number }>`
    select i.id as order_item_id, i.product_id, i.product_hash, i.variant_id, i.name, i.variant_name, i.sku,
           i.delivery_type, o.source, o.language, o.by_user, o.shipping_address, o.shipping, o.shipping_cents,
           json_build_object('id', c.id, 'email', c.email, 'name', c.name, 'country', c.country)
             as customer
      from unnest(${itemIds}::bigint[], ${customerIds}::bigint[]) as r(order_item_id, customer_id)
      join order_item i
        on i.store_id = ${storeId} and i.id = any(${itemIds}::bigint[]) and i.id = r.order_item_id
      join "order" o on o.store_id = i.store_id and o.id = i.order_id
      join customer c
        on c.store_id = ${storeId} and c.id = any(${customerIds}::bigint[]) and c.id = r.customer_id
     order by c.id
       for update of c`.execute(tx)
  return new Map(rows.map(({ order_item_id, ...row }) => [order_item_id, row]))
}
