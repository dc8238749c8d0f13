import { type Db, inTransaction } from '../../../db/database.ts'
import { invalid, requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { findProductId, lockProductByRef } from '../products/index.ts'
import * as q from './queries.ts'
import type { Bundle, NewBundle } from './schema.ts'

export async function getBundle(context: StoreContext, productRef: string): Promise<Bundle> {
  const { db, store } = context
  const productId = await findProductId(context, db, productRef)
  const product = await q.selectBundleProduct(db, store.id, productId)
  return requireRecord(
    product?.product_kind === 'bundle' ? await readBundle(context, db, productId) : undefined,
    'Bundle',
  )
}

/** Replaces the contents of a bundle. Existing orders keep their lines. */
export function setBundle(
  context: StoreContext,
  productRef: string,
  body: NewBundle,
): Promise<Bundle> {
  const { store, audit } = context
  return inTransaction(context.db, async (tx) => {
    const productId = await lockProductByRef(context, tx, productRef)
    checkProduct(requireRecord(await q.selectBundleProduct(tx, store.id, productId), 'Product'))
    await checkItems(tx, store.id, body)
    const before = await readBundle(context, tx, productId)
    await q.replaceItems(tx, store.id, productId, body.items)
    const bundle = await readBundle(context, tx, productId)
    audit.reportChange(before, bundle)
    return bundle
  })
}

async function readBundle({ store }: StoreContext, db: Db, productId: number): Promise<Bundle> {
  const { hash_id } = requireRecord(await q.selectBundleProduct(db, store.id, productId), 'Product')
  const items = await q.selectItems(db, store.id, productId)
  return { object: 'product_bundle', product_id: hash_id, items }
}

function checkProduct({ product_kind, sell_limit }: q.BundleProduct): void {
  if (product_kind !== 'bundle') {
    const message = `This product has the kind ${product_kind}. Set product_kind to bundle first.`
    throw invalid('product_kind', message)
  }
  if (sell_limit === null) return
  throw invalid(
    'sell_limit',
    'A bundle cannot have a sell_limit. Set it to null, and limit the contents instead.',
  )
}

async function checkItems(db: Db, storeId: number, { items }: NewBundle): Promise<void> {
  const variantIds = items.map((item) => item.variant_id)
  const candidates = await q.selectCandidates(db, storeId, variantIds)
  for (const [index, id] of variantIds.entries()) {
    const field = `items[${index}].variant_id`
    if (variantIds.indexOf(id) < index)
      throw invalid(field, 'Name each variant once, with its quantity.', { rule: 'unique' })
    const candidate = candidates.find((item) => item.id === id)
    if (!candidate) throw unknownId(field, id, 'This store has no variant')
    if (candidate.product_kind === 'single') continue
    const { product_name, product_kind } = candidate
    const message = `${product_name} has the kind ${product_kind}. A bundle can only contain products of the kind single.`
    throw invalid(field, message)
  }
}
