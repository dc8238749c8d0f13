import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import type { ProductRow } from '../products.rules.ts'
import type { Method } from '../schema.ts'
import { countOne } from './products.ts'

export type CopiedRow = ProductRow & { methods: Method[] }

/** Returns the columns of a product that a copy takes over. */
export const selectRow = (tx: Tx, storeId: number, id: number): Promise<CopiedRow | undefined> =>
  tx
    .selectFrom('product')
    .select([
      ...([
        'name',
        'type',
        'product_kind',
        'status',
        'active',
        'visibility',
        'price_cents',
      ] as const),
      ...(['discount_percent', 'currency', 'accepts_coupons', 'min_qty', 'max_qty'] as const),
      ...(['sell_limit', 'requires_shipping', 'sku', 'delivery_note', 'best_seller'] as const),
      ...(['metadata', 'stock_alert_threshold', 'methods'] as const),
    ])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<CopiedRow | undefined>

export interface Copy {
  from: number
  to: number
  created_at: string
}

/** Copies details, SEO, billing, the contents of a bundle and the categories, and counts the copy in these categories. */
export async function copyContent(
  tx: Tx,
  storeId: number,
  { from, to, created_at }: Copy,
): Promise<void> {
  await sql`
    with written as (
      insert into product_content (store_id, product_id, ${TEXTS})
      select store_id, ${to}, ${TEXTS} from product_content
       where store_id = ${storeId} and product_id = ${from}
    ), billed as (
      insert into product_billing
             (store_id, product_id, billing_cycle, trial_days, recurring_price_cents, created_at,
              updated_at)
      select store_id, ${to}, billing_cycle, trial_days, recurring_price_cents, ${created_at},
             ${created_at}
        from product_billing
       where store_id = ${storeId} and product_id = ${from}
    ), contents as (
      insert into bundle_item (store_id, product_id, position, variant_id, quantity)
      select store_id, ${to}, position, variant_id, quantity
        from bundle_item
       where store_id = ${storeId} and product_id = ${from}
    ), known as materialized (
      select c.id from category c
       where c.store_id = ${storeId}
         and c.id in (select l.category_id from product_category l
                       where l.store_id = ${storeId} and l.product_id = ${from})
       order by c.id
         for no key update
    ), listed as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, ${to}, id from known
      returning category_id
    )
    update category c
       set product_count = c.product_count + 1
      from listed l
     where c.store_id = ${storeId} and c.id = l.category_id`.execute(tx)
}

const TEXTS = sql.raw(`
  short_description, description_html, youtube_url, delivered_message, highlights, meta_title,
  meta_description, og_title, og_description, og_image_url`)

/** Returns the files in our storage that the media of a product show. */
export async function selectMediaBlobs(tx: Tx, storeId: number, id: number): Promise<string[]> {
  const { rows } = await sql<{ blob_id: string }>`
    select distinct blob_id from product_media
     where store_id = ${storeId} and product_id = ${id} and blob_id is not null`.execute(tx)
  return rows.map((row) => row.blob_id)
}

/** Copies media by reference: external media, and media in our storage whose files are named. */
export async function copyMedia(
  tx: Tx,
  storeId: number,
  { from, to, created_at, blobs }: Copy & { blobs: readonly string[] },
): Promise<void> {
  await sql`
    insert into product_media
           (store_id, product_id, kind, url, blob_id, position, is_main, meta, created_at)
    select store_id, ${to}, kind, url, blob_id, position, is_main, meta, ${created_at}
      from product_media
     where store_id = ${storeId} and product_id = ${from}
       and (blob_id is null or blob_id = any(${blobs}::text[]))
     order by position, id`.execute(tx)
}

/**
 * Copies variants with their options and prices, without SKU, barcode and stock. Adds the copy to
 * lists, and counts it.
 */
export async function copyVariants(
  tx: Tx,
  storeId: number,
  { from, to, created_at }: Copy,
): Promise<void> {
  await sql`
    with made as (
      insert into variant
             (store_id, product_id, name, slug, delivery_type, price_cents, discount_percent,
              compare_at_cents, is_default, active, sort_order, image_url, stock_mode, weight_grams,
              track_inventory, allow_backorder, low_stock_threshold, option_values, length_cm,
              width_cm, height_cm, created_at, updated_at)
      select store_id, ${to}, name, slug, delivery_type, price_cents, discount_percent,
             compare_at_cents, is_default, active, sort_order, image_url, stock_mode, weight_grams,
             track_inventory, allow_backorder, low_stock_threshold, option_values, length_cm,
             width_cm, height_cm, ${created_at}, ${created_at}
        from variant
       where store_id = ${storeId} and product_id = ${from} and deleted_at is null
       order by sort_order, id
      returning store_id, id, active and (stock_mode = 'unlimited' or not track_inventory) as sellable
    ), stocked as (
      insert into stock (store_id, variant_id)
      select store_id, id from made
    ), on_lists as (
      insert into product_stock (store_id, product_id, sellable)
      select ${storeId}::bigint, ${to}::bigint, count(*) from made where sellable
    )
    ${countOne(storeId, to)}`.execute(tx)
}
