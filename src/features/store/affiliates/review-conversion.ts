import { inTransaction } from '../../../db/database.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import { isSameJson } from '../../../kernel/same-json.ts'
import type { StoreContext } from '../../../store-context.ts'
import { balanceChange, commissionAfterRefunds } from './commission.rules.ts'
import * as q from './queries/index.ts'
import type { Conversion, ConversionReview } from './schema.ts'

/** Accepts or rejects a conversion. A rejected conversion earns no commission. */
export function reviewConversion(
  context: StoreContext,
  orderId: string,
  { status, note }: ConversionReview,
): Promise<Conversion> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockConversion(tx, store.id, orderId), 'Conversion')
    const { id, state, partner_id } = before
    if (state === 'requested' || state === 'paid') {
      throw invalidState(state, 'The commission is in a payout. Reject the payout first.')
    }
    const hasCommission = before.available_at !== null
    const commission_cents =
      hasCommission && status === 'valid' ? commissionAfterRefunds(before.base_cents, before) : 0
    const stateWithoutCommission = state === 'reversed' ? ('reversed' as const) : ('none' as const)
    const change = {
      status,
      note,
      commission_cents,
      state: commission_cents > 0 ? ('pending' as const) : stateWithoutCommission,
    }
    context.audit.reportChange({ status: before.status }, { status })
    if (isSameJson({ ...before, ...change }, before)) context.audit.skipEvent()
    await q.updateConversion(tx, store.id, id, change)
    const counts = before.status === status ? {} : ({ [before.status]: -1, [status]: 1 } as const)
    const earned_cents = commission_cents - before.commission_cents
    const balances = balanceChange(before, { status, commission_cents })
    await q.addToPartner(tx, store.id, partner_id, { ...counts, earned_cents, ...balances })
    return requireRecord(
      await q.selectConversion(tx, { storeId: store.id, now }, orderId),
      'Conversion',
    )
  })
}
