import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { hasEmail } from '../../../../db/has-email.ts'
import { allValues } from '../../../../db/rows.ts'

/**
 * Flags the unpaid conversions of a buyer who was blocked after their order was paid (decision 142). A
 * conversion that has the flag already keeps its status: the seller has reviewed it.
 */
export const flagBuyer = (tx: Tx, storeId: number, email: string): Promise<void> =>
  flagBlocked(tx, storeId, hasEmail('buyer.email', email))

/** Flags the unpaid conversions of a partner whose buyers are blocked. */
export const flagBuyersOfPartner = (tx: Tx, storeId: number, partnerId: string): Promise<void> =>
  flagBlocked(tx, storeId, sql`c.partner_id = ${partnerId}`)

async function flagBlocked(tx: Tx, storeId: number, condition: RawBuilder<unknown>): Promise<void> {
  const unflaggedConversions = sql`
    affiliate_conversion c
      join "order" o on o.store_id = c.store_id and o.id = c.order_id
      join customer buyer on buyer.store_id = o.store_id and buyer.id = o.customer_id
     where c.store_id = ${storeId} and ${condition} and buyer.blocked_at is not null
       and c.status <> 'rejected' and c.state in ('none', 'pending')
       and not 'blocked_customer' = any(c.flags)`
  await sql`
    select from affiliate_partner
     where store_id = ${storeId} and id = any(array(select c.partner_id from ${unflaggedConversions}))
     order by id
       for update`.execute(tx)
  await sql`
    with before as (
      select c.id, c.status from ${unflaggedConversions}
    ), flagged as (
      update affiliate_conversion c
         set status = 'flagged', flags = c.flags || array['blocked_customer']
        from before
       where c.store_id = ${storeId} and c.id = before.id
      returning c.partner_id, before.status, c.commission_cents
    )
    update affiliate_partner p
       set valid_count = p.valid_count - changed.count, flagged_count = p.flagged_count + changed.count,
           unpaid_cents = p.unpaid_cents - changed.cents, flagged_cents = p.flagged_cents + changed.cents
      from (select partner_id, count(*) as count, sum(commission_cents) as cents from flagged
             where status = 'valid' group by partner_id) changed
     where p.store_id = ${storeId} and p.id = changed.partner_id`.execute(tx)
}

/** The ids of records that named a person. Their events and audit events name the person too. */
interface ClearedRecords {
  partners: string[]
  payouts: number[]
  conversions: string[]
}

/**
 * Removes the personal data of partners with one of these email addresses, and the notes on conversions
 * of these orders. Totals, conversions and payouts are not deleted.
 */
export async function clearPartners(
  tx: Tx,
  storeId: number,
  { orderIds, emails }: { orderIds: readonly string[]; emails: readonly string[] },
): Promise<ClearedRecords> {
  // Partners are locked before their conversions, in the order of their ids (decision 400).
  await sql`
    select from affiliate_partner
     where store_id = ${storeId}
       and (email = any(${emails}::text[])
            or id = any(array(select partner_id from affiliate_conversion
                               where store_id = ${storeId} and order_id = any(${orderIds}::text[]))))
     order by id
       for update`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    update affiliate_partner
       set email = lower('erased-' || id || '@erased.invalid'), name = null, folded = null, note = null,
           applied_ip = null
     where store_id = ${storeId} and email = any(${emails}::text[])
    returning id`.execute(tx)
  const partners = rows.map((row) => row.id)
  const payouts = await sql<{ id: number }>`
    update affiliate_payout set destination = null, note = null
     where store_id = ${storeId} and partner_id = any(${partners}::text[])
    returning id`.execute(tx)
  const conversions = await sql<{ order_id: string }>`
    update affiliate_conversion set note = null
     where store_id = ${storeId}
       and (partner_id = any(${partners}::text[]) or order_id = any(${orderIds}::text[]))
    returning order_id`.execute(tx)
  return {
    partners,
    payouts: payouts.rows.map((row) => row.id),
    conversions: conversions.rows.map((row) => row.order_id),
  }
}

/** Returns the ids of the partners with one of these email addresses. */
export const selectPartnerIds = (db: Db, storeId: number, emails: readonly string[]) =>
  allValues<string>(db)`
    select id from affiliate_partner
     where store_id = ${storeId} and email = any(${emails}::text[])
     order by id`
