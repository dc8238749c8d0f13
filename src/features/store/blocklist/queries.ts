import { sql } from 'kysely'
import { among } from '../../../db/among.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { countedTo } from '../../../kernel/page.ts'
import type { BlocklistEntry, BlocklistQuery, BlocklistType } from './schema.ts'

const ENTRY = sql`
  id, 'blocklist_entry' as object, type, value, reason, hits, created_at, updated_at`

export async function selectEntry(
  db: Db,
  storeId: number,
  id: number,
): Promise<BlocklistEntry | undefined> {
  const { rows } = await sql<BlocklistEntry>`
    select ${ENTRY} from blocklist_entry where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

export async function lockEntry(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<BlocklistEntry | undefined> {
  const { rows } = await sql<BlocklistEntry>`
    select ${ENTRY} from blocklist_entry
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

/** Returns a page of entries, the newest first, and how many match. */
export async function selectEntries(
  db: Db,
  storeId: number,
  { type, values, limit, offset }: Omit<BlocklistQuery, 'value'> & { values?: readonly string[] },
): Promise<{ entries: BlocklistEntry[]; total: number }> {
  const all = [
    sql`store_id = ${storeId}`,
    among('type', type),
    values && sql`value = any(${values}::text[])`,
  ]
  const where = sql.join(
    all.filter((item) => item !== undefined),
    sql` and `,
  )
  const page = await sql<BlocklistEntry>`
    select ${ENTRY}
      from blocklist_entry
     where ${where}
     order by created_at desc, id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from blocklist_entry
             where ${where} limit ${countedTo({ limit, offset })}) b`.execute(db)
  return { entries: page.rows, total: count.rows[0]?.total ?? 0 }
}

export interface NewEntries {
  type: BlocklistType
  values: readonly string[]
  reason: string | null
  /** The customer whose block adds them. */
  customerId?: number
  now: string
}

/** Adds the values that are not on the list yet, and returns their entries. */
export async function insertEntries(
  tx: Tx,
  storeId: number,
  { type, values, reason, customerId, now }: NewEntries,
): Promise<BlocklistEntry[]> {
  const { rows } = await sql<BlocklistEntry>`
    insert into blocklist_entry
           (store_id, type, value, reason, customer_id, created_at, updated_at)
    select ${storeId}, ${type}, value, ${reason}, ${customerId ?? null}::bigint,
           ${now}::timestamptz, ${now}::timestamptz
      from unnest(${values}::text[]) as value
     order by value
        on conflict (store_id, value) do nothing
    returning ${ENTRY}`.execute(tx)
  return rows
}

export async function updateEntry(
  tx: Tx,
  storeId: number,
  id: number,
  { now, ...fields }: { value?: string; reason?: string | null; now: string },
): Promise<void> {
  await tx
    .updateTable('blocklist_entry')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export async function deleteEntry(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<Pick<BlocklistEntry, 'type' | 'value'> | undefined> {
  const { rows } = await sql<Pick<BlocklistEntry, 'type' | 'value'>>`
    delete from blocklist_entry where store_id = ${storeId} and id = ${id}
    returning type, value`.execute(tx)
  return rows[0]
}

/** Changes the reason of the entry of one address. */
export async function updateReason(
  tx: Tx,
  storeId: number,
  value: string,
  { reason, now }: { reason: string; now: string },
): Promise<void> {
  await sql`
    update blocklist_entry set reason = ${reason}, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and value = ${value} and reason is distinct from ${reason}`.execute(
    tx,
  )
}

/** Deletes the entry of one address, and those of IP addresses that a block of the customer added. */
export async function deleteEntriesOf(
  tx: Tx,
  storeId: number,
  { email, customerId, keepIps }: { email: string; customerId: number; keepIps: boolean },
): Promise<void> {
  await sql`
    delete from blocklist_entry where store_id = ${storeId} and value = ${email}`.execute(tx)
  if (keepIps) return
  await sql`
    delete from blocklist_entry
     where store_id = ${storeId} and customer_id = ${customerId} and type = 'ip'`.execute(tx)
}

/** Gives the entries that a block of one customer added to another. */
export async function moveEntries(
  tx: Tx,
  storeId: number,
  { from, into }: { from: number; into: number },
): Promise<void> {
  await sql`
    update blocklist_entry set customer_id = ${into}
     where store_id = ${storeId} and customer_id = ${from}`.execute(tx)
}

/** Counts a refused order. Rows are locked in the order of their ids, so that two calls never deadlock. */
export async function countHits(db: Db, storeId: number, ids: readonly number[]): Promise<void> {
  await sql`
    update blocklist_entry b
       set hits = hits + 1
      from (select id from blocklist_entry
             where store_id = ${storeId} and id = any(${ids}::bigint[])
             order by id
               for update) hit
     where b.store_id = ${storeId} and b.id = hit.id`.execute(db)
}

/** The addresses that a customer's latest orders came from, each once. */
export async function selectOrderIps(
  tx: Tx,
  storeId: number,
  customerId: number,
  orders: number,
): Promise<string[]> {
  const { rows } = await sql<{ ip: string }>`
    select distinct ip
      from (select ip from "order"
             where store_id = ${storeId} and customer_id = ${customerId}
             order by created_at desc
             limit ${orders}) o
     where ip is not null`.execute(tx)
  return rows.map((row) => row.ip)
}

/** The entries of these addresses, and those that a block of the customer added. */
export async function selectEntriesOf(
  db: Db,
  storeId: number,
  customerId: number,
  emails: readonly string[],
): Promise<BlocklistEntry[]> {
  const { rows } = await sql<BlocklistEntry>`
    select ${ENTRY} from blocklist_entry
     where store_id = ${storeId} and value = any(${emails}::text[])
     union
    select ${ENTRY} from blocklist_entry
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id`.execute(db)
  return rows
}
