import { inTransaction } from '../../../db/database.ts'
import { refuseDuplicates } from '../../../db/failure.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkCoupon, clearFormerValue } from './coupons.rules.ts'
import { codeInUse } from './create-coupon.ts'
import * as q from './queries.ts'
import { checkPartner, resolveReferences } from './resolve-references.ts'
import type { Coupon, CouponPatch } from './schema.ts'

/** Changes a coupon. Orders that use it keep their discount. */
export function updateCoupon(
  context: StoreContext,
  id: number,
  body: CouponPatch,
): Promise<Coupon> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockCoupon(tx, store.id, id), 'Coupon')
    const patch = clearFormerValue(before, body)
    checkCoupon({ ...before, ...patch })
    context.audit.reportChange(before, patch)
    await checkPartner(context, tx, patch)
    const references = await resolveReferences(context, tx, patch, before)
    const change = { ...patch, ...references, updated_at: now }
    const update = () => q.updateCoupon(tx, store.id, id, change)
    await refuseDuplicates('coupon_code_taken', update, codeInUse)
    return requireRecord(await q.selectCoupon(tx, store.id, id), 'Coupon')
  })
}
