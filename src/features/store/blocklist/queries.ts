import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { selectNewest } from '../../../db/newest.ts'
import { isOneOf } from '../../../db/one-of.ts'
import { updateRecord } from '../../../db/records.ts'
import { allRows, allValues, execute, firstRow, hasChanged } from '../../../db/rows.ts'
import { type BlocklistKeys, blockingEntryIds } from '../customers/index.ts'
import type { BlocklistEntry, BlocklistQuery, BlocklistType } from './schema.ts'

const ENTRY = sql`
  id, 'blocklist_entry' as object, type, value, reason, hits, created_at, updated_at`

export const selectEntry = (db: Db, storeId: number, id: number) =>
  firstRow<BlocklistEntry>(db)`
    select ${ENTRY} from blocklist_entry where store_id = ${storeId} and id = ${id}`

export const lockEntry = (tx: Tx, storeId: number, id: number) =>
  firstRow<BlocklistEntry>(tx)`
    select ${ENTRY} from blocklist_entry
     where store_id = ${storeId} and id = ${id}
       for update`

/** Returns a page of entries, the newest first, and the number of matches. */
export const selectEntries = (
  db: Db,
  storeId: number,
  { type, values, ...page }: Omit<BlocklistQuery, 'value'> & { values?: readonly string[] },
) =>
  selectNewest<BlocklistEntry>(db, {
    table: 'blocklist_entry',
    columns: ENTRY,
    storeId,
    ...page,
    filters: [isOneOf('t.type', type), values && sql`t.value = any(${values}::text[])`],
  })

/** The maximum number of entries that are listed for one buyer. */
const MATCHES_MAX = 100

/** Returns the entries that match a buyer, by the condition that refuses orders. */
export const selectMatches = (db: Db, storeId: number, blocklistKeys: BlocklistKeys) =>
  allRows<BlocklistEntry>(db)`
    select ${ENTRY} from blocklist_entry
     where store_id = ${storeId} and id in (${blockingEntryIds(storeId, blocklistKeys)})
     order by id
     limit ${MATCHES_MAX}`

export const selectEmails = (db: Db, storeId: number, customerIds: readonly number[]) =>
  allRows<{ id: number; email: string }>(db)`
    select id, email from customer
     where store_id = ${storeId} and id = any(${customerIds}::bigint[])`

/** Returns those of these values that are on the blocklist. */
export const selectListedValues = (db: Db, storeId: number, values: readonly string[]) =>
  allValues<string>(db)`
    select value from blocklist_entry
     where store_id = ${storeId} and value = any(${values}::text[])`

interface NewEntries {
  type: BlocklistType
  values: readonly string[]
  reason: string | null
  /** The customer whose block adds the entries. */
  customerId?: number
  now: string
}

/** Inserts the values that are not on the blocklist yet, and returns their entries. */
export const insertEntries = (
  tx: Tx,
  storeId: number,
  { type, values, reason, customerId, now }: NewEntries,
) =>
  allRows<BlocklistEntry>(tx)`
    insert into blocklist_entry
           (store_id, type, value, reason, customer_id, created_at, updated_at)
    select ${storeId}, ${type}, value, ${reason}, ${customerId ?? null}::bigint,
           ${now}::timestamptz, ${now}::timestamptz
      from unnest(${values}::text[]) as value
     order by value
        on conflict (store_id, value) do nothing
    returning ${ENTRY}`

export const updateEntry = (
  tx: Tx,
  storeId: number,
  id: number,
  { now, ...fields }: { value?: string; reason?: string | null; now: string },
) => updateRecord(tx, 'blocklist_entry', { storeId, id }, { ...fields, updated_at: now })

export const deleteEntry = (tx: Tx, storeId: number, id: number) =>
  execute(tx)`delete from blocklist_entry where store_id = ${storeId} and id = ${id}`

/** Changes the reason of the entry with this value. Returns false if it has this reason already. */
export const updateReason = (
  tx: Tx,
  storeId: number,
  value: string,
  { reason, now }: { reason: string; now: string },
) =>
  hasChanged(tx)`
    update blocklist_entry set reason = ${reason}, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and value = ${value} and reason is distinct from ${reason}`

/**
 * Deletes the entries of email addresses, and the IP entries that a block of the customer added. Rows are locked in the
 * order of their ids, as by `countHits`. Returns false if there were none.
 */
export const deleteEntriesOf = (
  tx: Tx,
  storeId: number,
  {
    emails,
    customerId,
    keepIps,
  }: { emails: readonly string[]; customerId: number; keepIps: boolean },
) =>
  hasChanged(tx)`
    delete from blocklist_entry
     where store_id = ${storeId}
       and id in (select id from blocklist_entry
                   where store_id = ${storeId}
                     and (value = any(${emails}::text[]) or ${!keepIps} and customer_id = ${customerId} and type = 'ip')
                   order by id
                     for update)`

/** Assigns the entries that a block of one customer added to another customer. */
export const moveEntries = (
  tx: Tx,
  storeId: number,
  { from, into }: { from: number; into: number },
) =>
  execute(tx)`
    update blocklist_entry set customer_id = ${into}
     where store_id = ${storeId}
       and id in (select id from blocklist_entry
                   where store_id = ${storeId} and customer_id = ${from}
                   order by id
                     for update)`

/** Counts a hit for each entry. Rows are locked in the order of their ids, so two calls never deadlock. */
export const countHits = (db: Db, storeId: number, ids: readonly number[]) =>
  execute(db)`
    update blocklist_entry entry
       set hits = hits + 1
      from (select id from blocklist_entry
             where store_id = ${storeId} and id = any(${ids}::bigint[])
             order by id
               for update) hit
     where entry.store_id = ${storeId} and entry.id = hit.id`

/** Returns the distinct IP addresses of a customer's latest orders. */
export const selectOrderIps = (tx: Tx, storeId: number, customerId: number, ordersMax: number) =>
  allValues<string>(tx)`
    select distinct ip
      from (select ip from "order"
             where store_id = ${storeId} and customer_id = ${customerId}
             order by created_at desc
             limit ${ordersMax}) o
     where ip is not null`

/** Returns the entries of these email addresses, and the entries that a block of the customer added. */
export const selectEntriesOf = (
  db: Db,
  storeId: number,
  customerId: number,
  emails: readonly string[],
) =>
  allRows<BlocklistEntry>(db)`
    select ${ENTRY} from blocklist_entry
     where store_id = ${storeId} and value = any(${emails}::text[])
     union
    select ${ENTRY} from blocklist_entry
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id`
