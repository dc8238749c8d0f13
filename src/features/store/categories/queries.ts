import { sql } from 'kysely'
import { lockRecord } from '../../../db/advisory-locks.ts'
import { type CreatedPeriod, createdWithin } from '../../../db/created.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { hasOneOfRefs } from '../../../db/refs.ts'
import { allValues, execute, firstRow, hasChanged } from '../../../db/rows.ts'
import type { Page } from '../../../kernel/page.ts'
import type { Kind } from './kinds.ts'
import type { Category, Grouping } from './schema.ts'

/** The columns that differ between the kinds. */
const KIND_COLUMNS = {
  category: sql`g.icon, g.product_count`,
  group: sql`
    cardinality(contents.product_ids) as product_count, contents.product_ids`,
}

/** The tables of each kind. The products of a group are read with it, in their sequence. */
const KIND_TABLES = {
  category: sql`category g`,
  group: sql`
    product_group g
    cross join lateral (
      select coalesce(array_agg(p.hash_id order by gp.position), '{}') as product_ids
        from grouped_product gp
        join product p on p.store_id = gp.store_id and p.id = gp.product_id and p.deleted_at is null
       where gp.store_id = g.store_id and gp.group_id = g.id) contents`,
}

const groupings = ({ object }: Kind<Grouping>) => sql`
  select g.id, ${sql.lit(object)} as object, g.name, g.slug, g.description, g.image_url,
         g.visibility, g.position, g.created_at, g.updated_at, ${KIND_COLUMNS[object]}
    from ${KIND_TABLES[object]}`

export const selectGrouping = <S extends Grouping>(
  db: Db,
  storeId: number,
  kind: Kind<S>,
  id: number,
) =>
  firstRow<S>(db)`
    ${groupings(kind)} where g.store_id = ${storeId} and g.id = ${id}`

