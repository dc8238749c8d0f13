import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid, invalidState } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asPayout } from './events.ts'
import { addToPartner } from './queries/conversions.ts'
import { lockPartner, selectPartner } from './queries/partners.ts'
import * as q from './queries/payouts.ts'
import { flagBuyersOf } from './queries/persons.ts'
import { selectProgram } from './queries/program.ts'
import type { NewPayout, Payout, PayoutQuery } from './schema.ts'

export const getPayout = async ({ db, store }: StoreContext, id: number): Promise<Payout> =>
  found(await q.selectPayout(db, store.id, id), 'Payout')

export async function listPayouts(
  { db, store }: StoreContext,
  query: PayoutQuery,
): Promise<{ payouts: Payout[]; pagination: Pagination }> {
  const { payouts, total } = await q.selectPayouts(db, store.id, query)
  return { payouts, pagination: pagination(query, total) }
}

/** Requests a payout of all that is available to a partner. */
export function requestPayout(
  context: StoreContext,
  { partner_id, method, destination }: NewPayout,
): Promise<Payout> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const partner = await lockPartner(tx, store.id, partner_id)
    if (!partner) throw invalid('partner_id', 'There is no partner with this id.')
    if (partner.status !== 'approved') {
      throw invalidState(partner.status, 'Only an approved partner is paid. Approve the partner.')
    }
    if ((await q.selectOpenPayout(tx, store.id, partner_id)) !== undefined) {
      throw invalidState('requested', 'The partner has an open payout. Send or reject it first.')
    }
    const amount_cents = await availableOf(tx, context, partner_id)
    const id = await q.insertPayout(tx, store.id, {
      partner_id,
      amount_cents,
      currency: store.currency,
      method,
      destination,
      requested_at: now,
    })
    await q.takeAvailable(tx, store.id, { id, partner_id, now })
    const payout = found(await q.selectPayout(tx, store.id, id), 'Payout')
    await context.emit(tx, [asPayout('requested', payout)])
    return payout
  })
}

async function availableOf(tx: Tx, { store, now }: StoreContext, id: string): Promise<number> {
  const at = { storeId: store.id, now }
  const { available_cents } = found(await selectPartner(tx, at, id), 'Partner')
  const { min_payout_cents } = await selectProgram(tx, store.id)
  if (available_cents > 0 && available_cents >= min_payout_cents) return available_cents
  throw invalid(
    'partner_id',
    `The partner has ${available_cents} available, and a payout needs at least ${Math.max(1, min_payout_cents)}. Wait for held commissions, or lower min_payout_cents.`,
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
    const before = await openPayout(tx, context, id)
    await q.updatePayout(tx, store.id, id, { status: 'sent', sent_at: now, reference })
    await q.markPaid(tx, store.id, id)
    await addToPartner(tx, store.id, before.partner.id, { paid_cents: before.amount_cents })
    const payout = found(await q.selectPayout(tx, store.id, id), 'Payout')
    context.audit.changed({ status: before.status }, { status: payout.status })
    await context.emit(tx, [asPayout('sent', payout)])
    return payout
  })
}

/** Rejects a payout; its commissions are available again. */
export function rejectPayout(
  context: StoreContext,
  id: number,
  { note }: { note: string | null },
): Promise<Payout> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = await openPayout(tx, context, id)
    await q.updatePayout(tx, store.id, id, { status: 'rejected', note })
    await q.releasePayout(tx, store.id, { id, partner_id: before.partner.id })
    await flagBuyersOf(tx, store.id, before.partner.id)
    const payout = found(await q.selectPayout(tx, store.id, id), 'Payout')
    context.audit.changed({ status: before.status }, { status: payout.status })
    return payout
  })
}

async function openPayout(tx: Tx, { store }: StoreContext, id: number): Promise<Payout> {
  const payout = found(await q.lockPayout(tx, store.id, id), 'Payout')
  if (payout.status === 'requested') return payout
  throw invalidState(
    payout.status,
    `The payout is ${payout.status}, and only a requested one can be sent or rejected. Request a new one.`,
  )
}
