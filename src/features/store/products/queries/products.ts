import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { updateRecord } from '../../../../db/records.ts'
import { hasRef } from '../../../../db/refs.ts'
import { execute, firstRow, firstValue } from '../../../../db/rows.ts'
import { foldedColumn } from '../../../../kernel/fold.ts'
import type { ProductRow } from '../products.rules.ts'
import type { ListedProduct, Method, Product, ProductDetails, Section, Seo } from '../schema.ts'
import { PRODUCT, productsWith, SECTIONS } from './sections.ts'

/** Returns a product with all its sections. */
export const selectProduct = (db: Db, storeId: number, ref: string) =>
  firstRow<Required<ListedProduct>>(db)`
    select ${PRODUCT}, ${sql.join(Object.values(SECTIONS))}
      from ${productsWith(Object.keys(SECTIONS) as Section[])}
     where p.store_id = ${storeId} and ${hasRef('p', ref)} and p.deleted_at is null`

export const selectProductId = (db: Db, storeId: number, ref: string) =>
  firstValue<number>(db)`
    select p.id from product p
     where p.store_id = ${storeId} and ${hasRef('p', ref)} and p.deleted_at is null`

/** The fields by which `product_tally` counts products, for the totals of filtered lists. */
type Facets = Pick<Product, 'status' | 'visibility' | 'active' | 'type' | 'product_kind'>

type LockedFields = Pick<
  Product,
  | 'hash_id'
  | 'name'
  | 'slug'
  | 'discount_percent'
  | 'accepts_coupons'
  | 'min_qty'
  | 'max_qty'
  | 'sell_limit'
  | 'requires_shipping'
  | 'sku'
  | 'delivery_note'
  | 'best_seller'
  | 'metadata'
  | 'stock_alert_threshold'
>

interface LockedProduct extends Facets, LockedFields {
  id: number
  price_cents: number
  methods: Method[]
}

/**
 * Locks a product for a change of it or its variants. The lock is `no key`, so that the insertion of
 * an order that refers to the product does not wait: the order has locked stock by then, so the two
 * transactions could wait for each other.
 */
export const lockProduct = (tx: Tx, storeId: number, ref: string) =>
  firstRow<LockedProduct>(tx)`
    select p.id, p.hash_id, p.name, p.slug, p.price_cents, p.discount_percent, p.accepts_coupons,
           p.min_qty, p.max_qty, p.sell_limit, p.requires_shipping, p.sku, p.delivery_note, p.best_seller,
           p.metadata, p.stock_alert_threshold, p.methods, ${FACETS}
      from product p
     where p.store_id = ${storeId} and ${hasRef('p', ref)} and p.deleted_at is null
       for no key update`

export interface NewProductRow extends ProductRow {
  slug: string
  hash_id: string
  methods: readonly Method[]
  created_at: string
}

