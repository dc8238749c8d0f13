import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, unknownId } from '../../../kernel/errors.ts'
import { newHash, randomText } from '../../../kernel/ids.ts'
import { slugOf } from '../../../kernel/slug.ts'
import type { StoreContext } from '../../../store-context.ts'
import { cleanDetails } from './clean-html.ts'
import { changedMethods, newProductRow } from './products.rules.ts'
import * as q from './queries/index.ts'
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
  const fields = newProductRow(body, store.currency, plan.price_cents)
  const details = await cleanDetails(body.details ?? {}, 'details.')
  const methods = changedMethods(store, [], body.methods)

  return refuseProductDuplicates(
    () =>
      inTransaction(context.db, async (tx) => {
        const hash_id = newHash()
        const id = await insertWithSlug(tx, store.id, body, {
          ...fields,
          hash_id,
          methods,
          created_at: now,
        })
        await q.insertContent(tx, store.id, id, { ...details, ...body.seo })
        await q.insertVariants(tx, store.id, id, { created_at: now, variants: plan.variants })
        await q.addToLists(tx, store.id, id)
        if (body.category_ids) await setCategories(tx, store.id, id, body.category_ids)
        return readProduct(context, tx, hash_id)
      }),
    body.variants,
  )
}

/** Inserts a product. Refuses a used slug if the caller sent it. A slug from the name gets a suffix instead. */
export async function insertWithSlug(
  tx: Tx,
  storeId: number,
  body: Pick<NewProduct, 'name' | 'slug'>,
  row: Omit<q.NewProductRow, 'slug'>,
): Promise<number> {
  if (body.slug !== undefined) {
    const id = await q.insertProduct(tx, storeId, { ...row, slug: body.slug })
    if (id === undefined) throw slugInUse()
    return id
  }
  const slug = slugOf(body.name) || 'product'
  const id = await q.insertProduct(tx, storeId, { ...row, slug })
  if (id !== undefined) return id
  const suffix = randomText(6).toLowerCase()
  return insertWithSlug(tx, storeId, { ...body, slug: `${slug}-${suffix}` }, row)
}

const slugInUse = () => alreadyTaken('slug', 'Another product has this slug. Use another one.')

/**
 * Lists a product in these categories and no others. Refuses the first id that does not exist. Returns the
 * ids of its former categories.
 */
export async function setCategories(
  tx: Tx,
  storeId: number,
  productId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { existingIds, formerIds } = await q.replaceCategories(tx, storeId, productId, ids)
  const index = ids.findIndex((id) => !existingIds.has(id))
  if (index >= 0)
    throw unknownId(`category_ids[${index}]`, ids[index] ?? 0, 'This store has no category')
  return formerIds
}

/**
 * Runs `work`, and turns a unique violation into a refusal that names the field. `variants` is the list in the body,
 * if it has one.
 */
export async function refuseProductDuplicates<T>(
  work: () => Promise<T>,
  variants?: readonly { sku?: string | null }[],
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const violation = uniqueViolation(error)
    if (violation?.index === 'product_slug_taken') throw slugInUse()
    if (violation?.index === 'product_sku_taken') {
      throw alreadyTaken('sku', 'Another product has this SKU. Use another one.')
    }
    if (violation?.index === 'variant_slug_taken') {
      throw alreadyTaken('slug', 'Another variant of the product has this slug. Use another one.')
    }
    if (violation?.index !== 'variant_sku_taken') throw error
    const index = variants?.findIndex((variant) => variant.sku === violation.value)
    const field = index === undefined ? 'sku' : `variants[${Math.max(0, index)}].sku`
    throw alreadyTaken(field, 'Another variant has this SKU. Use another one.')
  }
}
