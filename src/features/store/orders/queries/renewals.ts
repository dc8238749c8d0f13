import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import type { Line } from '../lines.rules.ts'
import type { Order } from '../schema.ts'

/** The fields that a renewal copies from the renewed order, and the current customer. */
export type Renewed = Omit<
  Line,
  'quantity' | 'unit_price_cents' | 'discount_cents' | 'total_cents'
> &
  Pick<Order, 'customer' | 'shipping' | 'shipping_address' | 'shipping_cents' | 'source'>

/** The customer stays locked until the commit, as by every new order. */
export async function selectRenewed(
  tx: Tx,
  storeId: number,
  itemId: number,
  customerId: number,
): Promise<Renewed | undefined> {
  const { rows } = await sql<Renewed>`
    select i.product_id, i.product_hash, i.variant_id, i.name, i.variant_name, i.sku,
           i.delivery_type, o.source, o.shipping_address, o.shipping, o.shipping_cents,
           json_build_object('id', c.id, 'email', c.email, 'name', c.name, 'country', c.country)
             as customer
      from order_item i
      join "order" o on o.store_id = i.store_id and o.id = i.order_id
      join customer c on c.store_id = i.store_id and c.id = ${customerId}
     where i.store_id = ${storeId} and i.id = ${itemId}
       for update of c`.execute(tx)
  return rows[0]
}
