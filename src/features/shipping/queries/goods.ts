import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { isHash } from '../../../kernel/ids.ts'
import type { Goods } from '../price.rules.ts'
import type { QuotedItem } from '../quote-schema.ts'

/** What an item names: nothing, a product without such a variant, or goods. */
export type FoundGoods = Goods & { has_product: boolean; has_variant: boolean }

/** What each item names, in their order: the default variant where none is said. */
export async function selectGoods(
  db: Db,
  storeId: number,
  items: readonly QuotedItem[],
): Promise<FoundGoods[]> {
  const hashes = items.map(({ product_id }) => (isHash(product_id) ? product_id : null))
  const ids = items.map(({ product_id }) => (isHash(product_id) ? null : product_id))
  const { rows } = await sql<FoundGoods>`
    select i.quantity, p.id is not null as has_product, v.id is not null as has_variant,
           v.delivery_type, v.price_cents, v.discount_percent,
           p.discount_percent as product_discount_percent, v.weight_grams, v.length_cm, v.width_cm,
           v.height_cm
      from unnest(${hashes}::text[], ${ids}::bigint[],
                  ${items.map(({ variant_id }) => variant_id ?? null)}::bigint[],
                  ${items.map(({ quantity }) => quantity)}::bigint[])
             with ordinality as i(hash_id, id, variant_id, quantity, place)
      left join product p
        on p.store_id = ${storeId} and (p.hash_id = i.hash_id or p.id = i.id)
       and p.deleted_at is null
      left join variant v
        on v.store_id = ${storeId} and v.product_id = p.id and v.deleted_at is null
       and (v.id = i.variant_id or (i.variant_id is null and v.is_default))
     order by i.place`.execute(db)
  return rows
}
