import { sql } from 'kysely'
import { lockRecord } from '../../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { PlacedRate } from '../rates.rules.ts'
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

/** Returns a zone with its rates, in one round trip. */
export async function selectZone(db: Db, storeId: number, id: number): Promise<Zone | undefined> {
  const { rows } = await sql<Zone>`
    select ${ZONE}
      from shipping_zone z
     where z.store_id = ${storeId} and z.id = ${id}`.execute(db)
  return rows[0]
}

/** A page of zones by position, as a statement. */
export const zonePage = (storeId: number, { limit, offset }: Page) => sql<Zone>`
  select ${ZONE}
    from shipping_zone z
   where z.store_id = ${storeId}
   order by z.position, z.id
   limit ${limit} offset ${offset}`

export async function selectZones(db: Db, storeId: number, page: Page): Promise<Zone[]> {
  return (await zonePage(storeId, page).execute(db)).rows
}

export async function countZones(db: Db, storeId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from shipping_zone where store_id = ${storeId}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Returns the active zones that may contain a country. */
export async function selectZonesFor(db: Db, storeId: number, country: string): Promise<Zone[]> {
  const { rows } = await sql<Zone>`
    select ${ZONE}
      from shipping_zone z
     where z.store_id = ${storeId} and z.active
       and z.countries && ${[country, REST_OF_WORLD]}::text[]`.execute(db)
  return rows
}

/** Serializes changes to the set of zones and to their positions. */
export async function lockZones(tx: Tx, storeId: number): Promise<void> {
  await lockRecord(tx, 'store_zones', storeId)
}

/** Returns the ids of all zones, by position. */
export async function selectZoneIds(tx: Tx, storeId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from shipping_zone where store_id = ${storeId} order by position, id`.execute(tx)
  return rows.map(({ id }) => id)
}

type ZoneRow = Pick<Zone, 'name' | 'countries' | 'regions' | 'active'>

/** Adds a zone after the others. */
export async function insertZone(tx: Tx, storeId: number, zone: ZoneRow): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into shipping_zone (store_id, name, countries, regions, active, position)
    select ${storeId}, ${zone.name}, ${zone.countries}::text[], ${JSON.stringify(zone.regions)}::jsonb,
           ${zone.active}, coalesce(max(position) + 1, 0)
      from shipping_zone
     where store_id = ${storeId}
    returning id`.execute(tx)
  return rows[0]?.id ?? 0
}

export type LockedZone = Pick<Zone, 'name' | 'countries' | 'regions' | 'active'>

/**
 * Locks a zone, so that two updates cannot interleave. Its rates need a second statement: a
 * statement that waited for the lock sees the newest zone, but the rates as they were before it
 * waited.
 */
export async function lockZone(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<LockedZone | undefined> {
  const { rows } = await sql<LockedZone>`
    select name, countries, regions, active
      from shipping_zone
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

export async function updateZone(
  tx: Tx,
  storeId: number,
  id: number,
  { regions, ...plain }: Partial<ZoneRow>,
): Promise<void> {
  const fields = { ...plain, ...(regions && { regions: JSON.stringify(regions) }) }
  if (Object.keys(fields).length === 0) return
  await tx
    .updateTable('shipping_zone')
    .set(fields)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Writes the positions of zones, in the sequence of the list. */
export async function updatePositions(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    update shipping_zone z
       set position = o.place - 1
      from unnest(${ids}::bigint[]) with ordinality as o(id, place)
     where z.store_id = ${storeId} and z.id = o.id`.execute(tx)
}

export async function deleteZone(tx: Tx, storeId: number, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from shipping_zone where store_id = ${storeId} and id = ${id}`.execute(tx)
  return numAffectedRows === 1n
}

export async function selectRates(tx: Tx, storeId: number, zoneId: number): Promise<Rate[]> {
  const { rows } = await sql<{ rate: Rate }>`
    select ${RATE} as rate
      from shipping_rate r
     where r.store_id = ${storeId} and r.zone_id = ${zoneId}
     order by r.position`.execute(tx)
  return rows.map(({ rate }) => rate)
}

/**
 * Replaces the rates of a zone: updates those with an id, adds the others, and deletes all that are
 * not in the list.
 */
export async function replaceRates(
  tx: Tx,
  storeId: number,
  zoneId: number,
  rates: readonly PlacedRate[],
): Promise<void> {
  await sql`
    with sent as (
      select * from jsonb_populate_recordset(null::shipping_rate, ${JSON.stringify(rates)}::jsonb)
    ), gone as (
      delete from shipping_rate r
       where r.store_id = ${storeId} and r.zone_id = ${zoneId}
         and not exists (select from sent s where s.id = r.id)
    ), changed as (
      update shipping_rate r
         set (position, name, description, carrier_code, calc_type, price_cents, tiers,
              volumetric_divisor, free_over_cents, min_days, max_days, active)
           = (s.position, s.name, s.description, s.carrier_code, s.calc_type, s.price_cents, s.tiers,
              s.volumetric_divisor, s.free_over_cents, s.min_days, s.max_days, s.active)
        from sent s
       where r.store_id = ${storeId} and r.zone_id = ${zoneId} and r.id = s.id
    )
    insert into shipping_rate (
      store_id, zone_id, position, name, description, carrier_code, calc_type, price_cents, tiers,
      volumetric_divisor, free_over_cents, min_days, max_days, active)
    select ${storeId}, ${zoneId}, s.position, s.name, s.description, s.carrier_code, s.calc_type,
           s.price_cents, s.tiers, s.volumetric_divisor, s.free_over_cents, s.min_days, s.max_days,
           s.active
      from sent s
     where s.id is null
     order by s.position`.execute(tx)
}
