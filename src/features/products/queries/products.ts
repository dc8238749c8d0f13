import { randomInt } from 'node:crypto'
import { type QueryCreator, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import { isHash } from '../../../kernel/ids.ts'
import type { ProductRow } from '../products.rules.ts'
import type { Details, ListedProduct, Method, Product, Section, Seo } from '../schema.ts'
import { PRODUCT, productsWith, SECTIONS } from './sections.ts'

/** A product by its hash or its numeric id. */
export const named = (ref: string) =>
  isHash(ref) ? sql`p.hash_id = ${ref}` : sql`p.id = ${Number(ref)}`

/** A product with all its sections, in one round trip. */
export async function selectProduct(db: Db, storeId: number, ref: string) {
  const { rows } = await sql<Required<ListedProduct>>`
    select ${PRODUCT}, ${sql.join(Object.values(SECTIONS))}
      from ${productsWith(Object.keys(SECTIONS) as Section[])}
     where p.store_id = ${storeId} and ${named(ref)} and p.deleted_at is null`.execute(db)
  return rows[0]
}

export async function selectProductId(
  db: Db,
  storeId: number,
  ref: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select p.id from product p
     where p.store_id = ${storeId} and ${named(ref)} and p.deleted_at is null`.execute(db)
  return rows[0]?.id
}

export interface Stored extends Pick<Product, 'hash_id' | 'min_qty' | 'max_qty' | 'type'> {
  id: number
  price_cents: number
  methods: Method[]
}

/**
 * Locks a product for a change of it or of its variants. Orders that refer to it do not wait: they
 * hold stock by then, which the change may want too.
 */
export async function lockProduct(
  tx: Tx,
  storeId: number,
  ref: string,
): Promise<Stored | undefined> {
  const { rows } = await sql<Stored>`
    select p.id, p.hash_id, p.type, p.price_cents, p.min_qty, p.max_qty, p.methods
      from product p
     where p.store_id = ${storeId} and ${named(ref)} and p.deleted_at is null
       for no key update`.execute(tx)
  return rows[0]
}

export interface NewProductRow extends ProductRow {
  slug: string
  hash_id: string
  methods: readonly Method[]
  created_at: string
}

/** The numeric id, or nothing where the slug is taken. */
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

/** Writes what its page shows of a new product, which counts from now on. */
export async function insertContent(tx: Tx, storeId: number, productId: number, content: Content) {
  await tx
    .with('counted', (db) => countOneMore(db, storeId))
    .insertInto('product_content')
    .values({ highlights: '{}', ...withJson(content), store_id: storeId, product_id: productId })
    .execute()
}

const TALLY_PARTS = 8

export const countOneMore = (db: QueryCreator<Tables>, storeId: number) =>
  db
    .insertInto('product_tally')
    .values({ store_id: storeId, part: randomInt(TALLY_PARTS), products: 1 })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'part']).doUpdateSet((row) => ({
        products: sql<number>`${row.ref('product_tally.products')} + 1`,
      })),
    )

export async function updateContent(tx: Tx, storeId: number, productId: number, content: Content) {
  await tx
    .updateTable('product_content')
    .set(withJson(content))
    .where('store_id', '=', storeId)
    .where('product_id', '=', productId)
    .execute()
}

/** Lists the product in these categories and no others; says which do not exist. */
export async function replaceCategories(
  tx: Tx,
  storeId: number,
  productId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  await sql`
    delete from product_category
     where store_id = ${storeId} and product_id = ${productId}
       and category_id <> all(${ids}::bigint[])`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    with known as (
      select c.id from category c where c.store_id = ${storeId} and c.id = any(${ids}::bigint[])
    ), added as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, ${productId}, k.id from known k
          on conflict do nothing
    )
    select id from known`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** Takes a product and its variants out of every list; orders keep what they say of it. */
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
    ), unlisted as (
      delete from product_category where store_id = ${storeId} and product_id = ${productId}
    )
    insert into product_tally (store_id, part, products)
    values (${storeId}, ${randomInt(TALLY_PARTS)}, -1)
        on conflict (store_id, part) do update set products = product_tally.products - 1`.execute(
    tx,
  )
}

/** Takes its pictures away, and says which of them lie in our storage. */
export async function deleteMediaOf(tx: Tx, storeId: number, productId: number): Promise<string[]> {
  const { rows } = await sql<{ blob_id: string | null }>`
    delete from product_media
     where store_id = ${storeId} and product_id = ${productId}
    returning blob_id`.execute(tx)
  return rows.flatMap(({ blob_id }) => blob_id ?? [])
}
