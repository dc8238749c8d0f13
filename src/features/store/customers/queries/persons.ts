import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { customersCounted } from '../../analytics/index.ts'
import type { Customer } from '../schema.ts'

const MAX = sql.lit(Number.MAX_SAFE_INTEGER)

/** Removes personal data from a customer, their balance, and the customers merged into them. */
export async function clearCustomer(
  tx: Tx,
  storeId: number,
  id: number,
  { email, text, now }: { email: string; text: string; now: string },
): Promise<void> {
  await sql`
    update customer
       set email = ${email}, name = null, country = null, note = null, tags = '{}',
           marketing_opt_in = false, metadata = '{}', blocked_at = null, erased_at = ${now},
           updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${id}`.execute(tx)
  // Entries of orders say payment or refund. All other reasons are free text.
  await sql`
    update balance_entry set reason = ${text}
     where store_id = ${storeId} and customer_id = ${id} and order_id is null`.execute(tx)
  await sql`
    update customer_merge set email = null, name = null
     where store_id = ${storeId} and customer_id = ${id}`.execute(tx)
}

/** A customer that was merged into another. Email and name are null if the person was erased. */
export interface MergedCustomer {
  merged_id: number
  email: string | null
  name: string | null
}

export async function selectMerged(tx: Tx, storeId: number, id: number): Promise<MergedCustomer[]> {
  const { rows } = await sql<MergedCustomer>`
    select merged_id, email, name
      from customer_merge
     where store_id = ${storeId} and customer_id = ${id}
     order by merged_id`.execute(tx)
  return rows
}

/** The fields of a merged customer that are decided by `mergeProfiles`. */
export type MergedProfile = Pick<
  Customer,
  'name' | 'country' | 'note' | 'tags' | 'metadata' | 'affiliate_partner_id'
>

export interface Merging {
  from: number
  into: number
  profile: MergedProfile
  now: string
}

/**
 * Adds the balance, the totals and the profile of one customer to another, and deletes the first.
 * No other row may refer to it any more.
 */
export async function mergeCustomers(
  tx: Tx,
  storeId: number,
  { from, into, profile, now }: Merging,
): Promise<void> {
  // If both customers have a first order, only the earlier one counts from now on.
  const laterFirst = sql`
    select store_id, max(first_order_at), -1
      from customer
     where store_id = ${storeId} and id in (${from}, ${into})
     group by store_id
    having count(first_order_at) = 2`
  await sql`
    with sale as (${customersCounted(laterFirst)})
    update customer c
       set balance_cents = c.balance_cents + f.balance_cents,
           orders_count = c.orders_count + f.orders_count,
           total_spent_cents = least(c.total_spent_cents + f.total_spent_cents, ${MAX}),
           first_order_at = least(c.first_order_at, f.first_order_at),
           last_order_at = greatest(c.last_order_at, f.last_order_at),
           name = ${profile.name}, country = ${profile.country}, note = ${profile.note},
           tags = ${profile.tags}, metadata = ${JSON.stringify(profile.metadata)},
           affiliate_partner_id = ${profile.affiliate_partner_id},
           updated_at = greatest(c.updated_at, ${now})
      from customer f
     where c.store_id = ${storeId} and c.id = ${into}
       and f.store_id = ${storeId} and f.id = ${from}`.execute(tx)
  // Each entry shows the balance after it, which is now the balance of both customers together.
  await sql`
    update balance_entry e
       set customer_id = ${into}, balance_cents = r.balance_cents
      from (select id, sum(amount_cents) over (order by id) as balance_cents
              from balance_entry
             where store_id = ${storeId} and customer_id in (${from}, ${into})) r
     where e.store_id = ${storeId} and e.id = r.id`.execute(tx)
  await sql`
    update customer_merge set customer_id = ${into}
     where store_id = ${storeId} and customer_id = ${from}`.execute(tx)
  await sql`
    with gone as (
      delete from customer where store_id = ${storeId} and id = ${from} returning id, email, name
    )
    insert into customer_merge (store_id, merged_id, customer_id, email, name, merged_at)
    select ${storeId}, id, ${into}, email, name, ${now} from gone`.execute(tx)
}
