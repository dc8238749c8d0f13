import { invalid } from '../../../kernel/errors.ts'
import { METHODS, type Method, type NewProduct, type Product } from './schema.ts'

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

/** The values of a new product that the request leaves out (decision 26). */
const DEFAULTS = {
  type: 'serial',
  product_kind: 'single',
  status: 'active',
  active: true,
  visibility: 'public',
  discount_percent: 0,
  accepts_coupons: true,
  min_qty: 1,
  max_qty: null,
  sell_limit: null,
  sku: null,
  delivery_note: null,
  best_seller: false,
  metadata: {},
  stock_alert_threshold: null,
} as const satisfies Partial<ProductRow>

/** The row of a new product. Its price is decided with its variants. */
export function asNewProduct(body: NewProduct, currency: string, price_cents: number): ProductRow {
  const {
    category_ids: _c,
    details: _d,
    seo: _s,
    methods: _m,
    variants: _v,
    slug: _,
    ...fields
  } = body
  const type = body.type ?? DEFAULTS.type
  const requires_shipping = type === 'physical'
  const row = { ...DEFAULTS, requires_shipping, ...fields, type, currency, price_cents }
  checkProduct(row)
  checkCurrency(body.currency, currency)
  return row
}

/** Checks that the fields of a product are consistent after a patch. */
export function checkProduct({ min_qty, max_qty }: Pick<ProductRow, 'min_qty' | 'max_qty'>): void {
  if (max_qty !== null && max_qty < min_qty)
    throw invalid('max_qty', 'Use min_qty or more, or null.')
}

export function checkCurrency(body: string | undefined, currency: string): void {
  if (body === undefined || body === currency) return
  throw invalid('currency', `Use ${currency}: a store has one currency.`)
}

/** Returns the available payment methods: `test` on a test side only (decision 4). */
export const methodsOf = (livemode: boolean): Method['method'][] =>
  METHODS.filter((method) => method !== 'test' || !livemode)

/** Methods of providers that a seller has to connect; none can be connected yet (decision 125). */
const OF_PROVIDERS: readonly Method['method'][] = ['crypto', 'card', 'paypal']

/** Returns the payment methods that orders of a store can be paid with. */
export const connectedMethods = (livemode: boolean): Method['method'][] =>
  methodsOf(livemode).filter((method) => !OF_PROVIDERS.includes(method))

/** Returns all available methods: each as sent, else as it was, else enabled if it is connected. */
export function planMethods(
  livemode: boolean,
  before: readonly Method[],
  body: readonly Method[] = [],
): Method[] {
  const methods = methodsOf(livemode)
  const stranger = body.findIndex(({ method }) => !methods.includes(method))
  if (stranger >= 0) {
    throw invalid(`methods[${stranger}].method`, `Use one of ${methods.join(', ')}.`)
  }
  const connected = connectedMethods(livemode)
  return methods.map((method) => {
    const said =
      body.find((item) => item.method === method) ?? before.find((item) => item.method === method)
    return { method, enabled: said?.enabled ?? connected.includes(method) }
  })
}

const NAME_MAX = 128
const COPIED = ' (Copy)'

/** Returns the row of a copy: a draft that is not on sale, with a name that marks it as a copy. */
export function asCopy<R extends ProductRow>(original: R): R {
  const name = cut(original.name, NAME_MAX - COPIED.length) + COPIED
  return { ...original, name, status: 'draft', active: false, sku: null, best_seller: false }
}

/** Cuts a text to this number of UTF-16 units, without half of a surrogate pair at the end. */
const cut = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
