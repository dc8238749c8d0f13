import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockedProduct, productId } from '../products/index.ts'
import * as q from './queries/billing.ts'
import type { Billing, NewBilling } from './schema.ts'

export async function getBilling(context: StoreContext, ref: string): Promise<Billing> {
  const { db, store } = context
  const id = await productId(context, db, ref)
  return found(await q.selectBilling(db, store.id, id), 'Billing of the product')
}

/** Sets how a product is billed from now on; subscriptions that exist keep their terms. */
export function putBilling(context: StoreContext, ref: string, body: NewBilling): Promise<Billing> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const id = await lockedProduct(context, tx, ref)
    const kind = await q.selectProductKind(tx, store.id, id)
    if (kind !== 'subscription') {
      const why = `This product is of the kind ${kind}; set product_kind to subscription first.`
      throw invalid('product_kind', why)
    }
    const before = await q.selectBilling(tx, store.id, id)
    await q.upsertBilling(tx, store.id, { ...body, product_id: id, now })
    const billing = found(await q.selectBilling(tx, store.id, id), 'Billing')
    audit.changed(before ?? {}, billing)
    return billing
  })
}
