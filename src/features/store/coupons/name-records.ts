import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { partnerExists } from '../affiliates/index.ts'
import { selectNamed } from './queries.ts'
import type { Coupon, CouponPatch } from './schema.ts'

type Named = Pick<Coupon, 'product_ids' | 'variant_ids' | 'category_ids'>
const NOTHING: Named = { product_ids: [], variant_ids: [], category_ids: [] }

/**
 * The lists of a coupon as they are stored, products by hash and each record once, or the first
 * unknown record. References that the coupon had before may stay.
 */
export async function nameRecords(
  { store }: StoreContext,
  db: Db,
  body: Pick<CouponPatch, keyof Named>,
  before: Named = NOTHING,
): Promise<Partial<Named>> {
  const { product_ids, variant_ids, category_ids } = body
  if (!product_ids?.length && !variant_ids?.length && !category_ids?.length) return body
  const there = await selectNamed(db, store.id, { ...NOTHING, ...defined(body) })
  for (const hash of before.product_ids) there.products.set(hash, hash)
  for (const id of before.variant_ids) there.variants.add(id)
  for (const id of before.category_ids) there.categories.add(id)
  checkAll('product', product_ids, (ref) => there.products.has(ref))
  checkAll('variant', variant_ids, (id) => there.variants.has(id))
  checkAll('category', category_ids, (id) => there.categories.has(id))
  return defined({
    product_ids: product_ids && once(product_ids.map((ref) => there.products.get(ref) ?? ref)),
    variant_ids: variant_ids && once(variant_ids),
    category_ids: category_ids && once(category_ids),
  })
}

function checkAll<T>(what: string, ids: readonly T[] | undefined, exists: (id: T) => boolean) {
  const at = ids?.findIndex((id) => !exists(id)) ?? -1
  if (at >= 0) throw invalid(`${what}_ids[${at}]`, `There is no ${what} with this id.`)
}

/** Refuses a coupon that names an unknown partner. */
export async function checkPartner(
  { store }: StoreContext,
  db: Db,
  { affiliate_partner_id: id }: Pick<CouponPatch, 'affiliate_partner_id'>,
): Promise<void> {
  if (typeof id !== 'string' || (await partnerExists(db, store.id, id))) return
  throw invalid('affiliate_partner_id', 'There is no affiliate partner with this id.')
}

const once = <T>(list: readonly T[]): T[] => [...new Set(list)]

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
