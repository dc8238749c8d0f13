import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Customer, CustomerPatch, NewCustomer } from '../schema.ts'

/** The columns of a customer, from the alias c. */
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

export async function selectCustomer(
  db: Db,
  { id: storeId, currency }: StoreRef,
  id: number,
): Promise<Customer | undefined> {
  const { rows } = await sql<Customer>`
    select ${customerColumns(currency)}
      from customer c
     where c.store_id = ${storeId} and c.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks customers, in the order of their ids, and returns those that exist. */
export async function lockCustomers(
  tx: Tx,
  { id: storeId, currency }: StoreRef,
  ids: readonly number[],
): Promise<Customer[]> {
  const { rows } = await sql<Customer>`
    select ${customerColumns(currency)}
      from customer c
     where c.store_id = ${storeId} and c.id = any(${ids}::bigint[])
     order by c.id
       for update`.execute(tx)
  return rows
}

const RUNS = sql`runs(c.store_id, c.email || chr(10) || coalesce(c.name, ''))`

/** Returns undefined if another customer has the email. A blocked address makes a blocked customer. */
export async function insertCustomer(
  tx: Tx,
  { id: storeId, currency }: StoreRef,
  { now, ...row }: NewCustomer & { now: string },
): Promise<Customer | undefined> {
  const { rows } = await sql<Customer>`
    with c as (
      insert into customer (store_id, email, name, country, note, tags, marketing_opt_in, metadata,
                            blocked_at, created_at, updated_at)
      values (${storeId}, ${row.email}, ${row.name}, ${row.country}, ${row.note}, ${row.tags},
              ${row.marketing_opt_in}, ${JSON.stringify(row.metadata)},
              (select b.created_at from blocklist_entry b
                where b.store_id = ${storeId} and b.value = ${row.email}),
              ${now}, ${now})
          on conflict (store_id, email) do nothing
      returning *
    ), sought as (
      insert into customer_search (store_id, customer_id, runs)
      select c.store_id, c.id, ${RUNS} from c
    )
    select ${customerColumns(currency)} from c`.execute(tx)
  return rows[0]
}

/** The fields of a customer that an order copies. */
export interface Buyer {
  id: number
  email: string
  name: string | null
  country: string | null
  created_at: string
  is_new: boolean
}

/** The customer that an order names. */
export interface NamedCustomer {
  email: string
  name?: string | null | undefined
  country?: string | null | undefined
  now: string
}

/** The entries of the blocklist that would match the customer (`blocklist`). */
export interface BlockedBy {
  values: readonly string[]
  ip: string | null
  /** The ranges of whole bytes around the address: an entry is filed under one of them. */
  around: readonly string[]
}

/**
 * Returns the customer with this email, created if there is none, and locks its row until the commit.
 * If entries of the blocklist match, nothing is written and their ids are returned.
 */
export async function upsertCustomer(
  tx: Tx,
  storeId: number,
  { email, name = null, country = null, now }: NamedCustomer,
  blockedBy: BlockedBy,
): Promise<Buyer | { refused_by: number[] }> {
  const { rows } = await sql<Buyer & { refused_by: number[] | null }>`
    with refused as materialized (
      select id from blocklist_entry
       where store_id = ${storeId} and value = any(${blockedBy.values}::text[])
       union all
      select id from blocklist_entry
       where store_id = ${storeId}
         and set_masklen(range, masklen(range) / 8 * 8) = any(${blockedBy.around}::cidr[])
         and range >>= ${blockedBy.ip}::inet
    ), former as (
      select name from customer where store_id = ${storeId} and email = ${email}
    ), made as (
      insert into customer as c (store_id, email, name, country, created_at, updated_at)
      select ${storeId}::bigint, ${email}::text, ${name}::text, ${country}::text,
             ${now}::timestamptz, ${now}::timestamptz
       where not exists (select from refused)
          on conflict (store_id, email) do update
         set name = coalesce(c.name, excluded.name), country = coalesce(c.country, excluded.country)
      returning c.store_id, c.id, c.email, c.name, c.country, c.created_at, c.xmax = 0 as is_new
    ), sought as (
      insert into customer_search as s (store_id, customer_id, runs)
      select c.store_id, c.id, ${RUNS}
        from made c
       where c.is_new
          or c.name is not null and exists (select from former where former.name is null)
          on conflict (store_id, customer_id) do update set runs = excluded.runs
    )
    select c.id, c.email, c.name, c.country, c.created_at, c.is_new,
           (select array_agg(id) from refused) as refused_by
      from (select) one
      left join made c on true`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('An upsert returned no customer.')
  const { refused_by, ...buyer } = row
  return refused_by ? { refused_by } : buyer
}

export async function updateCustomer(
  tx: Tx,
  storeId: number,
  id: number,
  { now, metadata, ...fields }: CustomerPatch & { now: string },
): Promise<void> {
  await tx
    .updateTable('customer')
    .set((row) => ({
      ...fields,
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Writes the text again by which search finds customers. */
export async function indexCustomer(tx: Tx, storeId: number, id: number): Promise<void> {
  await sql`
    insert into customer_search as s (store_id, customer_id, runs)
    select c.store_id, c.id, ${RUNS} from customer c where c.store_id = ${storeId} and c.id = ${id}
        on conflict (store_id, customer_id) do update set runs = excluded.runs`.execute(tx)
}

/** Marks the customer with this email as blocked since a moment, or with null as not blocked. */
export async function updateBlocked(
  tx: Tx,
  storeId: number,
  email: string,
  { blocked_at, now }: { blocked_at: string | null; now: string },
): Promise<void> {
  await sql`
    update customer
       set blocked_at = ${blocked_at}, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and email = ${email}
       and blocked_at is distinct from ${blocked_at}::timestamptz`.execute(tx)
}