/** Inserts a product. Returns its numeric id, or undefined if the slug is used. */
export async function insertProduct(
  tx: Tx,
  storeId: number,
  row: NewProductRow,
): Promise<number | undefined> {
  const { metadata, methods, ...fields } = row
  const insertedProduct = await tx
    .insertInto('product')
    .values({
      ...fields,
      folded: foldedColumn(row.name, row.slug, row.sku ?? null),
      store_id: storeId,
      metadata: JSON.stringify(metadata),
      methods: JSON.stringify(methods),
      updated_at: row.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'slug']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return insertedProduct?.id
}

type ProductChange = Partial<ProductRow> & {
  slug?: string
  methods?: readonly Method[]
  /** The texts in which the product is searched (decision 182). */
  folded?: string | null
}

interface ProductUpdate extends ProductChange {
  updated_at: string
  /** True if the texts of its page or its categories change. */
  isChangedElsewhere: boolean
}

export async function updateProduct(
  tx: Tx,
  storeId: number,
  id: number,
  { metadata, methods, isChangedElsewhere, ...fields }: ProductUpdate,
): Promise<void> {
  await updateRecord(
    tx,
    'product',
    { storeId, id, isChangedElsewhere },
    {
      ...fields,
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      ...(methods && { methods: JSON.stringify(methods) }),
    },
  )
}

export type ProductContent = Partial<ProductDetails & Seo>

const asColumns = ({ highlights, ...texts }: ProductContent) => ({
  ...texts,
  ...(highlights && { highlights: JSON.stringify(highlights) }),
})

/** Inserts the texts of a new product's page. */
export async function insertContent(
  tx: Tx,
  storeId: number,
  productId: number,
  content: ProductContent,
) {
  await tx
    .insertInto('product_content')
    .values({ highlights: '{}', ...asColumns(content), store_id: storeId, product_id: productId })
    .execute()
}

/** Inserts the list counters of a new product, and adds it to the tally (decision 100). */
export const addToLists = (tx: Tx, storeId: number, productId: number) =>
  execute(tx)`
    with list_counters as (
      insert into product_stock (store_id, product_id, sellable)
      select ${storeId}::bigint, ${productId}::bigint, count(*)
        from variant v
        join stock s on s.store_id = v.store_id and s.variant_id = v.id
       where v.store_id = ${storeId} and v.product_id = ${productId} and v.active
         and (v.stock_mode = 'unlimited' or not v.track_inventory or s.available > 0)
    )
    ${addToTally(storeId, productId)}`

const FACETS = sql`p.status, p.visibility, p.active, p.type, p.product_kind`
/** Each count is split over this number of rows, so that concurrent changes seldom wait for one row. */
const TALLY_PARTS = 8

/**
 * Returns the SQL that adds rows to the tally. A row has the facets and a number of products. The rows
 * are sorted, so that concurrent statements lock the tally in the same sequence.
 */
const addRowsToTally = (rows: RawBuilder<unknown>, storeId: number) => sql`
  insert into product_tally
         (store_id, status, visibility, active, type, product_kind, part, products)
  select ${storeId}::bigint, c.status, c.visibility, c.active, c.type, c.product_kind,
         ${randomInt(TALLY_PARTS)}::smallint, c.products
    from (${rows}) as c(status, visibility, active, type, product_kind, products)
   order by 2, 3, 4, 5, 6
      on conflict (store_id, status, visibility, active, type, product_kind, part)
      do update set products = product_tally.products + excluded.products`

/** Returns the SQL that adds a new product to the tally. */
export const addToTally = (storeId: number, id: number) =>
  addRowsToTally(
    sql`select ${FACETS}, 1 from product p where p.store_id = ${storeId} and p.id = ${id}`,
    storeId,
  )

/** Moves a product in the tally from its former facets to its current ones. */
export async function moveInTally(
  tx: Tx,
  storeId: number,
  { id, ...formerFacets }: Facets & { id: number },
) {
  await sql`
    ${addRowsToTally(
      sql`
      select ${FACETS}, 1 from product p where p.store_id = ${storeId} and p.id = ${id}
       union all
      select ${formerFacets.status}::text, ${formerFacets.visibility}::text,
             ${formerFacets.active}::boolean, ${formerFacets.type}::text,
             ${formerFacets.product_kind}::text, -1`,
      storeId,
    )}`.execute(tx)
}

/** Returns the texts of a product's page. */
export const selectContent = (
  db: Db,
  storeId: number,
  productId: number,
): Promise<ProductContent> =>
  db
    .selectFrom('product_content')
    .select(['short_description', 'description_html', 'youtube_url', 'delivered_message'])
    .select(['meta_title', 'meta_description', 'og_title', 'og_description', 'og_image_url'])
    .select((row) => row.ref('highlights').$castTo<ProductDetails['highlights']>().as('highlights'))
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()

export async function updateContent(
  tx: Tx,
  storeId: number,
  productId: number,
  content: ProductContent,
) {
  await tx
    .updateTable('product_content')
    .set(asColumns(content))
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .execute()
}

/**
 * Lists a product in these categories and no others. Returns the ids that exist, and those of its former
 * categories. The rows of the categories, which have counters of products, are locked in the order of
 * their ids.
 *
 * The changes are grouped although each category occurs only once. If a category changed since the
 * statement began, PostgreSQL evaluates the join again with the newest version of the row. Without the
 * grouping it would run the delete and the insert again, which PostgreSQL refuses.
 */
export async function replaceCategories(
  tx: Tx,
  storeId: number,
  productId: number,
  ids: readonly number[],
): Promise<{ existingIds: Set<number>; formerIds: number[] }> {
  const { rows } = await sql<{ id: number; is_former: boolean }>`
    with locked as materialized (
      select c.id from category c
       where c.store_id = ${storeId}
         and (c.id = any(${ids}::bigint[])
              or c.id in (select pc.category_id from product_category pc
                           where pc.store_id = ${storeId} and pc.product_id = ${productId}))
       order by c.id
         for no key update
    ), removed as (
      delete from product_category
       where store_id = ${storeId} and product_id = ${productId}
         and category_id <> all(${ids}::bigint[])
      returning category_id
    ), added as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, ${productId}, l.id from locked l where l.id = any(${ids}::bigint[])
          on conflict do nothing
      returning category_id
    ), counted as (
      update category c
         set product_count = c.product_count + s.change
        from (select category_id, sum(change) as change
                from (select category_id, -1 as change from removed
                       union all
                      select category_id, 1 from added) changes
               group by category_id) s
       where c.store_id = ${storeId} and c.id = s.category_id
    )
    select id, exists (select from product_category pc
                        where pc.store_id = ${storeId} and pc.product_id = ${productId}
                          and pc.category_id = locked.id) as is_former
      from locked
     order by id`.execute(tx)
  return {
    existingIds: new Set(rows.map((row) => row.id)),
    formerIds: rows.filter((row) => row.is_former).map((row) => row.id),
  }
}

/** Marks a product and its variants as deleted, and deletes its list counters. */
export const markProductDeleted = (tx: Tx, storeId: number, productId: number, now: string) =>
  execute(tx)`
    with deleted_product as (
      update product set deleted_at = ${now}, updated_at = greatest(updated_at, ${now})
       where store_id = ${storeId} and id = ${productId}
    ), deleted_variants as (
      update variant set deleted_at = ${now}, updated_at = greatest(updated_at, ${now})
       where store_id = ${storeId} and product_id = ${productId} and deleted_at is null
    ), deleted_counters as (
      delete from product_stock where store_id = ${storeId} and product_id = ${productId}
    )
    ${addRowsToTally(
      sql`select ${FACETS}, -1 from product p
                 where p.store_id = ${storeId} and p.id = ${productId}`,
      storeId,
    )}`

/** Deletes the media of a product, and returns the ids of their blobs. */
export async function deleteMediaOf(tx: Tx, storeId: number, productId: number): Promise<string[]> {
  const { rows } = await sql<{ blob_id: string | null }>`
    delete from product_media
     where store_id = ${storeId} and product_id = ${productId}
    returning blob_id`.execute(tx)
  return rows.flatMap(({ blob_id }) => blob_id ?? [])
}
