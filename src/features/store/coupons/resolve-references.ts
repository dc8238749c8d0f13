import type { Db } from '../../../db/database.ts'
import { unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { partnerExists } from '../affiliates/index.ts'
import * as q from './queries.ts'
import type { Coupon, CouponPatch } from './schema.ts'

type References = Pick<Coupon, 'product_ids' | 'variant_ids' | 'category_ids'>
const NO_REFERENCES: References = { product_ids: [], variant_ids: [], category_ids: [] }

/**
 * Returns the reference lists of a coupon for storage: products by hash, and each record once. Refuses
 * the first unknown record, except references that the coupon had before.
 */
export async function resolveReferences(
  { store }: StoreContext,
  db: Db,
  body: Pick<CouponPatch, keyof References>,
  before: References = NO_REFERENCES,
): Promise<Partial<References>> {
  const { product_ids, variant_ids, category_ids } = body
  if (!product_ids?.length && !variant_ids?.length && !category_ids?.length) return body
  const existingReferences = await q.selectReferences(db, store.id, {
    ...NO_REFERENCES,
    ...withoutUndefined(body),
  })
  for (const hash of before.product_ids) existingReferences.products.set(hash, hash)
  for (const id of before.variant_ids) existingReferences.variants.add(id)
  for (const id of before.category_ids) existingReferences.categories.add(id)
  checkReferences('product', product_ids, (ref) => existingReferences.products.has(ref))
  checkReferences('variant', variant_ids, (id) => existingReferences.variants.has(id))
  checkReferences('category', category_ids, (id) => existingReferences.categories.has(id))
  return withoutUndefined({
    product_ids:
      product_ids &&
      uniqueItems(product_ids.map((ref) => existingReferences.products.get(ref) ?? ref)),
    variant_ids: variant_ids && uniqueItems(variant_ids),
    category_ids: category_ids && uniqueItems(category_ids),
  })
}

function checkReferences<T>(
  type: string,
  ids: readonly T[] | undefined,
  exists: (id: T) => boolean,
) {
  const index = ids?.findIndex((id) => !exists(id)) ?? -1
  if (index >= 0)
    throw unknownId(`${type}_ids[${index}]`, String(ids?.[index]), `This store has no ${type}`)
}

/** Refuses a coupon with an unknown partner. */
export async function checkPartner(
  { store }: StoreContext,
  db: Db,
  { affiliate_partner_id: id }: Pick<CouponPatch, 'affiliate_partner_id'>,
): Promise<void> {
  if (typeof id !== 'string' || (await partnerExists(db, store.id, id))) return
  throw unknownId('affiliate_partner_id', id, 'This store has no partner')
}

const uniqueItems = <T>(list: readonly T[]): T[] => [...new Set(list)]

/** Returns the fields without those that are undefined. */
const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
