import { sql } from 'kysely'
import { coupon, order, product, zone } from '../build.ts'
import type { CallOptions, Tradepost } from '../harness.ts'
import { subscribe, subscriptionProduct } from '../subscribe.ts'
import { createWithdrawal } from './account-calls.ts'
import { createAffiliateRecords } from './affiliate-calls.ts'
import { createFile, createStockAlert, createVideo } from './catalogue-calls.ts'
import { createBlocklistEntry } from './customer-calls.ts'
import { createCallbackRows, createMethodRow } from './payment-calls.ts'
import { prepareParcel } from './selling-calls.ts'
import { createQuestion, createReturn, createReview, createTicket } from './support-calls.ts'

export type Kind = keyof typeof UNKNOWN_IDS
/** Ids that no record has, in each format that the ids of this kind have. */
export const UNKNOWN_IDS = {
  products: ['AAAAAAAAAAAA', 8_000_000_000_001],
  variants: [8_000_000_000_002],
  keys: [8_000_000_000_003],
  'key-imports': ['unknown_import'],
  orders: ['ord_0000000000000000000001'],
  items: [8_000_000_000_016],
  'manual-payments': [8_000_000_000_004],
  payments: [8_000_000_000_024],
  'payment-callbacks': [8_000_000_000_025],
  'payment-providers': ['unknown'],
  'payment-methods': [8_000_000_000_026],
  'api-keys': [8_000_000_000_027],
  calls: ['req_unknown'],
  customers: [8_000_000_000_005],
  blocklist: [8_000_000_000_019],
  categories: [8_000_000_000_006],
  media: [8_000_000_000_011],
  files: [8_000_000_000_012],
  'stock-alerts': [8_000_000_000_013],
  groups: [8_000_000_000_014],
  coupons: [8_000_000_000_015],
  rates: [8_000_000_000_007],
  zones: [8_000_000_000_009],
  locations: [8_000_000_000_010],
  fulfillments: [8_000_000_000_017],
  webhooks: ['we_0000000000000000000001'],
  events: ['evt_0000000000000000000001'],
  deliveries: [8_000_000_000_018],
  reviews: [8_000_000_000_019],
  questions: [8_000_000_000_020],
  tickets: [8_000_000_000_021],
  returns: [8_000_000_000_022],
  withdrawals: [8_000_000_000_023],
  'webhook-deliveries': [8_000_000_000_008],
  subscriptions: [8_000_000_000_019],
  'auto-renewals': [8_000_000_000_020],
  partners: ['par_0000000000000000000001'],
  links: ['unknown-link'],
  conversions: ['ord_0000000000000000000001'],
  payouts: [8_000_000_000_023],
} as const
/** The ids of one record of each kind, in the same formats. */
export type Records = Record<Kind, (string | number)[]>

