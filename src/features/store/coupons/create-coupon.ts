import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, requireRecord } from '../../../kernel/errors.ts'
import { randomText } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkCoupon } from './coupons.rules.ts'
import * as q from './queries.ts'
import { checkPartner, resolveReferences } from './resolve-references.ts'
import type { Coupon, NewCoupon } from './schema.ts'

const GENERATED_CODE_LENGTH = 10

/** Creates a coupon, with a generated code if none is sent. */
export function createCoupon(context: StoreContext, body: NewCoupon): Promise<Coupon> {
  const { store, now } = context
  checkCoupon(body)
  return inTransaction(context.db, async (tx) => {
    await checkPartner(context, tx, body)
    const references = await resolveReferences(context, tx, body)
    const row = { ...body, ...references, created_at: now, updated_at: now }
    const id = await insertWithCode(tx, store.id, row)
    return requireRecord(await q.selectCoupon(tx, store.id, id), 'Coupon')
  })
}

/** Inserts a coupon. Refuses a used code if the caller sent it. A generated code is replaced instead. */
async function insertWithCode(
  tx: Tx,
  storeId: number,
  { code, ...row }: Omit<q.CouponRow, 'code'> & { code?: string | undefined },
): Promise<number> {
  const newCode = code ?? randomText(GENERATED_CODE_LENGTH).toUpperCase()
  const id = await q.insertCoupon(tx, storeId, { ...row, code: newCode })
  if (id !== undefined) return id
  if (code !== undefined) throw codeInUse()
  return insertWithCode(tx, storeId, row)
}

export const codeInUse = () =>
  alreadyTaken('code', 'Another coupon has this code. Use another one.')
