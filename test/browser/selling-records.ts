import type { Json } from '../harness.ts'
import type { OpenedDashboard } from './dashboard-harness.ts'

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const MARA = { email: 'mara@example.com', name: 'Mara', country: 'DE' }

/** The ids of the records, by the names that addresses of pages use, such as `/orders/$order`. */
export type RecordIds = Record<string, string | number>

/** Creates a record of each kind that the pages for selling show, and returns their ids. */
export async function createSellingRecords(dashboard: OpenedDashboard): Promise<RecordIds> {
  const { ask } = dashboard
  const program = { enabled: true, hold_days: 0, min_payout_cents: 0, public_signup: true }
  await ask('PATCH', '/affiliates/program', program)
  const products = await createProducts(dashboard)
  const { partner } = await ask('POST', '/affiliates/partners', { email: 'ada@example.com' })
  await ask('POST', `/affiliates/partners/${partner.id}/links`, { code: 'ada' })
  const application = { email: 'bob@example.com', name: 'Bob' }
  const applicant = (await ask('POST', '/affiliates/applications', application)).partner
  const createOrder = async (id: string | number | undefined, fields: Json) => {
    const items = [{ product_id: id, quantity: 1 }]
    return (await ask('POST', '/orders', { items, customer: MARA, ...fields })).order as Json
  }
  const gameOrder = await createOrder(products.game, { mark_paid: true, affiliate_code: 'ada' })
  const mugOrder = await createOrder(products.mug, { mark_paid: true })
  await createOrder(products.club, { mark_paid: true })
  await ask('POST', '/account/test-clock', { advance: '1h' })
  const payoutRequest = {
    ...{ partner_id: partner.id, method: 'bank_transfer', destination: 'DE02 1203' },
  }
  const unpaidOrder = await createOrder(products.game, {})
  const { payout } = await ask('POST', '/affiliates/payouts', payoutRequest)
  const { ticket } = await ask('POST', '/tickets', {
    ...{ email: MARA.email, subject: 'Where is my parcel?', message: 'I ordered a week ago.' },
    order_id: mugOrder.id,
  })
  const { question } = await ask('POST', '/questions', {
    ...{ product_id: products.mug, customer_email: MARA.email, body: 'How big is it?' },
  })
  const { review } = await ask('POST', '/reviews', {
    ...{
      order_id: gameOrder.id,
      product_id: products.game,
      rating: 4,
      message: 'Good, but short.',
    },
  })
  await ask('PUT', `/reviews/${review.id}/reply`, { reply: 'We are sorry.' })
  const items = [{ order_item_id: mugOrder.items[0].id, quantity: 1, reason: 'wrong_item' }]
  const orderReturn = (await ask('POST', '/returns', { order_id: mugOrder.id, items })).return
  const [subscription] = (await ask('GET', '/subscriptions')).subscriptions
  const entry = { type: 'email', value: 'thief@example.com', reason: 'Stolen cards' }
  const { blocklist_entry } = await ask('POST', '/blocklist', entry)
  return {
    ...products,
    order: gameOrder.id,
    unpaid: unpaidOrder.id,
    customer: gameOrder.customer.id,
    ticket: ticket.id,
    question: question.id,
    review: review.id,
    return: orderReturn.id,
    subscription: subscription.id,
    partner: partner.id,
    applicant: applicant.id,
    payout: payout.id,
    entry: blocklist_entry.id,
  }
}

/** Creates products of several kinds, and the categories, groups and coupons that contain them. */
async function createProducts(dashboard: OpenedDashboard): Promise<RecordIds> {
  const { ask } = dashboard
  const create = (fields: Json) =>
    ask('POST', '/products', { price_cents: 2_000, status: 'active', ...fields })
  const game = await create({ name: 'Space Game', type: 'serial' })
  const [pool] = game.variants
  const keys = Array.from({ length: 12 }, (_, n) => `SPACE-${n}`)
  await ask('POST', `/products/${game.product.id}/variants/${pool.id}/keys`, { keys })
  const mug = await create({
    ...{ name: 'Enamel mug', type: 'physical', price_cents: 900 },
    variants: [
      { name: 'White', price_cents: 900, stock_mode: 'manual', stock_quantity: 40 },
      { name: 'Blue', price_cents: 900, stock_mode: 'manual', stock_quantity: 40 },
    ],
  })
  const mediaPath = `/products/${mug.product.id}/media`
  const picture = (await uploadPicture(dashboard, mediaPath)).media
  await uploadPicture(dashboard, mediaPath)
  await ask('POST', `/products/${mug.product.id}/stock-alerts`, { email: MARA.email })
  const club = await create({ name: 'Club', type: 'service', product_kind: 'subscription' })
  await ask('PUT', `/products/${club.product.id}/billing`, { billing_cycle: 'monthly' })
  const bundle = await create({ name: 'Starter set', type: 'service', product_kind: 'bundle' })
  const contents = [pool, mug.variants[0]].map(({ id }: Json) => ({ variant_id: id, quantity: 1 }))
  await ask('PUT', `/products/${bundle.product.id}/bundle`, { items: contents })
  const gameAndMug = { product_ids: [game.product.id, mug.product.id] }
  const { category } = await ask('POST', '/categories', { name: 'Kitchen' })
  await ask('PUT', `/categories/${category.id}/products`, gameAndMug)
  await ask('POST', '/categories', { name: 'Garden' })
  const { group } = await ask('POST', '/groups', { name: 'Presents' })
  await ask('PUT', `/groups/${group.id}/products`, gameAndMug)
  await ask('POST', '/groups', { name: 'Toys' })
  const coupon = { type: 'percentage', discount_percent: 10 }
  const spring = (await ask('POST', '/coupons', { code: 'SPRING', ...coupon, ...gameAndMug }))
    .coupon
  await ask('POST', '/coupons', { code: 'WINTER', ...coupon, active: false })
  return {
    game: game.product.id,
    pool: pool.id,
    mug: mug.product.id,
    white: mug.variants[0].id,
    picture: picture.id,
    club: club.product.id,
    set: bundle.product.id,
    category: category.id,
    group: group.id,
    coupon: spring.id,
  }
}

async function uploadPicture({ server, context }: OpenedDashboard, path: string): Promise<Json> {
  const url = `${server.origin}/dashboard/api/stores/${server.test.id}/v1${path}`
  const response = await context.request.post(url, {
    headers: { origin: server.origin },
    multipart: { file: { name: 'mug.png', mimeType: 'image/png', buffer: PNG } },
  })
  if (!response.ok()) throw new Error(await response.text())
  return (await response.json()) as Json
}
