import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows } from '../../../../db/rows.ts'
import { firstOrderDeltas } from '../../analytics/index.ts'
import type { Profile } from '../merge.rules.ts'

/** Removes personal data from a customer, from their balance entries, and from the customers merged into them. */
export async function clearCustomer(
  tx: Tx,
  storeId: number,
  id: number,
  { email, erasedText, now }: { email: string; erasedText: string; now: string },
): Promise<void> {
  await sql`
    update customer
       set email = ${email}, name = null, country = null, note = null, tags = '{}',
           marketing_opt_in = false, metadata = '{}', blocked_at = null, erased_at = ${now},
           updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${id}`.execute(tx)
  // Entries of orders have the reason payment, refund or order_ended. All other reasons are free text.
  await sql`
    update balance_entry set reason = ${erasedText}
     where store_id = ${storeId} and customer_id = ${id} and order_id is null`.execute(tx)
  await sql`
    update customer_merge set email = null, name = null
     where store_id = ${storeId} and customer_id = ${id}`.execute(tx)
}

/** A customer that was merged into another. Email and name are null if the person was erased. */
interface MergedCustomer {
  id: number
  email: string | null
  name: string | null
  merged_at: string
}

export const selectMergedCustomers = (db: Db, storeId: number, customerId: number) =>
  allRows<MergedCustomer>(db)`
    select merged_id as id, email, name, merged_at
      from customer_merge
     where store_id = ${storeId} and customer_id = ${customerId}
     order by merged_at, merged_id`

interface CustomerMerge {
  from: number
  into: number
  profile: Profile
  now: string
}

/**
 * Adds the balance and the totals of the customer `from` to the customer `into`, writes the merged profile,
 * and deletes `from`. No other row may refer to `from` any more.
 */
export async function mergeCustomers(
  tx: Tx,
  storeId: number,
  { from, into, profile, now }: CustomerMerge,
): Promise<void> {
  // If both customers have a first order, the later one is no longer a first order.
  const removedFirstOrder = sql`
    select store_id, max(first_order_at), -1
      from customer
     where store_id = ${storeId} and id in (${from}, ${into})
     group by store_id
    having count(first_order_at) = 2`
  await sql`
    with sale as (${firstOrderDeltas(removedFirstOrder)})
    update customer c
       set balance_cents = c.balance_cents + merged.balance_cents,
           orders_count = c.orders_count + merged.orders_count,
           total_spent_cents = c.total_spent_cents + merged.total_spent_cents,
           first_order_at = least(c.first_order_at, merged.first_order_at),
           last_order_at = greatest(c.last_order_at, merged.last_order_at),
           name = ${profile.name}, country = ${profile.country}, note = ${profile.note},
           tags = ${profile.tags}, metadata = ${JSON.stringify(profile.metadata)},
           affiliate_partner_id = ${profile.affiliate_partner_id},
           updated_at = greatest(c.updated_at, ${now})
      from customer merged
     where c.store_id = ${storeId} and c.id = ${into}
       and merged.store_id = ${storeId} and merged.id = ${from}`.execute(tx)
  // Each entry has the balance after it, which is now the balance of both customers together.
  await sql`
    update balance_entry e
       set customer_id = ${into}, balance_cents = running.balance_cents
      from (select id, sum(amount_cents) over (order by id) as balance_cents
              from balance_entry
             where store_id = ${storeId} and customer_id in (${from}, ${into})) running
     where e.store_id = ${storeId} and e.id = running.id`.execute(tx)
  await sql`
    update customer_merge set customer_id = ${into}
     where store_id = ${storeId} and customer_id = ${from}`.execute(tx)
  await sql`
    with deleted as (
      delete from customer where store_id = ${storeId} and id = ${from} returning id, email, name
    )
    insert into customer_merge (store_id, merged_id, customer_id, email, name, merged_at)
    select ${storeId}, id, ${into}, email, name, ${now} from deleted`.execute(tx)
}
