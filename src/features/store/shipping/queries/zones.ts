import { sql } from 'kysely'
import { lockRecord } from '../../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { deleteRecord, updateRecord } from '../../../../db/records.ts'
import {
  allRows,
  allValues,
  execute,
  firstRow,
  hasChanged,
  onlyValue,
} from '../../../../db/rows.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { RateRow } from '../rates.rules.ts'
import { type Rate, REST_OF_WORLD, type Zone } from '../schema.ts'

/** A rate as JSON. */
const RATE = sql`
  json_build_object(
    'id', r.id, 'name', r.name, 'description', r.description, 'carrier_code', r.carrier_code,
    'calc_type', r.calc_type, 'price_cents', r.price_cents, 'tiers', r.tiers,
    'volumetric_divisor', r.volumetric_divisor, 'free_over_cents', r.free_over_cents,
    'min_days', r.min_days, 'max_days', r.max_days, 'active', r.active)`

/** The columns of a zone, with its rates. */
const ZONE = sql`
  z.id, z.name, z.countries, z.regions, z.active, z.position,
  (select coalesce(json_agg(${RATE} order by r.position), '[]')
     from shipping_rate r
    where r.store_id = z.store_id and r.zone_id = z.id) as rates`

/** Returns a zone with its rates. */
export const selectZone = (db: Db, storeId: number, id: number) =>
  firstRow<Zone>(db)`
    select ${ZONE}
      from shipping_zone z
     where z.store_id = ${storeId} and z.id = ${id}`

/** Returns the statement for a page of zones by position. */
export const zonePage = (storeId: number, { limit, offset }: Page) => sql<Zone>`
  select ${ZONE}
    from shipping_zone z
   where z.store_id = ${storeId}
   order by z.position, z.id
   limit ${limit} offset ${offset}`

export async function selectZones(db: Db, storeId: number, page: Page): Promise<Zone[]> {
  return (await zonePage(storeId, page).execute(db)).rows
}

export const countZones = (db: Db, storeId: number) =>
  onlyValue<number>(db)`
    select count(*) as total from shipping_zone where store_id = ${storeId}`

/** Returns the active zones that may contain a country. */
export const selectZonesFor = (db: Db, storeId: number, country: string) =>
  allRows<Zone>(db)`
    select ${ZONE}
      from shipping_zone z
     where z.store_id = ${storeId} and z.active
       and z.countries && ${[country, REST_OF_WORLD]}::text[]`

/** Serializes changes to the set of zones and to their positions. */
export async function lockZones(tx: Tx, storeId: number): Promise<void> {
  await lockRecord(tx, 'store_zones', storeId)
}

/** Returns the ids of all zones, by position. */
export const selectZoneIds = (tx: Tx, storeId: number) =>
  allValues<number>(tx)`
    select id from shipping_zone where store_id = ${storeId} order by position, id`

type ZoneRow = Pick<Zone, 'name' | 'countries' | 'regions' | 'active'>

/** Inserts a zone at the last position. */
export const insertZone = (tx: Tx, storeId: number, zone: ZoneRow) =>
  onlyValue<number>(tx)`
    insert into shipping_zone (store_id, name, countries, regions, active, position)
    select ${storeId}, ${zone.name}, ${zone.countries}::text[], ${JSON.stringify(zone.regions)}::jsonb,
           ${zone.active}, coalesce(max(position) + 1, 0)
      from shipping_zone
     where store_id = ${storeId}
    returning id`

/**
 * Locks a zone, so that two updates cannot interleave. The rates are read in a later statement, because a
 * statement that waited for the lock would see the newest zone, but the rates from before the wait.
 */
export const lockZone = (tx: Tx, storeId: number, id: number) =>
  firstRow<ZoneRow>(tx)`
    select name, countries, regions, active
      from shipping_zone
     where store_id = ${storeId} and id = ${id}
       for update`

export async function updateZone(
  tx: Tx,
  storeId: number,
  id: number,
  { regions, ...otherFields }: Partial<ZoneRow>,
): Promise<void> {
  const fields = { ...otherFields, ...(regions && { regions: JSON.stringify(regions) }) }
  if (Object.keys(fields).length === 0) return
  await updateRecord(tx, 'shipping_zone', { storeId, id }, fields)
}

/** Sets the positions of zones, in the sequence of the ids. Returns false if they have them already. */
export const updatePositions = (tx: Tx, storeId: number, ids: readonly number[]) =>
  hasChanged(tx)`
    update shipping_zone z
       set position = i.position - 1
      from unnest(${ids}::bigint[]) with ordinality as i(id, position)
     where z.store_id = ${storeId} and z.id = i.id and z.position <> i.position - 1`

export const deleteZone = (tx: Tx, storeId: number, id: number) =>
  deleteRecord(tx, 'shipping_zone', { storeId, id })

export const selectRates = (tx: Tx, storeId: number, zoneId: number) =>
  allValues<Rate>(tx)`
    select ${RATE} as rate
      from shipping_rate r
     where r.store_id = ${storeId} and r.zone_id = ${zoneId}
     order by r.position`

/**
 * Replaces the rates of a zone: updates those with an id, inserts those without one, and deletes all
 * others.
 */
export const replaceRates = (tx: Tx, storeId: number, zoneId: number, rates: readonly RateRow[]) =>
  execute(tx)`
    with new_rates as (
      select * from jsonb_populate_recordset(null::shipping_rate, ${JSON.stringify(rates)}::jsonb)
    ), deleted as (
      delete from shipping_rate r
       where r.store_id = ${storeId} and r.zone_id = ${zoneId}
         and not exists (select from new_rates n where n.id = r.id)
    ), changed as (
      update shipping_rate r
         set (position, name, description, carrier_code, calc_type, price_cents, tiers,
              volumetric_divisor, free_over_cents, min_days, max_days, active)
           = (n.position, n.name, n.description, n.carrier_code, n.calc_type, n.price_cents, n.tiers,
              n.volumetric_divisor, n.free_over_cents, n.min_days, n.max_days, n.active)
        from new_rates n
       where r.store_id = ${storeId} and r.zone_id = ${zoneId} and r.id = n.id
    )
    insert into shipping_rate (
      store_id, zone_id, position, name, description, carrier_code, calc_type, price_cents, tiers,
      volumetric_divisor, free_over_cents, min_days, max_days, active)
    select ${storeId}, ${zoneId}, n.position, n.name, n.description, n.carrier_code, n.calc_type,
           n.price_cents, n.tiers, n.volumetric_divisor, n.free_over_cents, n.min_days, n.max_days,
           n.active
      from new_rates n
     where n.id is null
     order by n.position`
