import { sql } from 'kysely'
import { lockRecord } from '../../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Location, NewLocation } from '../location-schema.ts'

const LOCATION = sql`
  id, 'location' as object, name, line1, line2, city, region, postal_code, country, phone, active,
  is_default`

export async function selectLocation(
  db: Db,
  storeId: number,
  id: number,
): Promise<Location | undefined> {
  const { rows } = await sql<Location>`
    select ${LOCATION} from location where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Returns the active location with this id, or the default location if there is no id. Returns
 * undefined if there is no such location.
 */
export async function locationFor(
  db: Db,
  storeId: number,
  id: number | undefined,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id
      from location
     where store_id = ${storeId} and active and ${id === undefined ? sql`is_default` : sql`id = ${id}`}`.execute(
    db,
  )
  return rows[0]?.id
}

/** Returns a page of locations, the newest first, and how many there are. */
export async function selectLocations(
  db: Db,
  storeId: number,
  { limit, offset }: Page,
): Promise<{ locations: Location[]; total: number }> {
  const page = await sql<Location>`
    select ${LOCATION}
      from location
     where store_id = ${storeId}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  return { locations: page.rows, total: await countLocations(db, storeId) }
}

export async function countLocations(db: Db, storeId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from location where store_id = ${storeId}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Serializes changes to the set of locations and to the default location. */
export async function lockLocations(tx: Tx, storeId: number): Promise<void> {
  await lockRecord(tx, 'store_locations', storeId)
}

/** Leaves the store without a default location until another one is set. */
export async function clearDefault(tx: Tx, storeId: number): Promise<void> {
  await sql`
    update location set is_default = false where store_id = ${storeId} and is_default`.execute(tx)
}

export async function insertLocation(
  tx: Tx,
  storeId: number,
  fields: NewLocation,
): Promise<number> {
  const { id } = await tx
    .insertInto('location')
    .values({ ...fields, store_id: storeId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateLocation(
  tx: Tx,
  storeId: number,
  id: number,
  fields: Partial<NewLocation>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await tx
    .updateTable('location')
    .set(fields)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
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
export async function promoteOldest(tx: Tx, storeId: number): Promise<void> {
  await sql`
    update location set is_default = true
     where store_id = ${storeId}
       and id = (select min(id) from location where store_id = ${storeId})`.execute(tx)
}
