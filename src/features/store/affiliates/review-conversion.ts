import { inTransaction } from '../../../db/database.ts'
import { found, invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { afterRefunds, balanceChange } from './commission.rules.ts'
import * as q from './queries/conversions.ts'
import type { Conversion, Review } from './schema.ts'

/** Decides whether a conversion counts. A rejected one earns nothing. */
export function reviewConversion(
  context: StoreContext,
  orderId: string,
  { status, note }: Review,
): Promise<Conversion> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockConversion(tx, store.id, orderId), 'Conversion')
    const { id, state, partner_id } = before
    if (state === 'requested' || state === 'paid') {
      throw invalidState(state, 'The commission is in a payout. Reject the payout first.')
    }
    const recorded = before.available_at !== null
    const due = recorded && status === 'valid' ? afterRefunds(before.base_cents, before) : 0
    const settled = state === 'reversed' ? 'reversed' : 'none'
    context.audit.changed({ status: before.status }, { status })
    await q.updateConversion(tx, store.id, id, {
      status,
      note,
      commission_cents: due,
      state: due > 0 ? 'pending' : settled,
    })
    const counts = before.status === status ? {} : ({ [before.status]: -1, [status]: 1 } as const)
    const earned_cents = due - before.commission_cents
    const balances = balanceChange(before, { status, commission_cents: due })
    await q.addToPartner(tx, store.id, partner_id, { ...counts, earned_cents, ...balances })
    return found(await q.selectConversion(tx, { storeId: store.id, now }, orderId), 'Conversion')
  })
}
