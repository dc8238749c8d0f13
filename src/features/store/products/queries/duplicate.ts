import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { allValues, execute } from '../../../../db/rows.ts'
import type { ProductRow } from '../products.rules.ts'
import type { Method } from '../schema.ts'
import { addToTally } from './products.ts'

type CopiedRow = ProductRow & { methods: Method[] }

const COPIED_COLUMNS = [
  'name',
  'type',
  'product_kind',
  'status',
  'active',
  'visibility',
  'price_cents',
  'discount_percent',
  'currency',
  'accepts_coupons',
  'min_qty',
  'max_qty',
  'sell_limit',
  'requires_shipping',
  'sku',
  'delivery_note',
  'best_seller',
  'metadata',
  'stock_alert_threshold',
  'methods',
] as const

export const selectCopiedRow = (
  tx: Tx,
  storeId: number,
  id: number,
): Promise<CopiedRow | undefined> =>
  tx
    .selectFrom('product')
    .select(COPIED_COLUMNS)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<CopiedRow | undefined>

interface CopyTask {
  sourceId: number
  copyId: number
  created_at: string
}

/**
 * Copies the details, SEO texts, billing, bundle contents and categories of a product, and counts the
 * copy in these categories.
 */
export const copyContent = (tx: Tx, storeId: number, { sourceId, copyId, created_at }: CopyTask) =>
  execute(tx)`
    with content as (
      insert into product_content (store_id, product_id, ${CONTENT_COLUMNS})
      select store_id, ${copyId}, ${CONTENT_COLUMNS} from product_content
       where store_id = ${storeId} and product_id = ${sourceId}
    ), billing as (
      insert into product_billing
             (store_id, product_id, billing_cycle, trial_days, recurring_price_cents, created_at,
              updated_at)
      select store_id, ${copyId}, billing_cycle, trial_days, recurring_price_cents, ${created_at},
             ${created_at}
        from product_billing
       where store_id = ${storeId} and product_id = ${sourceId}
    ), bundle as (
      insert into bundle_item (store_id, product_id, position, variant_id, quantity)
      select store_id, ${copyId}, position, variant_id, quantity
        from bundle_item
       where store_id = ${storeId} and product_id = ${sourceId}
    ), locked as materialized (
      select c.id from category c
       where c.store_id = ${storeId}
         and c.id in (select pc.category_id from product_category pc
                       where pc.store_id = ${storeId} and pc.product_id = ${sourceId})
       order by c.id
         for no key update
    ), listed as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, ${copyId}, id from locked
      returning category_id
    )
    update category c
       set product_count = c.product_count + 1
      from listed l
     where c.store_id = ${storeId} and c.id = l.category_id`

const CONTENT_COLUMNS = sql.raw(`
  short_description, description_html, youtube_url, delivered_message, highlights, meta_title,
  meta_description, og_title, og_description, og_image_url`)

/** Returns the ids of the blobs of a product's media. */
export const selectMediaBlobs = (tx: Tx, storeId: number, id: number) =>
  allValues<string>(tx)`
    select distinct blob_id from product_media
     where store_id = ${storeId} and product_id = ${id} and blob_id is not null`

/** Copies media by reference: media with external URLs, and those whose blob is in `blobs`. */
export const copyMedia = (
  tx: Tx,
  storeId: number,
  { sourceId, copyId, created_at, blobs }: CopyTask & { blobs: readonly string[] },
) =>
  execute(tx)`
    insert into product_media
           (store_id, product_id, kind, url, blob_id, position, is_main, meta, created_at)
    select store_id, ${copyId}, kind, url, blob_id, position, is_main, meta, ${created_at}
      from product_media
     where store_id = ${storeId} and product_id = ${sourceId}
       and (blob_id is null or blob_id = any(${blobs}::text[]))
     order by position, id`

/**
 * Copies variants with their options and prices, but without SKU, barcode and stock. Inserts the list
 * counters of the new product, and adds it to the tally.
 */
export const copyVariants = (tx: Tx, storeId: number, { sourceId, copyId, created_at }: CopyTask) =>
  execute(tx)`
    with inserted as (
      insert into variant
             (store_id, product_id, name, slug, delivery_type, price_cents, discount_percent,
              compare_at_cents, is_default, active, sort_order, image_url, stock_mode, weight_grams,
              track_inventory, allow_backorder, low_stock_threshold, option_values, length_cm,
              width_cm, height_cm, created_at, updated_at)
      select store_id, ${copyId}, name, slug, delivery_type, price_cents, discount_percent,
             compare_at_cents, is_default, active, sort_order, image_url, stock_mode, weight_grams,
             track_inventory, allow_backorder, low_stock_threshold, option_values, length_cm,
             width_cm, height_cm, ${created_at}, ${created_at}
        from variant
       where store_id = ${storeId} and product_id = ${sourceId} and deleted_at is null
       order by sort_order, id
      returning store_id, id, active and (stock_mode = 'unlimited' or not track_inventory) as sellable
    ), counters as (
      insert into stock (store_id, variant_id)
      select store_id, id from inserted
    ), list_counters as (
      insert into product_stock (store_id, product_id, sellable)
      select ${storeId}::bigint, ${copyId}::bigint, count(*) from inserted where sellable
    )
    ${addToTally(storeId, copyId)}`
