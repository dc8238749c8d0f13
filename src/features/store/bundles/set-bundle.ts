import { type Db, inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockedProduct, productId } from '../products/index.ts'
import * as q from './queries.ts'
import type { Bundle, NewBundle } from './schema.ts'

export async function getBundle(context: StoreContext, ref: string): Promise<Bundle> {
  const { db, store } = context
  const id = await productId(context, db, ref)
  const product = await q.selectBundleProduct(db, store.id, id)
  return found(
    product?.product_kind === 'bundle' ? await readBundle(context, db, id) : undefined,
    'Bundle',
  )
}

/** Sets what a bundle contains from now on. Orders that exist keep their lines. */
export function setBundle(context: StoreContext, ref: string, sent: NewBundle): Promise<Bundle> {
  const { store, audit } = context
  return inTransaction(context.db, async (tx) => {
    const id = await lockedProduct(context, tx, ref)
    checkProduct(found(await q.selectBundleProduct(tx, store.id, id), 'Product'))
    await checkItems(tx, store.id, sent)
    const before = await readBundle(context, tx, id)
    await q.replaceItems(tx, store.id, id, sent.items)
    const bundle = await readBundle(context, tx, id)
    audit.changed(before, bundle)
    return bundle
  })
}

async function readBundle({ store }: StoreContext, db: Db, id: number): Promise<Bundle> {
  const { hash_id } = found(await q.selectBundleProduct(db, store.id, id), 'Product')
  const items = await q.selectItems(db, store.id, id)
  return { object: 'product_bundle', product_id: hash_id, items }
}

function checkProduct({ product_kind, sell_limit }: q.BundleProduct): void {
  if (product_kind !== 'bundle') {
    const why = `This product is of the kind ${product_kind}; set product_kind to bundle first.`
    throw invalid('product_kind', why)
  }
  if (sell_limit === null) return
  const why = 'A bundle has no sell_limit of its own; set it to null, and limit the contents.'
  throw invalid('sell_limit', why)
}

async function checkItems(db: Db, storeId: number, { items }: NewBundle): Promise<void> {
  const ids = items.map((item) => item.variant_id)
  const candidates = await q.selectCandidates(db, storeId, ids)
  for (const [at, id] of ids.entries()) {
    const field = `items[${at}].variant_id`
    if (ids.indexOf(id) < at) throw invalid(field, 'Name each variant once, with its quantity.')
    const candidate = candidates.find((item) => item.id === id)
    if (!candidate) throw invalid(field, 'There is no variant with this id.')
    if (candidate.product_kind === 'single') continue
    const { product_name, product_kind } = candidate
    const why = `${product_name} is of the kind ${product_kind}; a bundle contains products of the kind single.`
    throw invalid(field, why)
  }
}