/** Returns a page of groupings by position, and the total of matches. */
export async function selectGroupings<S extends Grouping>(
  db: Db,
  storeId: number,
  kind: Kind<S>,
  { limit, offset, ...created }: Page & CreatedPeriod,
): Promise<{ groupings: S[]; total: number }> {
  const where = sql.join(
    [sql`g.store_id = ${storeId}`, ...createdWithin('g.created_at', created)],
    sql` and `,
  )
  const page = await sql<S>`
    ${groupings(kind)}
     where ${where}
     order by g.position, g.id
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(kind.table)} g where ${where}`.execute(db)
  return { groupings: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** The names of the locks, by kind. */
const LOCKS = { category: 'store_categories', group: 'store_groups' } as const

/** Serializes changes to the groupings of a kind, to their positions and to their products. */
export async function lockGroupings(
  tx: Tx,
  storeId: number,
  { object }: Kind<Grouping>,
): Promise<void> {
  await lockRecord(tx, LOCKS[object], storeId)
}

export const lockGrouping = (tx: Tx, storeId: number, { table }: Kind<Grouping>, id: number) =>
  execute(tx)`
    select from ${sql.table(table)} where store_id = ${storeId} and id = ${id}
       for no key update`

/** Returns the ids of all groupings of a kind, by position. */
export const selectIdsOfKind = (db: Db, storeId: number, { table }: Kind<Grouping>) =>
  allValues<number>(db)`
    select id from ${sql.table(table)} where store_id = ${storeId} order by position, id`

/**
 * Locks all groupings of a kind in the order of their ids, and returns the ids. A change of a product's
 * categories locks them in the same order, which prevents deadlocks.
 */
export const lockRowsOfKind = (tx: Tx, storeId: number, { table }: Kind<Grouping>) =>
  allValues<number>(tx)`
    select id from ${sql.table(table)}
     where store_id = ${storeId}
     order by id
       for no key update`

export type GroupingRow = Pick<
  Category,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility' | 'created_at'
> & { icon?: string | null }

/** Inserts a grouping at the last position. Returns its id, or undefined if its slug is used. */
export async function insertGrouping(
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
  { created_at, ...row }: GroupingRow,
): Promise<number | undefined> {
  const values = { ...row, store_id: storeId, created_at, updated_at: created_at }
  const newGrouping = await tx
    .insertInto(table as 'category')
    .values((builder) => ({
      ...values,
      position: builder
        .selectFrom(table as 'category')
        .select(({ fn }) => sql<number>`coalesce(${fn.max('position')} + 1, 0)`.as('position'))
        .where('store_id', '=', storeId),
    }))
    .onConflict((conflict) => conflict.columns(['store_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return newGrouping?.id
}

/** Changes a grouping. */
export async function updateGrouping(
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
  { id, updated_at, ...fields }: Partial<GroupingRow> & { id: number; updated_at: string },
): Promise<void> {
  await tx
    .updateTable(table as 'category')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Sets the positions of groupings, in the sequence of the ids. Returns false if no position changes. */
export const updatePositions = (
  tx: Tx,
  storeId: number,
  { table }: Kind<Grouping>,
  ids: readonly number[],
) =>
  hasChanged(tx)`
    update ${sql.table(table)} g
       set position = sorted.position - 1
      from unnest(${ids}::bigint[]) with ordinality as sorted(id, position)
     where g.store_id = ${storeId} and g.id = sorted.id
       and g.position <> sorted.position - 1`

/** Deletes a grouping, but not its products. Returns false if it does not exist. */
export const deleteGrouping = (tx: Tx, storeId: number, { table }: Kind<Grouping>, id: number) =>
  hasChanged(tx)`
    delete from ${sql.table(table)} where store_id = ${storeId} and id = ${id}`

/**
 * Returns the ids of existing products by hash and by numeric id. Locks the products, so that no other
 * transaction deletes them or changes their categories meanwhile. Such a change also locks the product
 * before the category.
 */
export async function lockProductIds(
  tx: Tx,
  storeId: number,
  refs: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; hash_id: string }>`
    select id, hash_id
      from product
     where store_id = ${storeId} and deleted_at is null and ${hasOneOfRefs('product', refs)}
     order by id
       for share`.execute(tx)
  return new Map(rows.flatMap(({ id, hash_id }) => [[hash_id, id] as const, [String(id), id]]))
}

/**
 * Replaces the products of a grouping. A product of another group is removed from that group. Returns false
 * if the grouping has these products already.
 */
export async function replaceProducts(
  tx: Tx,
  storeId: number,
  { object }: Kind<Grouping>,
  { id, product_ids }: { id: number; product_ids: readonly number[] },
): Promise<boolean> {
  if (object === 'category') return replaceInCategory(tx, storeId, id, product_ids)
  const removed = await sql`
    delete from grouped_product
     where store_id = ${storeId} and group_id = ${id}
       and product_id <> all(${product_ids}::bigint[])`.execute(tx)
  const added = await sql`
    insert into grouped_product as g (store_id, product_id, group_id, position)
    select ${storeId}, sorted.product_id, ${id}, sorted.position - 1
      from unnest(${product_ids}::bigint[]) with ordinality as sorted(product_id, position)
     order by sorted.product_id
        on conflict (store_id, product_id) do update
       set group_id = excluded.group_id, position = excluded.position
     where (g.group_id, g.position) <> (excluded.group_id, excluded.position)`.execute(tx)
  return removed.numAffectedRows !== 0n || added.numAffectedRows !== 0n
}

/**
 * Replaces the products of a category, and updates its product count. The category is locked before
 * the rows that link it with products, as by a change of a product's categories.
 */
const replaceInCategory = (tx: Tx, storeId: number, id: number, product_ids: readonly number[]) =>
  hasChanged(tx)`
    with locked as materialized (
      select id from category where store_id = ${storeId} and id = ${id} for no key update
    ), removed as (
      delete from product_category
       where store_id = ${storeId} and category_id in (select id from locked)
         and product_id <> all(${product_ids}::bigint[])
      returning 1
    ), added as (
      insert into product_category (store_id, product_id, category_id)
      select ${storeId}, new_product.id, locked.id
        from unnest(${product_ids}::bigint[]) as new_product(id), locked
       order by new_product.id
          on conflict do nothing
      returning 1
    )
    update category
       set product_count = product_count + (select count(*) from added) - (select count(*) from removed)
     where store_id = ${storeId} and id = ${id}
       and (exists (select from added) or exists (select from removed))`