/** Creates one record of every kind, on the side of `options`. */
export async function createRecords(tradepost: Tradepost, options: CallOptions): Promise<Records> {
  const { as = tradepost.live } = options
  const { json: newWebhook } = await tradepost.post(
    '/webhooks',
    { url: 'http://127.0.0.1:4199/theirs', events: ['*'] },
    options,
  )
  const keys = ['THEIRS-AAAA-0001', 'THEIRS-AAAA-0002']
  const game = await product(tradepost, {}, { keys, ...options })
  const imported = { keys: ['THEIRS-AAAA-0003'], import_id: 'theirs_import' }
  await tradepost.post(`/products/${game.id}/variants/${game.variantId}/keys`, imported, options)
  const unpaidOrder = await order(tradepost, game.id, {}, options)
  const paidOrder = await order(tradepost, game.id, { mark_paid: true }, options)
  const pendingPayment = await tradepost.post(
    `/orders/${unpaidOrder.id}/manual-payments`,
    { status: 'pending_review' },
    options,
  )
  const { json: stock } = await tradepost.get(
    `/products/${game.id}/variants/${game.variantId}/keys`,
    options,
  )
  const { json: deliveryLog } = await tradepost.get('/events/deliveries', options)
  const { rows: categories } = await sql<{ id: number }>`
    insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
    select id, 'Theirs', 'theirs', 'public', 0, now(), now() from store where hash = ${as.id}
    returning id`.execute(tradepost.db)
  const category_ids = categories.map(({ id }) => id)
  await tradepost.patch(`/products/${game.id}`, { category_ids }, options)
  const { json: newGroup } = await tradepost.post('/groups', { name: 'Theirs' }, options)
  const body = { product_ids: [game.id] }
  await tradepost.call('PUT', `/groups/${newGroup.group.id}/products`, { body, ...options })
  const newCoupon = await coupon(tradepost, {}, options)
  const newZone = await zone(tradepost, {}, options)
  const newLocation = await tradepost.post(
    '/shipping/locations',
    { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' },
    options,
  )
  const newSubscription = await subscribe(
    tradepost,
    await subscriptionProduct(tradepost, {}, {}, options),
    {},
    options,
  )
  const callback = await createCallbackRows(tradepost, options, unpaidOrder.id)
  const loggedCall = await createCallRow(tradepost, options)
  return {
    products: [game.id, game.product.product.legacy_id],
    variants: [game.variantId],
    keys: [stock.keys[0].id],
    'key-imports': [imported.import_id],
    orders: [unpaidOrder.id],
    items: [unpaidOrder.items[0].id],
    'manual-payments': [pendingPayment.json.payment.id],
    payments: [callback.payment_id],
    'payment-callbacks': [callback.callback_id],
    'payment-providers': ['theirs'],
    'payment-methods': [await createMethodRow(tradepost, options, unpaidOrder.customer.id)],
    'api-keys': [loggedCall.api_key_id],
    calls: [loggedCall.request_id],
    customers: [unpaidOrder.customer.id],
    blocklist: [(await createBlocklistEntry(tradepost, options)).id],
    categories: category_ids,
    media: [(await createVideo(tradepost, options)).media_id],
    files: [(await createFile(tradepost, options)).file_id],
    'stock-alerts': [(await createStockAlert(tradepost, options)).alert_id],
    groups: [newGroup.group.id],
    coupons: [newCoupon.id],
    rates: [newZone.rates[0].id],
    zones: [newZone.id],
    fulfillments: [(await prepareParcel(tradepost, options)).params.id],
    locations: [newLocation.json.location.id],
    webhooks: [newWebhook.webhook.id],
    events: [deliveryLog.deliveries[0].event.id],
    deliveries: [paidOrder.deliveries[0].id],
    reviews: [(await createReview(tradepost, options)).id],
    questions: [(await createQuestion(tradepost, options)).id],
    tickets: [(await createTicket(tradepost, options)).id],
    returns: [(await createReturn(tradepost, options)).id],
    withdrawals: [(await createWithdrawal(tradepost, options)).id],
    'webhook-deliveries': [deliveryLog.deliveries[0].id],
    subscriptions: [newSubscription.id],
    'auto-renewals': [newSubscription.id],
    ...(await createAffiliateRecords(tradepost, options)),
  }
}

/** Inserts a logged call, because the log is written in the background. */
async function createCallRow(
  tradepost: Tradepost,
  { as = tradepost.live }: CallOptions,
): Promise<{ request_id: string; api_key_id: number }> {
  const { rows } = await sql<{ request_id: string; api_key_id: number }>`
    insert into api_call (store_id, request_id, created_at, api_key_id, api, method, path, status, duration_ms,
                          address, details_enc)
    select s.id, 'req_theirs_' || s.id, now(), k.id, 'store', 'GET', '/v1/orders', 200, 1, '127.0.0.1', ''
      from store s
      join api_key k on s.id = any(k.store_ids)
     where s.hash = ${as.id}
     order by k.id
     limit 1
    returning request_id, api_key_id`.execute(tradepost.db)
  const [row] = rows
  if (!row) throw new Error(`The store ${as.id} has no API key of its own.`)
  return row
}
