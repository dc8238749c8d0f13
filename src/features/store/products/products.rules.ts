import { invalid } from '../../../kernel/errors.ts'
import { type ConnectedSide, connectedMethods, methodsOf } from '../../../kernel/payment-methods.ts'
import { truncate } from '../../../kernel/truncate.ts'
import { type Method, type NewProduct, PRODUCT_DEFAULTS, type Product } from './schema.ts'

export type ProductRow = Omit<
  Product,
  | 'id'
  | 'object'
  | 'hash_id'
  | 'legacy_id'
  | 'sales_count'
  | 'categories'
  | 'created_at'
  | 'updated_at'
  | 'slug'
>

/** Returns the row of a new product. Its price comes from `planVariants`. */
export function newProductRow(body: NewProduct, currency: string, price_cents: number): ProductRow {
  const { category_ids, details, seo, methods, variants, slug, ...fields } = body
  const type = body.type ?? PRODUCT_DEFAULTS.type
  const requires_shipping = type === 'physical'
  const row = { ...PRODUCT_DEFAULTS, requires_shipping, ...fields, type, currency, price_cents }
  checkProduct(row)
  checkCurrency(body.currency, currency)
  return row
}

/** Checks that the fields of a product are consistent after a patch. */
export function checkProduct({ min_qty, max_qty }: Pick<ProductRow, 'min_qty' | 'max_qty'>): void {
  if (max_qty !== null && max_qty < min_qty)
    throw invalid('max_qty', `Use min_qty (${min_qty}) or more, or null.`, {
      rule: 'at_least',
      limit: min_qty,
    })
}

export function checkCurrency(requestedCurrency: string | undefined, currency: string): void {
  if (requestedCurrency === undefined || requestedCurrency === currency) return
  throw invalid('currency', `Use ${currency}: a store has one currency.`)
}

/** Returns the settings of payment methods that were sent for a product, once or now. The others are not stored. */
export function changedMethods(
  { livemode }: ConnectedSide,
  storedMethods: readonly Method[],
  requestedMethods: readonly Method[] = [],
): Method[] {
  const methods = methodsOf(livemode)
  const unknownAt = requestedMethods.findIndex(({ method }) => !methods.includes(method))
  if (unknownAt >= 0) {
    throw invalid(`methods[${unknownAt}].method`, `Use one of ${methods.join(', ')}.`)
  }
  const settings = [...requestedMethods, ...storedMethods]
  return methods.flatMap((method) => settings.find((item) => item.method === method) ?? [])
}

/**
 * Returns all available payment methods of a product. One without a setting is enabled while it is connected to the
 * store, so connecting a provider enables its method on products that never changed it (decision 125).
 */
export function allMethods(store: ConnectedSide, storedMethods: readonly Method[]): Method[] {
  const connectedNames = connectedMethods(store)
  return methodsOf(store.livemode).map((method) => {
    const setting = storedMethods.find((item) => item.method === method)
    return setting ?? { method, enabled: connectedNames.includes(method) }
  })
}

const NAME_MAX = 128
const COPY_SUFFIX = ' (Copy)'

/** Returns the row of a copy: a draft that is not on sale, with a name that marks it as a copy. */
export function copyOf<R extends ProductRow>(original: R): R {
  const name = truncate(original.name, NAME_MAX - COPY_SUFFIX.length) + COPY_SUFFIX
  return { ...original, name, status: 'draft', active: false, sku: null, best_seller: false }
}
