import { sql } from 'kysely'
import { createdWithin } from '../../../../db/created.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { selectPage } from '../../../../db/newest.ts'
import { isOneOf } from '../../../../db/one-of.ts'
import { insertRecord, updateRecord } from '../../../../db/records.ts'
import { execute, firstRow, firstValue } from '../../../../db/rows.ts'
import type { Payout, PayoutQuery } from '../schema.ts'

const PAYOUT = sql`
  payout.id, 'affiliate_payout' as object,
  json_build_object('id', p.id, 'email', p.email, 'name', p.name) as partner,
  payout.amount_cents, payout.currency, payout.status, payout.method, payout.destination,
  payout.reference, payout.note, payout.requested_at, payout.sent_at`
const PARTNER = sql`
  join affiliate_partner p on p.store_id = payout.store_id and p.id = payout.partner_id`

export const selectPayout = (db: Db, storeId: number, id: number) =>
  firstRow<Payout>(db)`
    select ${PAYOUT}
      from affiliate_payout payout ${PARTNER}
     where payout.store_id = ${storeId} and payout.id = ${id}`

export const selectPayouts = (
  db: Db,
  storeId: number,
  { status, partner_id, limit, offset, ...requestedPeriod }: PayoutQuery,
) =>
  selectPage<Payout>(db, {
    table: 'affiliate_payout',
    alias: 'payout',
    columns: PAYOUT,
    joins: PARTNER,
    storeId,
    limit,
    offset,
    filters: [
      isOneOf('payout.status', status),
      partner_id !== undefined && sql`payout.partner_id = ${partner_id}`,
      ...createdWithin('payout.requested_at', requestedPeriod),
    ],
  })

export const selectOpenPayout = (tx: Tx, storeId: number, partnerId: string) =>
  firstValue<number>(tx)`
    select id from affiliate_payout
     where store_id = ${storeId} and partner_id = ${partnerId} and status = 'requested'`

export const insertPayout = (
  tx: Tx,
  storeId: number,
  row: {
    partner_id: string
    amount_cents: number
    currency: string
    method: string | null
    destination: string | null
    requested_at: string
  },
) => insertRecord(tx, 'affiliate_payout', { ...row, store_id: storeId, status: 'requested' })

/** Adds the available commissions and the open adjustments of a partner to a payout. */
export async function addAvailableToPayout(
  tx: Tx,
  storeId: number,
  { id, partner_id, now }: { id: number; partner_id: string; now: string },
): Promise<void> {
  await sql`
    with available as (
      update affiliate_conversion set state = 'requested', payout_id = ${id}
       where store_id = ${storeId} and partner_id = ${partner_id} and state = 'pending'
         and status = 'valid' and available_at <= ${now}
      returning commission_cents
    )
    update affiliate_partner
       set unpaid_cents = unpaid_cents - (select coalesce(sum(commission_cents), 0) from available),
           adjusted_cents = 0
     where store_id = ${storeId} and id = ${partner_id}`.execute(tx)
  await sql`
    update affiliate_adjustment set payout_id = ${id}
     where store_id = ${storeId} and partner_id = ${partner_id} and payout_id is null`.execute(tx)
}

/** Locks the partner of a payout. A payout changes only while its partner is locked. */
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
  await updateRecord(tx, 'affiliate_payout', { storeId, id }, change)
}

export const markConversionsPaid = (tx: Tx, storeId: number, id: number) =>
  execute(tx)`
    update affiliate_conversion set state = 'paid'
     where store_id = ${storeId} and payout_id = ${id}`

/**
 * Makes the commissions and adjustments of a rejected payout available again. Refunds since the request reduce the
 * commissions themselves, because no part of them was paid.
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
