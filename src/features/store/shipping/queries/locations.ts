import { sql } from 'kysely'
import { lockRecord } from '../../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { selectPage } from '../../../../db/newest.ts'
import { insertRecord, updateRecord } from '../../../../db/records.ts'
import { execute, firstRow, firstValue, onlyValue } from '../../../../db/rows.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Location, NewLocation } from '../location-schema.ts'

const LOCATION = sql`
  id, 'location' as object, name, line1, line2, city, region, postal_code, country, phone, active,
  is_default`

export const selectLocation = (db: Db, storeId: number, id: number) =>
  firstRow<Location>(db)`
    select ${LOCATION} from location where store_id = ${storeId} and id = ${id}`

/**
 * Returns the id of an active location: the one with this id, or the default location without an id.
 * Returns undefined if it does not exist or is not active.
 */
export const selectActiveLocationId = (db: Db, storeId: number, id: number | undefined) =>
  firstValue<number>(db)`
    select id
      from location
     where store_id = ${storeId} and active and ${id === undefined ? sql`is_default` : sql`id = ${id}`}`

/** Returns a page of locations, the newest first, and their total. */
export const selectLocations = (db: Db, storeId: number, page: Page) =>
  selectPage<Location>(db, { table: 'location', columns: LOCATION, storeId, ...page, filters: [] })

export const countLocations = (db: Db, storeId: number) =>
  onlyValue<number>(db)`
    select count(*) as total from location where store_id = ${storeId}`

/** Serializes changes to the set of locations and to the default location. */
export async function lockLocations(tx: Tx, storeId: number): Promise<void> {
  await lockRecord(tx, 'store_locations', storeId)
}

/** Unsets the default location. The caller sets another one in the same transaction. */
export const clearDefault = (tx: Tx, storeId: number) =>
  execute(tx)`
    update location set is_default = false where store_id = ${storeId} and is_default`

export const insertLocation = (
  tx: Tx,
  storeId: number,
  fields: NewLocation & { is_default: boolean },
) => insertRecord(tx, 'location', { ...fields, store_id: storeId })

export async function updateLocation(
  tx: Tx,
  storeId: number,
  id: number,
  fields: Partial<NewLocation>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await updateRecord(tx, 'location', { storeId, id }, fields)
}

/** Deletes a location. Returns its `is_default`, or undefined if the location does not exist. */
export async function deleteLocation(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<{ is_default: boolean } | undefined> {
  return tx
    .deleteFrom('location')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning('is_default')
    .executeTakeFirst()
}

/** Makes the oldest location the default. */
export const promoteOldest = (tx: Tx, storeId: number) =>
  execute(tx)`
    update location set is_default = true
     where store_id = ${storeId}
       and id = (select min(id) from location where store_id = ${storeId})`
