import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'

/**
 * Flags the unpaid conversions of a buyer who was blocked after their order was paid (decision 142). A
 * conversion that has the flag already keeps its status: the seller has reviewed it.
 */
export const flagBuyer = (tx: Tx, storeId: number, email: string): Promise<void> =>
  flagBlocked(tx, storeId, sql`b.email = ${email}`)

/** Flags the unpaid conversions of a partner whose buyers are blocked. */
export const flagBuyersOf = (tx: Tx, storeId: number, partnerId: string): Promise<void> =>
  flagBlocked(tx, storeId, sql`c.partner_id = ${partnerId}`)

async function flagBlocked(tx: Tx, storeId: number, which: RawBuilder<unknown>): Promise<void> {
  const unflagged = sql`
    affiliate_conversion c
      join "order" o on o.store_id = c.store_id and o.id = c.order_id
      join customer b on b.store_id = o.store_id and b.id = o.customer_id
     where c.store_id = ${storeId} and ${which} and b.blocked_at is not null
       and c.status <> 'rejected' and c.state in ('none', 'pending')
       and not 'blocked_customer' = any(c.flags)`
  await sql`
    select from affiliate_partner
     where store_id = ${storeId} and id = any(array(select c.partner_id from ${unflagged}))
     order by id
       for update`.execute(tx)
  await sql`
    with before as (
      select c.id, c.status from ${unflagged}
    ), flagged as (
      update affiliate_conversion c
         set status = 'flagged', flags = c.flags || array['blocked_customer']
        from before b
       where c.store_id = ${storeId} and c.id = b.id
      returning c.partner_id, b.status, c.commission_cents
    )
    update affiliate_partner p
       set valid_count = p.valid_count - n.count, flagged_count = p.flagged_count + n.count,
           unpaid_cents = p.unpaid_cents - n.cents, flagged_cents = p.flagged_cents + n.cents
      from (select partner_id, count(*) as count, sum(commission_cents) as cents from flagged
             where status = 'valid' group by partner_id) n
     where p.store_id = ${storeId} and p.id = n.partner_id`.execute(tx)
}

/** The records that named a person; their events and audit events do so too. */
export interface ClearedRecords {
  partners: string[]
  payouts: number[]
  conversions: string[]
}

/**
 * Removes the person from partners with one of these addresses, and from reviews of their orders. Totals,
 * conversions and payouts stay.
 */
export async function clearPartners(
  tx: Tx,
  storeId: number,
  { orderIds, emails }: { orderIds: readonly string[]; emails: readonly string[] },
): Promise<ClearedRecords> {
  const { rows } = await sql<{ id: string }>`
    update affiliate_partner
       set email = lower('erased-' || id || '@erased.invalid'), name = null, note = null,
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

/** The partners with one of these addresses. */
export async function selectPartnerIds(
  db: Db,
  storeId: number,
  emails: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from affiliate_partner
     where store_id = ${storeId} and email = any(${emails}::text[])
     order by id`.execute(db)
  return rows.map((row) => row.id)
}
