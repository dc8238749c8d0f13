import { sql } from 'kysely'
import { anyOf } from '../../../../db/arrays.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { uniqueViolation } from '../../../../db/failure.ts'
import { hasEmail } from '../../../../db/has-email.ts'
import { updateRecord } from '../../../../db/records.ts'
import { allRows, execute, firstRow, firstValue, onlyRow, onlyValue } from '../../../../db/rows.ts'
import { emailForms, emailKey } from '../../../../kernel/email.ts'
import { foldedColumn } from '../../../../kernel/fold.ts'
import type { Customer, CustomerPatch, NewCustomer } from '../schema.ts'
import { storedEmail } from './stored-email.ts'

/** Selects the columns of a customer from the alias `c`. */
export const customerColumns = (currency: string) => sql`
  c.id, 'customer' as object, c.email, c.name, c.country, c.balance_cents,
  ${currency}::text as currency, c.orders_count, c.total_spent_cents,
  case when c.orders_count = 0 then 0
       else round(c.total_spent_cents::numeric / c.orders_count)::bigint
  end as average_order_cents,
  c.first_order_at, c.last_order_at, c.blocked_at is not null as blocked, c.blocked_at, c.note,
  c.tags, c.marketing_opt_in,
  coalesce(c.affiliate_partner_id,
           (select p.id from affiliate_partner p
             where p.store_id = c.store_id and p.email = c.email)) as affiliate_partner_id,
  c.metadata, c.erased_at, c.created_at, c.updated_at`

interface StoreRef {
  id: number
  currency: string
}

export const selectCustomer = (db: Db, { id: storeId, currency }: StoreRef, id: number) =>
  firstRow<Customer>(db)`
    select ${customerColumns(currency)}
      from customer c
     where c.store_id = ${storeId} and c.id = ${id}`

/** Locks customers, in the order of their ids, and returns those that exist. */
export const lockCustomers = (
  tx: Tx,
  { id: storeId, currency }: StoreRef,
  ids: readonly number[],
) =>
  allRows<Customer>(tx)`
    select ${customerColumns(currency)}
      from customer c
     where c.store_id = ${storeId} and c.id = any(${ids}::bigint[])
     order by c.id
       for update`

/** Locks the customers with these email addresses, in the order of their ids. */
export async function lockCustomersByEmail(
  tx: Tx,
  storeId: number,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return
  const forms = emails.flatMap(emailForms)
  await sql`
    select from customer
     where store_id = ${storeId} and email = any(${forms}::text[])
     order by id
       for update`.execute(tx)
}

/** The text in which a customer is searched (decision 182). */
export const CUSTOMER_TEXT = sql`coalesce(c.folded, lower(c.email || chr(10) || coalesce(c.name, '')))`
const SEARCH_INDEX = sql`runs(c.store_id, ${CUSTOMER_TEXT})`

/**
 * Inserts a customer, who is blocked if the email is on the blocklist. Returns undefined if another
 * customer has the email.
 */
export const insertCustomer = (
  tx: Tx,
  { id: storeId, currency }: StoreRef,
  { now, ...row }: NewCustomer & { now: string },
) =>
  firstRow<Customer>(tx)`
    with c as (
      insert into customer (store_id, email, name, folded, country, note, tags, marketing_opt_in, metadata,
                            blocked_at, created_at, updated_at)
      values (${storeId}, ${row.email}, ${row.name}, ${foldedColumn(row.email, row.name)}, ${row.country}, ${row.note}, ${row.tags},
              ${row.marketing_opt_in}, ${JSON.stringify(row.metadata)},
              (select b.created_at from blocklist_entry b
                where b.store_id = ${storeId} and b.value = ${emailKey(row.email)}),
              ${now}, ${now})
          on conflict (store_id, email) do nothing
      returning *
    ), indexed as (
      insert into customer_search (store_id, customer_id, runs)
      select c.store_id, c.id, ${SEARCH_INDEX} from c
    )
    select ${customerColumns(currency)} from c`

/** The fields of a customer that an order copies. */
export interface Buyer {
  id: number
  email: string
  name: string | null
  country: string | null
  created_at: string
  is_new: boolean
}

/** The customer in the request for an order. */
export interface CustomerInput {
  email: string
  name?: string | null | undefined
  country?: string | null | undefined
  now: string
}

/** The keys by which the blocklist is searched for a customer. */
export interface BlocklistKeys {
  values: readonly string[]
  /** The IP address, and the IPv4 address that is embedded in it. */
  ips: readonly string[]
  /** The IP ranges of whole bytes that contain the addresses. An entry is indexed by one such range. */
  ranges: readonly string[]
}

/** Selects the ids of the matching entries. */
export const blockingEntryIds = (storeId: number, { values, ranges, ips }: BlocklistKeys) => sql`
      select id from blocklist_entry
       where store_id = ${storeId} and value = ${anyOf(values, 'text')}
       union all
      select id from blocklist_entry
       where store_id = ${storeId}
         and set_masklen(range, masklen(range) / 8 * 8) = ${anyOf(ranges, 'cidr')}
         and range >>= ${anyOf(ips, 'inet')}`

