import { type Insertable, sql, type Updateable } from 'kysely'
import type { Tx } from './database.ts'
import type { Tables } from './tables.gen.ts'

/**
 * A table of records that belong to a store and have an id. Kysely cannot type a statement for any of them, so the
 * statements below are typed for the table `coupon`.
 */
type RecordTable = {
  [T in keyof Tables]: Tables[T] extends { store_id: unknown; id: unknown } ? T : never
}[keyof Tables]

interface RecordKey {
  storeId: number
  id: number | string
}

/** Inserts one record, and returns its id. */
export async function insertRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  columns: Insertable<Tables[T]>,
): Promise<number> {
  const { id } = await tx
    .insertInto(table as 'coupon')
    .values(columns as Insertable<Tables['coupon']>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface ChangedRecord extends RecordKey {
  /** True if a part of the record in another table changes. */
  isChangedElsewhere?: boolean
}

/**
 * Updates columns of one record. `updated_at` is not changed if no other column changes (decision 391),
 * unless a part of the record in another table changes. `updated_at` never decreases, even if the clock
 * was set back. Returns false if the record does not exist.
 */
export async function updateRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  { storeId, id, isChangedElsewhere = false }: ChangedRecord,
  columns: Omit<Updateable<Tables[T]>, 'store_id' | 'id'>,
): Promise<boolean> {
  const { updated_at, ...others } = columns as Updateable<Tables['coupon']>
  const names = Object.keys(others).filter(
    (name) => others[name as keyof typeof others] !== undefined,
  )
  const differences = names.map(
    (name) => sql`${sql.ref(name)} is distinct from ${others[name as keyof typeof others]}`,
  )
  const isChanged = sql.join([sql`${isChangedElsewhere}`, ...differences], sql` or `)
  const { numUpdatedRows } = await tx
    .updateTable(table as 'coupon')
    .set((row) => ({
      ...others,
      ...(updated_at && {
        updated_at: sql<string>`
          case when ${isChanged} then greatest(${row.ref('updated_at')}, ${updated_at})
               else ${row.ref('updated_at')} end`,
      }),
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id as number)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes one record. Returns false if it does not exist. */
export async function deleteRecord(
  tx: Tx,
  table: RecordTable,
  { storeId, id }: RecordKey,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom(table as 'coupon')
    .where('store_id', '=', storeId)
    .where('id', '=', id as number)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
