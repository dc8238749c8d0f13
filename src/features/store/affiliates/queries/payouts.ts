import { sql } from 'kysely'
import { among } from '../../../../db/among.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { countedTo } from '../../../../kernel/page.ts'
import type { Payout, PayoutQuery } from '../schema.ts'

const PAYOUT = sql`
  y.id, 'affiliate_payout' as object,
  json_build_object('id', p.id, 'email', p.email, 'name', p.name) as partner,
  y.amount_cents, y.currency, y.status, y.method, y.destination, y.reference, y.note,
  y.requested_at, y.sent_at
  from affiliate_payout y
  join affiliate_partner p on p.store_id = y.store_id and p.id = y.partner_id`

export async function selectPayout(
  db: Db,
  storeId: number,
  id: number,
): Promise<Payout | undefined> {
  const { rows } = await sql<Payout>`
    select ${PAYOUT} where y.store_id = ${storeId} and y.id = ${id}`.execute(db)
  return rows[0]
}

export async function selectPayouts(
  db: Db,
  storeId: number,
  { status, partner_id, limit, offset }: PayoutQuery,
): Promise<{ payouts: Payout[]; total: number }> {
  const all = [
    sql`y.store_id = ${storeId}`,
    among('y.status', status),
    partner_id !== undefined && sql`y.partner_id = ${partner_id}`,
  ]
  const where = sql.join(
    all.filter((item) => typeof item === 'object'),
    sql` and `,
  )
  const page = await sql<Payout>`
    select ${PAYOUT} where ${where} order by y.id desc limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from affiliate_payout y where ${where}
             limit ${countedTo({ limit, offset })}) c`.execute(db)
  return { payouts: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectOpenPayout(
  tx: Tx,
  storeId: number,
  partnerId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from affiliate_payout
     where store_id = ${storeId} and partner_id = ${partnerId} and status = 'requested'`.execute(tx)
  return rows[0]?.id
}

export async function insertPayout(
  tx: Tx,
  storeId: number,
  row: {
    partner_id: string
    amount_cents: number
    currency: string
    method: string
    destination: string | null
    requested_at: string
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('affiliate_payout')
    .values({ ...row, store_id: storeId, status: 'requested' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Puts all that is available at this moment, and all open adjustments, into a payout. */
export async function takeAvailable(
  tx: Tx,
  storeId: number,
  { id, partner_id, now }: { id: number; partner_id: string; now: string },
): Promise<void> {
  await sql`
    with taken as (
      update affiliate_conversion set state = 'requested', payout_id = ${id}
       where store_id = ${storeId} and partner_id = ${partner_id} and state = 'pending'
         and status = 'valid' and available_at <= ${now}
      returning commission_cents
    )
    update affiliate_partner
       set unpaid_cents = unpaid_cents - (select coalesce(sum(commission_cents), 0) from taken),
           adjusted_cents = 0
     where store_id = ${storeId} and id = ${partner_id}`.execute(tx)
  await sql`
    update affiliate_adjustment set payout_id = ${id}
     where store_id = ${storeId} and partner_id = ${partner_id} and payout_id is null`.execute(tx)
}

/** Locks the partner of a payout; the payout changes only under this lock. */
export async function lockPayout(tx: Tx, storeId: number, id: number): Promise<Payout | undefined> {
  await sql`
    select from affiliate_partner
     where store_id = ${storeId}
       and id = (select partner_id from affiliate_payout
                  where store_id = ${storeId} and id = ${id})
       for update`.execute(tx)
  return selectPayout(tx, storeId, id)
}

export async function updatePayout(
  tx: Tx,
  storeId: number,
  id: number,
  change: {
    status: 'sent' | 'rejected'
    sent_at?: string
    reference?: string | null
    note?: string | null
  },
): Promise<void> {
  await tx
    .updateTable('affiliate_payout')
    .set(change)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export async function markPaid(tx: Tx, storeId: number, id: number): Promise<void> {
  await sql`
    update affiliate_conversion set state = 'paid'
     where store_id = ${storeId} and payout_id = ${id}`.execute(tx)
}

/**
 * Makes everything in a rejected payout available again. What refunds took back meanwhile lowers the
 * commissions themselves, because nothing of them was paid.
 */
export async function releasePayout(
  tx: Tx,
  storeId: number,
  { id, partner_id }: { id: number; partner_id: string },
): Promise<void> {
  await sql`
    delete from affiliate_adjustment a
     using affiliate_conversion c
     where c.store_id = ${storeId} and c.payout_id = ${id}
       and a.store_id = c.store_id and a.order_id = c.order_id and a.payout_id is null`.execute(tx)
  await sql`
    update affiliate_adjustment set payout_id = null
     where store_id = ${storeId} and payout_id = ${id}`.execute(tx)
  await sql`
    with released as (
      update affiliate_conversion
         set state = case when adjusted_cents = commission_cents then 'reversed' else 'pending' end,
             commission_cents = commission_cents - adjusted_cents, adjusted_cents = 0, payout_id = null
       where store_id = ${storeId} and payout_id = ${id}
      returning commission_cents
    )
    update affiliate_partner
       set unpaid_cents = unpaid_cents + (select coalesce(sum(commission_cents), 0) from released),
           adjusted_cents = (select coalesce(sum(amount_cents), 0) from affiliate_adjustment
                              where store_id = ${storeId} and partner_id = ${partner_id}
                                and payout_id is null)
     where store_id = ${storeId} and id = ${partner_id}`.execute(tx)
}
