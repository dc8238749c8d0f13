// The calls that are measured: each list of both APIs and of the dashboard, with each filter and sort of its OpenAPI
// operation, the searches, and the figures of the dashboard.

/** Values of filters whose schema has no list of values. `few` matches 50 records, `none` no record. */
const VALUES = {
  email: ['rare@example.com', 'nobody@example.com'],
  customer_email: ['rare@example.com', 'nobody@example.com'],
  coupon_code: ['RARE', 'NONE'],
  payment_method: ['manual', 'free'],
  code: ['CODE7', 'NONE'],
  country: ['DE'],
  tag: ['vip', 'none'],
  value: ['blocked7@example.com'],
  rating: ['1', '5'],
  template: ['order_paid', 'stock_alert'],
  event_type: ['order.refunded', 'order.created'],
  actor_id: ['7', '8', '9'],
  action: ['coupon.create', 'order.create', 'coupon.delete'],
  api_key_id: ['7', '8', '9'],
  operation: ['orders.get', 'orders.list', 'coupons.get'],
  level: ['7', '0', '5'],
  kind: ['debugger', 'tampered', 'none'],
  provider: ['stripe', 'test', 'paypal'],
  rma: ['RMA-7'],
  category_id: ['1'],
  group_id: ['1'],
  record_type: ['license_key'],
  record_id: ['1'],
  key: ['NONE-NONE-NONE-NONE'],
  search: ['rare', 'example.com', 'game', 'nobodyhere', '4711', 'backup server'],
}
const CALL_STATUS = { 'account.list_calls': ['200', '422', '500'] }
const PERIODS = [
  ['created_from', 'created_to'],
  ['paid_from', 'paid_to'],
  ['created_after', 'created_before'],
]
const PAGING = [
  'limit',
  'offset',
  'cursor',
  'Range',
  'reveal',
  'compare',
  'interval',
  'from',
  'to',
  'include',
]
/** Operations whose answer is as long as the table, or that need a file or the seal of a record. */
const EXCLUDED =
  /content|export|client\.|\.download|mail_templates|list_delivery_keys|orders\.list_deliveries|get_delivery|bundles|dynamic|zone|location|categories.get|billing.get|groups.get|license_policies|serverside_(strings|files)\.get|remote_settings\.(get|list_versions)/

/** Returns the paths of the calls of an OpenAPI document, for a store whose records have these ids. */
export function callsOf(document, store) {
  return Object.entries(document.paths).flatMap(([template, { get: operation }]) => {
    if (!operation || EXCLUDED.test(operation.operationId)) return []
    const parameters = operation.parameters ?? []
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => idFor(template, name, store))
    const queries = parameters
      .filter((item) => item.in === 'query' && !PAGING.includes(item.name))
      .flatMap((item) => valuesOf(item, operation, store).map((value) => [item.name, value]))
    const names = new Set(parameters.map(({ name }) => name))
    const periods = PERIODS.filter(([from]) => names.has(from)).map(periodQuery)
    const filters = queries.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return ['', ...filters, ...periods].map((query) => ({
      name: `${template}${query && `?${query.replace(/_(from|after)=.*/, ' in ten days')}`}`,
      path: query ? `${path}?${query}` : path,
    }))
  })
}

function valuesOf({ name, schema }, { operationId }, store) {
  const { order, product, webhook, event, customer, key, partner } = store.ids
  const own = {
    order_id: [order],
    object_id: [order],
    product_id: [product, store.ids.rareProduct],
    webhook_id: [webhook, store.ids.rareWebhook],
    event_id: [event],
    customer_id: [customer],
    key_id: [key],
    app_id: [String(store.app)],
    partner_id: [partner],
    request_id: [store.ids.request],
  }
  if (name === 'status' && CALL_STATUS[operationId]) return CALL_STATUS[operationId]
  const { enum: values, type, items } = schema
  if (values ?? items?.enum) return values ?? items.enum
  return own[name] ?? VALUES[name] ?? (type === 'boolean' ? ['true', 'false'] : [])
}

const DAY_MS = 86_400_000
const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString()
const periodQuery = ([from, to]) => `${from}=${daysAgo(20)}&${to}=${daysAgo(10)}`

/** Returns the value of a path parameter. */
function idFor(template, name, { ids, app }) {
  if (name === 'variant_id') return ids.variant
  const area = template.split('/')[1]
  const byArea = {
    orders: ids.order,
    products: ids.product,
    webhooks: ids.webhook,
    affiliates: template.includes('payouts') ? ids.record : ids.partner,
    customers: ids.customer,
    apps: app,
  }
  return byArea[area] ?? ids.record
}

const day = (days) => daysAgo(days).slice(0, 10)
/** The lists and figures that only the dashboard has. */
export const dashboardCalls = ({ ids }) =>
  [
    '/counts',
    '/calls-of-minute',
    '/webhook-health',
    '/webhook-hours',
    `/object-deliveries?object_id=${ids.order}`,
    '/client-sessions',
    '/client-sessions?status=active',
    `/license-keys/${ids.record}`,
    `/order-conversions/${ids.order}`,
    '/partner-totals',
    `/product-paces?product_ids=${ids.product}`,
    '/stock-runways',
    '/sales-parts',
    `/sales-parts?from=${day(359)}`,
    '/refunds-report',
    `/refunds-report?from=${day(359)}`,
    '/sales-hours',
    '/blocklist-matches?email=rare@example.com',
    '/disputes',
    '/stock-keys?value=NONE-NONE',
    `/stock-imports?product_id=${ids.product}&variant_id=${ids.variant}`,
    '/system',
    '/team',
  ].map((path) => ({
    name: `dashboard ${path
      .replace(/\d{4}-\d\d-\d\d/, 'a year ago')
      .replaceAll(ids.order, '{order}')
      .replaceAll(String(ids.record), '{id}')
      .replaceAll(ids.product, '{product}')
      .replaceAll(String(ids.variant), '{variant}')}`,
    path,
  }))

/** The figures of a longer time than the default. */
export const yearCalls = () =>
  [
    ['a year by month', `/analytics/sales?from=${day(359)}&interval=month`],
    ['a year by month, compared', `/analytics/sales?from=${day(359)}&interval=month&compare=true`],
    ['half a year', `/analytics/sales?from=${day(179)}`],
  ].map(([title, path]) => ({ name: `/analytics/sales, ${title}`, path }))
