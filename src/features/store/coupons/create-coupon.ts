import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, found } from '../../../kernel/errors.ts'
import { randomText } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkCoupon } from './coupons.rules.ts'
import { checkPartner, nameRecords } from './name-records.ts'
import * as q from './queries.ts'
import type { Coupon, NewCoupon } from './schema.ts'

const MADE_LENGTH = 10

/** Creates a coupon, with a generated code if none is sent. */
export function createCoupon(context: StoreContext, body: NewCoupon): Promise<Coupon> {
  const { store, now } = context
  checkCoupon(body)
  return inTransaction(context.db, async (tx) => {
    await checkPartner(context, tx, body)
    const named = await nameRecords(context, tx, body)
    const row = { ...body, ...named, created_at: now, updated_at: now }
    const id = await insertUnderCode(tx, store.id, row)
    return found(await q.selectCoupon(tx, store.id, id), 'Coupon')
  })
}

/** Refuses a code in use if the caller sent it; otherwise generates another one. */
async function insertUnderCode(
  tx: Tx,
  storeId: number,
  { code, ...row }: Omit<q.CouponRow, 'code'> & { code?: string | undefined },
): Promise<number> {
  const made = code ?? randomText(MADE_LENGTH).toUpperCase()
  const id = await q.insertCoupon(tx, storeId, { ...row, code: made })
  if (id !== undefined) return id
  if (code !== undefined) throw codeTaken()
  return insertUnderCode(tx, storeId, row)
}

export const codeTaken = () => alreadyTaken('code', 'Another coupon has this code.')
