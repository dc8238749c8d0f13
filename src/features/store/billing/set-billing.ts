import { inTransaction } from '../../../db/database.ts'
import { invalid, Refusal, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { findProductId, lockProductByRef } from '../products/index.ts'
import * as q from './queries.ts'
import type { Billing, NewBilling } from './schema.ts'

const NO_BILLING = 'This product has no billing. Set it with PUT /products/{id}/billing.'

export async function getBilling(context: StoreContext, productRef: string): Promise<Billing> {
  const { db, store } = context
  const productId = await findProductId(context, db, productRef)
  const billing = await q.selectBilling(db, store.id, productId)
  if (billing === undefined) throw new Refusal('NOT_FOUND', NO_BILLING)
  return billing
}

/** Sets the billing of a product. Existing subscriptions keep their terms. */
export function setBilling(
  context: StoreContext,
  productRef: string,
  body: NewBilling,
): Promise<Billing> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const productId = await lockProductByRef(context, tx, productRef)
    const kind = await q.selectProductKind(tx, store.id, productId)
    if (kind !== 'subscription') {
      const message = `The kind of this product is ${kind}. Set product_kind to subscription first.`
      throw invalid('product_kind', message)
    }
    const before = await q.selectBilling(tx, store.id, productId)
    await q.upsertBilling(tx, store.id, { ...body, product_id: productId, now })
    const billing = requireRecord(await q.selectBilling(tx, store.id, productId), 'Billing')
    audit.reportChange(before ?? {}, billing)
    return billing
  })
}
