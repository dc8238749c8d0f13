import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkCoupon, withType } from './coupons.rules.ts'
import { codeTaken } from './create-coupon.ts'
import { checkPartner, nameRecords } from './name-records.ts'
import * as q from './queries.ts'
import type { Coupon, CouponPatch } from './schema.ts'

/** Changes a coupon. Orders that used it keep their discount. */
export async function updateCoupon(
  context: StoreContext,
  id: number,
  body: CouponPatch,
): Promise<Coupon> {
  const { store, now } = context
  try {
    return await inTransaction(context.db, async (tx) => {
      const before = found(await q.lockCoupon(tx, store.id, id), 'Coupon')
      const patch = withType(before, body)
      checkCoupon({ ...before, ...patch })
      context.audit.changed(before, patch)
      await checkPartner(context, tx, patch)
      const named = await nameRecords(context, tx, patch, before)
      await q.updateCoupon(tx, store.id, id, { ...patch, ...named, updated_at: now })
      return found(await q.selectCoupon(tx, store.id, id), 'Coupon')
    })
  } catch (error) {
    if (uniqueViolation(error)?.index === 'coupon_code_taken') throw codeTaken()
    throw error
  }
}
