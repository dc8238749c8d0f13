import { order, product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './ask.ts'
import { aProduct } from './catalogue-walks.ts'

// Walks of reviews, questions, tickets and returns.

async function made(
  tradepost: Tradepost,
  path: string,
  body: Json,
  options: CallOptions,
): Promise<Json> {
  const { status, json } = await tradepost.post(path, body, options)
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(json)}`)
  return json
}

/** A completed order that has no review. */
async function aSale(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const free = { price_cents: 0, type: 'license' }
  const { id } = await product(tradepost, free, options)
  return order(tradepost, id, {}, options)
}

const reviewOf = ({ id, items }: Json): Json => ({
  order_id: id,
  product_id: items[0].product_id,
  rating: 4,
  message: 'Does what it says.',
})

/** A review with a reply that every filter of the list matches. */
export async function aReview(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const sale = await aSale(tradepost, options)
  const { review } = await made(tradepost, '/reviews', reviewOf(sale), options)
  await tradepost.put(`/reviews/${review.id}/reply`, { reply: 'Thank you!' }, options)
  return review
}

export async function aQuestion(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await aProduct(tradepost, options)
  const body = { product_id: id, customer_email: 'ada@example.com', body: 'Does it read RAW?' }
  return (await made(tradepost, '/questions', body, options)).question
}

const TICKET = { email: 'ada@example.com', subject: 'Help', message: 'It does not start.' }

export async function aTicket(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await aSale(tradepost, options)
  return (await made(tradepost, '/tickets', { ...TICKET, order_id: id }, options)).ticket
}

/** A paid order of two mugs with counted stock. */
async function mugs(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id, variantId } = await product(tradepost, { name: 'Mug', type: 'physical' }, options)
  await tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 2 }, options)
  const items = [{ product_id: id, quantity: 2 }]
  return order(tradepost, id, { items, mark_paid: true }, options)
}

const returnOf = ({ id, items }: Json): Json => ({
  order_id: id,
  items: [{ order_item_id: items[0].id, quantity: 1, reason: 'too_small' }],
})

export async function aReturn(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const body = returnOf(await mugs(tradepost, options))
  return (await made(tradepost, '/returns', body, options)).return
}

/** A return after these steps. */
const returned =
  (steps: readonly string[], body?: Json): Prepare =>
  async (tradepost, options) => {
    const { id, items } = await aReturn(tradepost, options)
    for (const step of steps) await made(tradepost, `/returns/${id}/${step}`, {}, options)
    const [{ order_item_id }] = items
    const receipt = { items: [{ order_item_id, received_quantity: 1, damaged_quantity: 0 }] }
    return { params: { id }, body: body ?? receipt }
  }

const on =
  (prepare: (tradepost: Tradepost, options: CallOptions) => Promise<Json>, body?: Json): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await prepare(tradepost, options)).id },
    ...(body && { body }),
  })

export const supportWalks: Record<string, Prepare> = {
  'reviews.list': async (tradepost, options) => {
    const { product } = await aReview(tradepost, options)
    return { query: { product_id: product.id } }
  },
  'reviews.create': async (tradepost, options) => ({
    body: reviewOf(await aSale(tradepost, options)),
  }),
  'reviews.get': on(aReview),
  'reviews.update': on(aReview, { status: 'hidden' }),
  'reviews.report': on(aReview, { reason: 'It insults our staff.' }),
  'reviews.put_reply': on(aReview, { reply: 'Thanks!' }),
  'reviews.delete_reply': on(aReview),
  'questions.list': async (tradepost, options) => {
    const { product } = await aQuestion(tradepost, options)
    return { query: { product_id: product.id } }
  },
  'questions.create': async (tradepost, options) => ({
    body: {
      product_id: (await aProduct(tradepost, options)).id,
      customer_email: 'ada@example.com',
      customer_name: 'Ada',
      body: 'Does it read RAW?',
    },
  }),
  'questions.get': on(aQuestion),
  'questions.answer': on(aQuestion, { body: 'It does.' }),
  'questions.update': on(aQuestion, { status: 'hidden' }),
  'questions.delete': on(aQuestion),
  'tickets.list': async (tradepost, options) => {
    const { order_id } = await aTicket(tradepost, options)
    return { query: { order_id } }
  },
  'tickets.create': async (tradepost, options) => ({
    body: { ...TICKET, order_id: (await aSale(tradepost, options)).id },
  }),
  'tickets.get': on(aTicket),
  'tickets.post_message': on(aTicket, { body: 'Please try it again.' }),
  'tickets.close': on(aTicket),
  'tickets.reopen': async (tradepost, options) => {
    const { id } = await aTicket(tradepost, options)
    await made(tradepost, `/tickets/${id}/close`, undefined, options)
    return { params: { id } }
  },
  'returns.list': async (tradepost, options) => {
    const { order_id } = await aReturn(tradepost, options)
    return { query: { order_id } }
  },
  'returns.create': async (tradepost, options) => ({
    body: returnOf(await mugs(tradepost, options)),
  }),
  'returns.get': on(aReturn),
  'returns.approve': returned([], { carrier_code: 'dhl' }),
  'returns.reject': returned([], { note: 'The seal is broken.' }),
  'returns.receive': returned(['approve']),
  'returns.refund': returned(['approve', 'receive'], {}),
  'returns.cancel': on(aReturn),
}
