import { sql } from 'kysely'
import { anyOf } from '../../../../db/arrays.ts'
import type { Db } from '../../../../db/database.ts'
import { hasOneOfRefs } from '../../../../db/refs.ts'
import type { NewOrderItem } from '../item-schema.ts'
import type { Method } from '../schema.ts'

/** A variant with its product, and all fields that a sale of it depends on. */
export interface Sellable {
  product_id: number
  product_hash: string
  product_name: string
  product_sku: string | null
  product_status: string
  product_active: boolean
  product_kind: string
  /** True if the product has billing. A subscription product without billing cannot be sold. */
  has_billing: boolean
  visibility: string
  product_discount_percent: number
  min_qty: number
  max_qty: number | null
  sell_limit: number | null
  methods: Method[]
  accepts_coupons: boolean
  variant_id: number
  variant_name: string
  variant_sku: string | null
  variant_active: boolean
  delivery_type: string
  price_cents: number
  discount_percent: number
  weight_grams: number | null
  length_cm: number | null
  width_cm: number | null
  height_cm: number | null
  stock_mode: string
  track_inventory: boolean
  allow_backorder: boolean
  /** Read without a lock, so it may be outdated. */
  on_hand: number
  /** Read without a lock, so it may be outdated. */
  reserved: number
  /** Read without a lock, so it may be outdated. */
  owed: number
  /** How often the settings of its stock were changed. */
  mode_changes: number
}

/** The variant of an item. `variant_id` is null if the product exists and the variant does not. */
export type ItemMatch = Sellable | (Omit<Sellable, 'variant_id'> & { variant_id: null })

/**
 * Returns the variant of each item, in the sequence of the items; undefined if the product does not
 * exist. An item without `variant_id` means the default variant.
 */
export async function selectSellables(
  db: Db,
  storeId: number,
  items: readonly Pick<NewOrderItem, 'product_id' | 'variant_id'>[],
): Promise<(ItemMatch | undefined)[]> {
  const refs = items.map(({ product_id }) => product_id)
  const variantIds = items.flatMap(({ variant_id }) => variant_id ?? [])
  const { rows } = await sql<ItemMatch & { is_default: boolean | null }>`
    select p.id as product_id, p.hash_id as product_hash, p.name as product_name,
           p.sku as product_sku, p.status as product_status, p.active as product_active,
           p.product_kind, b.product_id is not null as has_billing, p.visibility,
           p.discount_percent as product_discount_percent, p.min_qty, p.max_qty, p.sell_limit,
           p.methods, p.accepts_coupons, v.id as variant_id, v.name as variant_name,
           v.sku as variant_sku, v.active as variant_active, v.delivery_type, v.price_cents,
           v.discount_percent, v.weight_grams, v.length_cm, v.width_cm, v.height_cm, v.is_default,
           v.stock_mode, v.track_inventory, v.allow_backorder, s.on_hand, s.reserved,
           s.owed, s.mode_changes
      from product p
      left join product_billing b on b.store_id = p.store_id and b.product_id = p.id
      left join variant v
        on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
       and (v.is_default or v.id = ${anyOf(variantIds, 'bigint')})
      left join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and p.deleted_at is null and ${hasOneOfRefs('p', refs)}`.execute(
    db,
  )

  return items.map(({ product_id, variant_id }) => {
    const productRows = rows.filter(
      (row) => row.product_hash === product_id || String(row.product_id) === product_id,
    )
    const match = productRows.find((row) =>
      variant_id === undefined ? row.is_default : row.variant_id === variant_id,
    )
    const [firstRow] = productRows
    return match ?? (firstRow && { ...firstRow, variant_id: null })
  })
}
