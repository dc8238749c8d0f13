import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'

export interface Buyer {
  id: number
  email: string
  name: string | null
  country: string | null
  created_at: string
  is_new: boolean
}

/** The customer with this email, made now if there is none. Its row stays locked until the commit. */
export async function upsertCustomer(
  tx: Tx,
  storeId: number,
  {
    email,
    name,
    country,
    now,
  }: {
    email: string
    name?: string | null | undefined
    country?: string | null | undefined
    now: string
  },
): Promise<Buyer> {
  const { rows } = await sql<Buyer>`
    insert into customer as c (store_id, email, name, country, created_at, updated_at)
    values (${storeId}, ${email}, ${name ?? null}, ${country ?? null}, ${now}, ${now})
        on conflict (store_id, email) do update
       set name = coalesce(c.name, excluded.name), country = coalesce(c.country, excluded.country)
    returning c.id, c.email, c.name, c.country, c.created_at, c.xmax = 0 as is_new`.execute(tx)
  const [buyer] = rows
  if (!buyer) throw new Error('An upsert returned no customer.')
  return buyer
}

/** A customer paid: once for each order, with what came in. */
export async function addSpent(
  tx: Tx,
  storeId: number,
  customerId: number,
  { cents, now }: { cents: number; now: string },
): Promise<void> {
  await sql`
    update customer
       set orders_count = orders_count + 1, total_spent_cents = least(total_spent_cents + ${cents}, ${Number.MAX_SAFE_INTEGER}::bigint),
           first_order_at = coalesce(first_order_at, ${now}),
           last_order_at = greatest(last_order_at, ${now}), updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${customerId}`.execute(tx)
}

/** Money came in for an order that was paid already, or, below 0, went back. */
export async function changeSpent(
  tx: Tx,
  storeId: number,
  customerId: number,
  { cents, now }: { cents: number; now: string },
): Promise<void> {
  await sql`
    update customer
       set total_spent_cents = least(total_spent_cents + ${cents}, ${Number.MAX_SAFE_INTEGER}::bigint), updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${customerId}`.execute(tx)
}

/** Adds to the balance of a customer, and writes down why; not where it would be no number any more. */
export async function creditBalance(
  tx: Tx,
  storeId: number,
  customerId: number,
  credit: { cents: number; reason: string; orderId: string; now: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with credited as (
      update customer
         set balance_cents = balance_cents + ${credit.cents}
       where store_id = ${storeId} and id = ${customerId}
         and balance_cents + ${credit.cents} <= ${Number.MAX_SAFE_INTEGER}::bigint
      returning balance_cents
    )
    insert into balance_entry
           (store_id, customer_id, amount_cents, balance_cents, reason, order_id, created_at)
    select ${storeId}, ${customerId}, ${credit.cents}, balance_cents, ${credit.reason},
           ${credit.orderId}, ${credit.now}
      from credited`.execute(tx)
  return numAffectedRows === 1n
}

/** Takes an amount from the balance of a customer, or nothing where it does not suffice. */
export async function debitBalance(
  tx: Tx,
  storeId: number,
  customerId: number,
  debit: { cents: number; reason: string; orderId: string; now: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with debited as (
      update customer
         set balance_cents = balance_cents - ${debit.cents}
       where store_id = ${storeId} and id = ${customerId} and balance_cents >= ${debit.cents}
      returning balance_cents
    )
    insert into balance_entry
           (store_id, customer_id, amount_cents, balance_cents, reason, order_id, created_at)
    select ${storeId}, ${customerId}, ${-debit.cents}, balance_cents, ${debit.reason},
           ${debit.orderId}, ${debit.now}
      from debited`.execute(tx)
  return numAffectedRows === 1n
}
