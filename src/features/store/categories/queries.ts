import { sql } from 'kysely'
import { lockRecord } from '../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { namedAmong } from '../../../db/named.ts'
import type { Page } from '../../../kernel/page.ts'
import type { Kind } from './kinds.ts'
import type { Category, Grouping } from './schema.ts'

/**
 * Columns that differ between the kinds: the products of a grouping, and fields of one kind only.
 */
const OWN = {
  category: sql`s.icon, s.product_count`,
  group: sql`
    cardinality(o.product_ids) as product_count, o.product_ids`,
}

const FROM = {
  category: sql`category s`,
  group: sql`
    product_group s
    cross join lateral (
      select coalesce(array_agg(p.hash_id order by l.position), '{}') as product_ids
        from grouped_product l
        join product p on p.store_id = l.store_id and p.id = l.product_id and p.deleted_at is null
       where l.store_id = s.store_id and l.group_id = s.id) o`,
}

const groupings = ({ object }: Kind<Grouping>) => sql`
  select s.id, ${sql.lit(object)} as object, s.name, s.slug, s.description, s.image_url,
         s.visibility, s.position, s.created_at, s.updated_at, ${OWN[object]}
    from ${FROM[object]}`

export async function selectGrouping<S extends Grouping>(
  db: Db,
  storeId: number,
  kind: Kind<S>,
  id: number,
): Promise<S | undefined> {
  const { rows } = await sql<S>`
    ${groupings(kind)} where s.store_id = ${storeId} and s.id = ${id}`.execute(db)
  return rows[0]
}

/** Returns a page of groupings by position, and how many there are. */
export async function selectGroupings<S extends Grouping>(
  db: Db,
  storeId: number,
  kind: Kind<S>,
  { limit, offset }: Page,
): Promise<{ groupings: S[]; total: number }> {
  const page = await sql<S>`
    ${groupings(kind)}
     where s.store_id = ${storeId}
     order by s.position, s.id
     limit ${limit} offset ${offset}`.execute(db)
  return { groupings: page.rows, total: (await selectIds(db, storeId, kind)).length }
}

const LOCKS = { category: 'store_categories', group: 'store_groups' } as const

/** Serializes changes to the groupings of a kind, to their positions and to their products. */
export async function lockGroupings(
  tx: Tx,
  storeId: number,
  { object }: Kind<Grouping>,
): Promise<void> {
  await lockRecord(tx, LOCKS[object], storeId)
}

/** Returns the ids of all groupings of a kind, by position. */
export async function selectIds(
  db: Db,
  storeId: number,
  { table }: Kind<Grouping>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where store_id = ${storeId} order by position, id`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/**
 * Locks all groupings of a kind in the order of their ids, and returns the ids. A change of the
 * categories of a product locks them in the same order.
 */
export async function lockIds(
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)}
     where store_id = ${storeId}
     order by id
       for no key update`.execute(tx)
  return rows.map((row) => row.id)
}

export type GroupingRow = Pick<
  Category,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility' | 'created_at'
> & { icon?: string | null }

/** Adds a grouping after the others. Returns undefined if its slug is taken. */
export async function insertGrouping(
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
  { created_at, ...row }: GroupingRow,
): Promise<number | undefined> {
  const values = { ...row, store_id: storeId, created_at, updated_at: created_at }
  const made = await tx
    .insertInto(table as 'category')
    .values((of) => ({
      ...values,
      position: of
        .selectFrom(table as 'category')
        .select((all) => sql<number>`coalesce(${all.fn.max('position')} + 1, 0)`.as('next'))
        .where('store_id', '=', storeId),
    }))
    .onConflict((taken) => taken.columns(['store_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Changes a grouping. Returns false if it does not exist. */
export async function updateGrouping(
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
  { id, updated_at, ...fields }: Partial<GroupingRow> & { id: number; updated_at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(table as 'category')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updatePositions(
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
  ids: readonly number[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} s
       set position = o.place - 1
      from unnest(${ids}::bigint[]) with ordinality as o(id, place)
     where s.store_id = ${storeId} and s.id = o.id`.execute(tx)
}

/** Deletes a grouping, but not its products. Returns false if it does not exist. */
export async function deleteGrouping(
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
  id: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where store_id = ${storeId} and id = ${id}`.execute(tx)
  return numAffectedRows === 1n
}

/**
 * Returns the ids of existing products, by the references that name them. Locks the products, so
 * that none is deleted or changes its categories meanwhile. Such a change also locks the product
 * first, and then the category.
 */
export async function lockProductIds(
  tx: Tx,
  storeId: number,
  refs: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; hash_id: string }>`
    select id, hash_id
      from product
     where store_id = ${storeId} and deleted_at is null and ${namedAmong('product', refs)}
     order by id
       for share`.execute(tx)
  return new Map(rows.flatMap(({ id, hash_id }) => [[hash_id, id] as const, [String(id), id]]))
}

/** Replaces the products of a grouping. A product that is in another group leaves that group. */
export async function replaceProducts(
  tx: Tx,
  storeId: number,
  { object }: Kind<Grouping>,
  { id, product_ids }: { id: number; product_ids: readonly number[] },
): Promise<void> {
  if (object === 'category') return replaceInCategory(tx, storeId, id, product_ids)
  await sql`
    delete from grouped_product
     where store_id = ${storeId} and group_id = ${id}
       and product_id <> all(${product_ids}::bigint[])`.execute(tx)
  await sql`
    insert into grouped_product (store_id, product_id, group_id, position)
    select ${storeId}, o.product_id, ${id}, o.place - 1
      from unnest(${product_ids}::bigint[]) with ordinality as o(product_id, place)
     order by o.product_id
        on conflict (store_id, product_id) do update
       set group_id = excluded.group_id, position = excluded.position`.execute(tx)
}

/**
 * Updates the product count of the category too. The row of the category is locked before the rows
 * of its products, as in a change of the categories of a product.
 */
async function replaceInCategory(
  tx: Tx,
  storeId: number,
  id: number,
  product_ids: readonly number[],
): Promise<void> {
  await sql`
    with locked as materialized (
      select id from category where store_id = ${storeId} and id = ${id} for no key update
    ), gone as (
      delete from product_category
       where store_id = ${storeId} and category_id in (select id from locked)
         and product_id <> all(${product_ids}::bigint[])
      returning 1
    ), added as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, o.product_id, locked.id
        from unnest(${product_ids}::bigint[]) as o(product_id), locked
       order by o.product_id
          on conflict do nothing
      returning 1
    )
    update category
       set product_count = product_count + (select count(*) from added) - (select count(*) from gone)
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}
