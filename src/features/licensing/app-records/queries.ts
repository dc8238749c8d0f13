import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { selectPage } from '../../../db/newest.ts'
import type { Page } from '../../../kernel/page.ts'

/** A table of versioned records that belong to an app. `Row` is the type of its selected columns. */
export interface AppTable<Row> {
  /** The name of the table. It is also the `object` of its records and the prefix of their audit actions. */
  name: 'serverside_string' | 'serverside_file' | 'remote_setting'
  columns: RawBuilder<Row>
  /** The condition for the rows that callers may see; if omitted, they see all rows. */
  visible?: RawBuilder<unknown>
}

const selectWhere = <Row>(
  { name, columns, visible = sql`true` }: AppTable<Row>,
  where: RawBuilder<unknown>,
) => sql<Row>`select ${columns} from ${sql.table(name)} where ${where} and ${visible}`

/** Returns a page of the records of a store, or of one of its apps, newest first. */
export const selectRecords = <Row>(
  db: Db,
  storeId: number,
  { name, columns, visible }: AppTable<Row>,
  { app_id, limit, offset }: Page & { app_id?: number | undefined },
): Promise<{ records: Row[]; total: number }> =>
  selectPage<Row>(db, {
    table: name,
    columns,
    storeId,
    filters: [visible, app_id !== undefined && sql`app_id = ${app_id}`],
    limit,
    offset,
  })

export async function selectRecord<Row>(
  db: Db,
  storeId: number,
  table: AppTable<Row>,
  id: number,
): Promise<Row | undefined> {
  const query = selectWhere(table, sql`store_id = ${storeId} and id = ${id}`)
  return (await query.execute(db)).rows[0]
}

export async function lockRecord<Row>(
  tx: Tx,
  storeId: number,
  table: AppTable<Row>,
  id: number,
): Promise<Row | undefined> {
  const query = selectWhere(table, sql`store_id = ${storeId} and id = ${id}`)
  return (await sql<Row>`${query} for update`.execute(tx)).rows[0]
}

/** Finds an active record by the name that programs use. */
export async function selectActiveRecord<Row>(
  db: Db,
  storeId: number,
  table: AppTable<Row>,
  { appId, name }: { appId: number; name: string },
): Promise<Row | undefined> {
  const where = sql`
    store_id = ${storeId} and app_id = ${appId} and name = ${name} and status = 'active'`
  return (await selectWhere(table, where).execute(db)).rows[0]
}

/** The uses of a record since the last flush. */
export interface Uses {
  store_id: number
  id: number
  count: number
  /** The time of the last use, by the store's clock. */
  at: string
}

/** Adds uses to the counters of their records, which are locked in the order of their ids (decision 400). */
export async function addUses(
  db: Db,
  table: AppTable<unknown>['name'],
  columns: { count: string; last: string },
  uses: readonly Uses[],
): Promise<void> {
  const [count, last] = [sql.ref(columns.count), sql.ref(columns.last)]
  await sql`
    with u as materialized (
      select * from unnest(${uses.map((item) => item.store_id)}::bigint[],
                           ${uses.map((item) => item.id)}::bigint[],
                           ${uses.map((item) => item.count)}::bigint[],
                           ${uses.map((item) => item.at)}::timestamptz[]) as u(store_id, id, count, at)
    ), locked as materialized (
      select r.store_id, r.id, u.count, u.at
        from ${sql.table(table)} r
        join u on u.store_id = r.store_id and u.id = r.id
       order by r.store_id, r.id
         for no key update of r
    )
    update ${sql.table(table)} r
       set ${count} = r.${count} + l.count, ${last} = greatest(r.${last}, l.at)
      from locked l
     where r.store_id = l.store_id and r.id = l.id`.execute(db)
}
