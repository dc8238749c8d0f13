import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, invalidState, requireRecord, unknownId } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { payoutEvent } from './events.ts'
import * as q from './queries/index.ts'
import type { NewPayout, Payout, PayoutQuery } from './schema.ts'

export const getPayout = async ({ db, store }: StoreContext, id: number): Promise<Payout> =>
  requireRecord(await q.selectPayout(db, store.id, id), 'Payout')

export async function listPayouts({ db, store }: StoreContext, query: PayoutQuery) {
  const { records, total } = await q.selectPayouts(db, store.id, query)
  return { payouts: records, pagination: pagination(query, total) }
}

/** Requests a payout of the whole available amount of a partner. */
export function requestPayout(
  context: StoreContext,
  { partner_id, method, destination }: NewPayout,
): Promise<Payout> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const partner = await q.lockPartner(tx, store.id, partner_id)
    if (!partner) throw unknownId('partner_id', partner_id, 'This store has no partner')
    if (partner.status !== 'approved') {
      throw invalidState(
        partner.status,
        'The partner is not approved. Approve the partner before you request a payout.',
      )
    }
    if ((await q.selectOpenPayout(tx, store.id, partner_id)) !== undefined) {
      throw invalidState('requested', 'The partner has an open payout. Send or reject it first.')
    }
    const amount_cents = await readAvailableCents(tx, context, partner_id)
    const id = await q.insertPayout(tx, store.id, {
      partner_id,
      amount_cents,
      currency: store.currency,
      method,
      destination,
      requested_at: now,
    })
    await q.addAvailableToPayout(tx, store.id, { id, partner_id, now })
    const payout = requireRecord(await q.selectPayout(tx, store.id, id), 'Payout')
    await context.emit(tx, [payoutEvent('requested', payout)])
    return payout
  })
}

/** Returns the available amount of a partner. Throws if it is below the minimum of a payout. */
async function readAvailableCents(
  tx: Tx,
  { store, now }: StoreContext,
  id: string,
): Promise<number> {
  const scope = { storeId: store.id, now }
  const { available_cents } = requireRecord(await q.selectPartner(tx, scope, id), 'Partner')
  const { min_payout_cents } = await q.selectProgram(tx, store.id)
  if (available_cents > 0 && available_cents >= min_payout_cents) return available_cents
  throw invalid(
    'partner_id',
    `The partner has ${available_cents} available, and a payout needs at least ${Math.max(1, min_payout_cents)}. Wait until the hold period of more commissions ends, or lower min_payout_cents.`,
    { available_cents, min_payout_cents },
  )
}

/** Marks a payout as sent. */
export function sendPayout(
  context: StoreContext,
  id: number,
  { reference }: { reference: string | null },
): Promise<Payout> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = await lockOpenPayout(tx, context, id)
    await q.updatePayout(tx, store.id, id, { status: 'sent', sent_at: now, reference })
    await q.markConversionsPaid(tx, store.id, id)
    await q.addToPartner(tx, store.id, before.partner.id, { paid_cents: before.amount_cents })
    const payout = requireRecord(await q.selectPayout(tx, store.id, id), 'Payout')
    context.audit.reportChange({ status: before.status }, { status: payout.status })
    await context.emit(tx, [payoutEvent('sent', payout)])
    return payout
  })
}

/** Rejects a payout and makes its commissions available again. */
export function rejectPayout(
  context: StoreContext,
  id: number,
  { note }: { note: string | null },
): Promise<Payout> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = await lockOpenPayout(tx, context, id)
    await q.updatePayout(tx, store.id, id, { status: 'rejected', note })
    await q.releasePayout(tx, store.id, { id, partner_id: before.partner.id })
    await q.flagBuyersOfPartner(tx, store.id, before.partner.id)
    const payout = requireRecord(await q.selectPayout(tx, store.id, id), 'Payout')
    context.audit.reportChange({ status: before.status }, { status: payout.status })
    return payout
  })
}

async function lockOpenPayout(tx: Tx, { store }: StoreContext, id: number): Promise<Payout> {
  const payout = requireRecord(await q.lockPayout(tx, store.id, id), 'Payout')
  if (payout.status === 'requested') return payout
  throw invalidState(
    payout.status,
    `The payout is ${payout.status}, and only a requested payout can be sent or rejected. Request a new payout.`,
  )
}