/**
 * Returns the customer with this email, created if there is none, and locks the row until the commit.
 * If entries of the blocklist match, writes nothing and returns their ids.
 */
export async function upsertCustomer(
  tx: Tx,
  storeId: number,
  { email: typedEmail, name = null, country = null, now }: CustomerInput,
  blocklistKeys: BlocklistKeys,
): Promise<Buyer | { blocking_ids: number[] }> {
  const email = await storedEmail(tx, storeId, typedEmail, { table: 'customer' })
  const row = await onlyRow<Buyer & { blocking_ids: number[] | null }>(tx)`
    with blocking as materialized (
      ${blockingEntryIds(storeId, blocklistKeys)}
    ), previous as (
      select name from customer where store_id = ${storeId} and email = ${email}
    ), upserted as (
      insert into customer as c (store_id, email, name, folded, country, created_at, updated_at)
      select ${storeId}::bigint, ${email}::text, ${name}::text, ${foldedColumn(email, name)}::text,
             ${country}::text,
             ${now}::timestamptz, ${now}::timestamptz
       where not exists (select from blocking)
          on conflict (store_id, email) do update
         set name = coalesce(c.name, excluded.name),
             folded = case when c.name is null then excluded.folded else c.folded end,
             country = coalesce(c.country, excluded.country)
      returning c.store_id, c.id, c.email, c.name, c.folded, c.country, c.created_at, c.xmax = 0 as is_new
    ), indexed as (
      insert into customer_search as s (store_id, customer_id, runs)
      select c.store_id, c.id, ${SEARCH_INDEX}
        from upserted c
       where c.is_new
          or c.name is not null and exists (select from previous where previous.name is null)
          on conflict (store_id, customer_id) do update set runs = excluded.runs
    )
    select c.id, c.email, c.name, c.country, c.created_at, c.is_new,
           (select array_agg(id) from blocking) as blocking_ids
      from (select) one_row
      left join upserted c on true`
  const { blocking_ids, ...buyer } = row
  return blocking_ids ? { blocking_ids } : buyer
}

export async function updateCustomer(
  tx: Tx,
  storeId: number,
  id: number,
  { now, metadata, ...fields }: CustomerPatch & { now: string },
): Promise<void> {
  const columns = { ...fields, ...(metadata && { metadata: JSON.stringify(metadata) }) }
  await updateRecord(tx, 'customer', { storeId, id }, { ...columns, updated_at: now })
}

/**
 * Changes the address of a customer, who is blocked if it is on the blocklist. Returns false, and changes nothing, if
 * another customer has it.
 */
export async function updateEmail(
  tx: Tx,
  storeId: number,
  id: number,
  email: string,
): Promise<boolean> {
  await sql`savepoint email`.execute(tx)
  try {
    await sql`
      update customer
         set email = ${email},
             blocked_at = (select b.created_at from blocklist_entry b
                            where b.store_id = ${storeId} and b.value = ${emailKey(email)})
       where store_id = ${storeId} and id = ${id}`.execute(tx)
    return true
  } catch (error) {
    if (uniqueViolation(error) === undefined) throw error
    await sql`rollback to savepoint email`.execute(tx)
    return false
  }
}

export const selectIdByEmail = (db: Db, storeId: number, email: string) =>
  firstValue<number>(db)`
    select id from customer where store_id = ${storeId} and email = ${email}`

export const selectEmail = (db: Db, storeId: number, id: number) =>
  onlyValue<string>(db)`
    select email from customer where store_id = ${storeId} and id = ${id}`

/** Returns the addresses of customers, by their ids. */
export async function selectEmails(
  db: Db,
  storeId: number,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await allRows<{ id: number; email: string }>(db)`
    select id, email from customer where store_id = ${storeId} and id = ${anyOf(ids, 'bigint')}`
  return new Map(rows.map(({ id, email }) => [id, [email]]))
}

/** Updates the search index of a customer whose email or name has changed. */
export const indexCustomer = (
  tx: Tx,
  storeId: number,
  { id, email, name }: Pick<Customer, 'id' | 'email' | 'name'>,
) =>
  execute(tx)`
    with c as (
      update customer set folded = ${foldedColumn(email, name)}
       where store_id = ${storeId} and id = ${id}
      returning store_id, id, email, name, folded
    )
    insert into customer_search as s (store_id, customer_id, runs)
    select c.store_id, c.id, ${SEARCH_INDEX} from c
        on conflict (store_id, customer_id) do update set runs = excluded.runs`

/** Sets or clears the time since which the customer with this email is blocked. */
export const updateBlocked = (
  tx: Tx,
  storeId: number,
  email: string,
  { blocked_at, now }: { blocked_at: string | null; now: string },
) =>
  execute(tx)`
    update customer
       set blocked_at = ${blocked_at}, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and ${hasEmail('email', email)}
       and blocked_at is distinct from ${blocked_at}::timestamptz`
