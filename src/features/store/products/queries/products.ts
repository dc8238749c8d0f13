import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { named } from '../../../../db/named.ts'
import type { ProductRow } from '../products.rules.ts'
import type { Details, ListedProduct, Method, Product, Section, Seo } from '../schema.ts'
import { PRODUCT, productsWith, SECTIONS } from './sections.ts'

/** Returns a product with all its sections, in one round trip. */
export async function selectProduct(db: Db, storeId: number, ref: string) {
  const { rows } = await sql<Required<ListedProduct>>`
    select ${PRODUCT}, ${sql.join(Object.values(SECTIONS))}
      from ${productsWith(Object.keys(SECTIONS) as Section[])}
     where p.store_id = ${storeId} and ${named('p', ref)} and p.deleted_at is null`.execute(db)
  return rows[0]
}

export async function selectProductId(
  db: Db,
  storeId: number,
  ref: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select p.id from product p
     where p.store_id = ${storeId} and ${named('p', ref)} and p.deleted_at is null`.execute(db)
  return rows[0]?.id
}

/** Fields that a list may filter by, and that `product_tally` counts by. */
export type Facets = Pick<Product, 'status' | 'visibility' | 'active' | 'type' | 'product_kind'>

type Settings = Pick<
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
>

export interface Stored extends Facets, Settings {
  id: number
  price_cents: number
  methods: Method[]
}

/**
 * Locks a product for a change of it or of its variants. Orders that refer to it do not wait: they
 * hold stock by then, which the change may need too.
 */
export async function lockProduct(
  tx: Tx,
  storeId: number,
  ref: string,
): Promise<Stored | undefined> {
  const { rows } = await sql<Stored>`
    select p.id, p.hash_id, p.name, p.slug, p.price_cents, p.discount_percent, p.accepts_coupons,
           p.min_qty, p.max_qty, p.sell_limit, p.requires_shipping, p.sku, p.methods, ${FACETS}
      from product p
     where p.store_id = ${storeId} and ${named('p', ref)} and p.deleted_at is null
       for no key update`.execute(tx)
  return rows[0]
}

export interface NewProductRow extends ProductRow {
  slug: string
  hash_id: string
  methods: readonly Method[]
  created_at: string
}

/** Returns the numeric id, or undefined if the slug is taken. */
export async function insertProduct(
  tx: Tx,
  storeId: number,
  row: NewProductRow,
): Promise<number | undefined> {
  const { metadata, methods, ...fields } = row
  const made = await tx
    .insertInto('product')
    .values({
      ...fields,
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
  return made?.id
}

export type ProductChange = Partial<ProductRow> & { slug?: string; methods?: readonly Method[] }

export async function updateProduct(
  tx: Tx,
  storeId: number,
  id: number,
  { metadata, methods, updated_at, ...fields }: ProductChange & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('product')
    .set((row) => ({
      ...fields,
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      ...(methods && { methods: JSON.stringify(methods) }),
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export type Content = Partial<Details & Seo>

const withJson = ({ highlights, ...texts }: Content) => ({
  ...texts,
  ...(highlights && { highlights: JSON.stringify(highlights) }),
})

/** Writes the texts of a new product's page. */
export async function insertContent(tx: Tx, storeId: number, productId: number, content: Content) {
  await tx
    .insertInto('product_content')
    .values({ highlights: '{}', ...withJson(content), store_id: storeId, product_id: productId })
    .execute()
}

/** Adds a new product with its variants to lists, and counts it (decision 100). */
export async function enlist(tx: Tx, storeId: number, productId: number): Promise<void> {
  await sql`
    with stocked as (
      insert into product_stock (store_id, product_id, sellable)
      select ${storeId}::bigint, ${productId}::bigint, count(*)
        from variant v
        join stock s on s.store_id = v.store_id and s.variant_id = v.id
       where v.store_id = ${storeId} and v.product_id = ${productId} and v.active
         and (v.stock_mode = 'unlimited' or not v.track_inventory or s.on_hand > s.reserved)
    )
    ${countOne(storeId, productId)}`.execute(tx)
}

const FACETS = sql`p.status, p.visibility, p.active, p.type, p.product_kind`
const TALLY_PARTS = 8

/** Adds rows of facets and a number to the tally, always in the same sort order. */
const tally = (rows: RawBuilder<unknown>, storeId: number) => sql`
  insert into product_tally
         (store_id, status, visibility, active, type, product_kind, part, products)
  select ${storeId}::bigint, c.status, c.visibility, c.active, c.type, c.product_kind,
         ${randomInt(TALLY_PARTS)}::smallint, c.products
    from (${rows}) as c(status, visibility, active, type, product_kind, products)
   order by 2, 3, 4, 5, 6
      on conflict (store_id, status, visibility, active, type, product_kind, part)
      do update set products = product_tally.products + excluded.products`

/** Counts a new product. */
export const countOne = (storeId: number, id: number) =>
  tally(
    sql`select ${FACETS}, 1 from product p where p.store_id = ${storeId} and p.id = ${id}`,
    storeId,
  )

/** Moves a product in the tally from its former facets to its current ones. */
export async function moveInTally(
  tx: Tx,
  storeId: number,
  { id, ...was }: Facets & { id: number },
) {
  await sql`
    ${tally(
      sql`
      select ${FACETS}, 1 from product p where p.store_id = ${storeId} and p.id = ${id}
       union all
      select ${was.status}::text, ${was.visibility}::text, ${was.active}::boolean,
             ${was.type}::text, ${was.product_kind}::text, -1`,
      storeId,
    )}`.execute(tx)
}

export async function updateContent(tx: Tx, storeId: number, productId: number, content: Content) {
  await tx
    .updateTable('product_content')
    .set(withJson(content))
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .execute()
}

/**
 * Lists the product in these categories and no others, and returns those that exist. The rows of
 * the categories, which count their products, are locked in the order of their ids.
 *
 * The changes are grouped although each category occurs only once. If a row changed since the
 * statement began, PostgreSQL evaluates the join again with the newest version. A bare union would
 * then run the delete and the insert again, which PostgreSQL refuses.
 */
export async function replaceCategories(
  tx: Tx,
  storeId: number,
  productId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    with known as materialized (
      select c.id from category c
       where c.store_id = ${storeId}
         and (c.id = any(${ids}::bigint[])
              or c.id in (select l.category_id from product_category l
                           where l.store_id = ${storeId} and l.product_id = ${productId}))
       order by c.id
         for no key update
    ), gone as (
      delete from product_category
       where store_id = ${storeId} and product_id = ${productId}
         and category_id <> all(${ids}::bigint[])
      returning category_id
    ), added as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, ${productId}, k.id from known k where k.id = any(${ids}::bigint[])
          on conflict do nothing
      returning category_id
    ), counted as (
      update category c
         set product_count = c.product_count + n.change
        from (select category_id, sum(change) as change
                from (select category_id, -1 as change from gone
                       union all
                      select category_id, 1 from added) each_one
               group by category_id) n
       where c.store_id = ${storeId} and c.id = n.category_id
    )
    select id from known where id = any(${ids}::bigint[])`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** Deletes a product and its variants from every list. Orders keep their own copy of its fields. */
export async function markDeleted(
  tx: Tx,
  storeId: number,
  productId: number,
  now: string,
): Promise<void> {
  await sql`
    with product_gone as (
      update product set deleted_at = ${now}, updated_at = greatest(updated_at, ${now})
       where store_id = ${storeId} and id = ${productId}
    ), variants_gone as (
      update variant set deleted_at = ${now}, updated_at = greatest(updated_at, ${now})
       where store_id = ${storeId} and product_id = ${productId} and deleted_at is null
    ), off_lists as (
      delete from product_stock where store_id = ${storeId} and product_id = ${productId}
    )
    ${tally(
      sql`select ${FACETS}, -1 from product p
                 where p.store_id = ${storeId} and p.id = ${productId}`,
      storeId,
    )}`.execute(tx)
}

/** Deletes the media of a product, and returns the ids of those files that are in our storage. */
export async function deleteMediaOf(tx: Tx, storeId: number, productId: number): Promise<string[]> {
  const { rows } = await sql<{ blob_id: string | null }>`
    delete from product_media
     where store_id = ${storeId} and product_id = ${productId}
    returning blob_id`.execute(tx)
  return rows.flatMap(({ blob_id }) => blob_id ?? [])
}
