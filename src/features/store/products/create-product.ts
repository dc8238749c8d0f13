import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, invalid } from '../../../kernel/errors.ts'
import { newHash, randomText } from '../../../kernel/ids.ts'
import { slugOf } from '../../../kernel/slug.ts'
import type { StoreContext } from '../../../store-context.ts'
import { cleanDetails } from './clean-html.ts'
import { asNewProduct, planMethods } from './products.rules.ts'
import * as q from './queries/products.ts'
import { insertVariants } from './queries/variants.ts'
import type { NewProduct, ProductSections } from './schema.ts'
import { readProduct } from './show-product.ts'
import { planVariants } from './variants.rules.ts'

/** Creates a product with its sections and variants (decision 26). */
export async function createProduct(
  context: StoreContext,
  body: NewProduct,
): Promise<ProductSections> {
  const { store, now } = context
  const plan = planVariants(body, body.type ?? 'serial')
  const fields = asNewProduct(body, store.currency, plan.price_cents)
  const details = await cleanDetails(body.details ?? {}, 'details.')
  const methods = planMethods(store.livemode, [], body.methods)

  return refusingTaken(body, () =>
    inTransaction(context.db, async (tx) => {
      const hash_id = newHash()
      const id = await insertUnderSlug(tx, store.id, body, {
        ...fields,
        hash_id,
        methods,
        created_at: now,
      })
      await q.insertContent(tx, store.id, id, { ...details, ...body.seo })
      await insertVariants(tx, store.id, id, { created_at: now, variants: plan.variants })
      await q.enlist(tx, store.id, id)
      if (body.category_ids) await listIn(tx, store.id, id, body.category_ids)
      return readProduct(context, tx, hash_id)
    }),
  )
}

/** Refuses a slug in use if the caller sent it; a slug from the name gets a suffix instead. */
export async function insertUnderSlug(
  tx: Tx,
  storeId: number,
  body: Pick<NewProduct, 'name' | 'slug'>,
  row: Omit<q.NewProductRow, 'slug'>,
): Promise<number> {
  if (body.slug !== undefined) {
    const id = await q.insertProduct(tx, storeId, { ...row, slug: body.slug })
    if (id === undefined) throw slugTaken()
    return id
  }
  const slug = slugOf(body.name) || 'product'
  return (
    (await q.insertProduct(tx, storeId, { ...row, slug })) ??
    insertUnderSlug(tx, storeId, { ...body, slug: `${slug}-${randomText(6).toLowerCase()}` }, row)
  )
}

export const slugTaken = () => alreadyTaken('slug', 'Another product has this slug.')

export async function listIn(tx: Tx, storeId: number, productId: number, ids: readonly number[]) {
  const known = await q.replaceCategories(tx, storeId, productId, ids)
  const stranger = ids.findIndex((id) => !known.has(id))
  if (stranger >= 0)
    throw invalid(`category_ids[${stranger}]`, 'There is no category with this id.')
}

/** Refuses a value that another record has, and names its field. */
export async function refusingTaken<T>(
  body: { variants?: readonly { sku?: string | null }[] },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const violation = uniqueViolation(error)
    if (violation?.index === 'product_slug_taken') throw slugTaken()
    if (violation?.index === 'product_sku_taken') {
      throw alreadyTaken('sku', 'Another product has this SKU.')
    }
    if (violation?.index === 'variant_slug_taken') {
      throw alreadyTaken('slug', 'Another variant of the product has this slug.')
    }
    if (violation?.index !== 'variant_sku_taken') throw error
    const at = body.variants?.findIndex((variant) => variant.sku === violation.value)
    const field = at === undefined ? 'sku' : `variants[${Math.max(0, at)}].sku`
    throw alreadyTaken(field, 'Another variant has this SKU.')
  }
}
