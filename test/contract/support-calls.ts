import { order, product } from '../build.ts'
import { type CallOptions, expectSuccess, type Json, type Tradepost } from '../harness.ts'
import type { Prepare } from './call-input.ts'
import { createServiceProduct } from './catalogue-calls.ts'

// Prepared calls of reviews, questions, tickets and returns.

/** Creates a completed order without a review. */
async function createCompletedOrder(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const freeLicense = { price_cents: 0, type: 'license' }
  const { id } = await product(tradepost, freeLicense, options)
  return order(tradepost, id, {}, options)
}

const reviewOf = ({ id, items }: Json): Json => ({
  order_id: id,
  product_id: items[0].product_id,
  rating: 4,
  message: 'Does what it says.',
})

/** Creates a review with a reply, which matches every filter of the list. */
export async function createReview(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const completedOrder = await createCompletedOrder(tradepost, options)
  const { review } = await expectSuccess(
    tradepost.post('/reviews', reviewOf(completedOrder), options),
  )
  await tradepost.put(`/reviews/${review.id}/reply`, { reply: 'Thank you!' }, options)
  return review
}

export async function createQuestion(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await createServiceProduct(tradepost, options)
  const body = { product_id: id, customer_email: 'ada@example.com', body: 'Does it read RAW?' }
  return (await expectSuccess(tradepost.post('/questions', body, options))).question
}

const TICKET = { email: 'ada@example.com', subject: 'Help', message: 'It does not start.' }

export async function createTicket(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await createCompletedOrder(tradepost, options)
  return (await expectSuccess(tradepost.post('/tickets', { ...TICKET, order_id: id }, options)))
    .ticket
}

/** Creates a paid order of two mugs with counted stock. */
async function createOrderOfTwoMugs(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id, variantId } = await product(tradepost, { name: 'Mug', type: 'physical' }, options)
  await tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 2 }, options)
  const items = [{ product_id: id, quantity: 2 }]
  return order(tradepost, id, { items, mark_paid: true }, options)
}

const returnOf = ({ id, items }: Json): Json => ({
  order_id: id,
  items: [{ order_item_id: items[0].id, quantity: 1, reason: 'too_small' }],
})

export async function createReturn(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const body = returnOf(await createOrderOfTwoMugs(tradepost, options))
  return (await expectSuccess(tradepost.post('/returns', body, options))).return
}

/** Prepares the call of a return that went through these steps. */
const afterSteps =
  (steps: readonly string[], body?: Json): Prepare =>
  async (tradepost, options) => {
    const { id, items } = await createReturn(tradepost, options)
    for (const step of steps)
      await expectSuccess(tradepost.post(`/returns/${id}/${step}`, {}, options))
    const [{ order_item_id }] = items
    const receipt = { items: [{ order_item_id, received_quantity: 1, damaged_quantity: 0 }] }
    return { params: { id }, body: body ?? receipt }
  }

const withId =
  (prepare: (tradepost: Tradepost, options: CallOptions) => Promise<Json>, body?: Json): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await prepare(tradepost, options)).id },
    ...(body && { body }),
  })

export const supportCalls: Record<string, Prepare> = {
  'reviews.list': async (tradepost, options) => {
    const { product } = await createReview(tradepost, options)
    return { query: { product_id: product.id } }
  },
  'reviews.create': async (tradepost, options) => ({
    body: reviewOf(await createCompletedOrder(tradepost, options)),
  }),
  'reviews.get': withId(createReview),
  'reviews.update': withId(createReview, { status: 'hidden' }),
  'reviews.report': withId(createReview, { reason: 'It insults our staff.' }),
  'reviews.put_reply': withId(createReview, { reply: 'Thanks!' }),
  'reviews.delete_reply': withId(createReview),
  'questions.list': async (tradepost, options) => {
    const { product } = await createQuestion(tradepost, options)
    return { query: { product_id: product.id } }
  },
  'questions.create': async (tradepost, options) => ({
    body: {
      product_id: (await createServiceProduct(tradepost, options)).id,
      customer_email: 'ada@example.com',
      customer_name: 'Ada',
      body: 'Does it read RAW?',
    },
  }),
  'questions.get': withId(createQuestion),
  'questions.answer': withId(createQuestion, { body: 'It does.' }),
  'questions.update': withId(createQuestion, { status: 'hidden' }),
  'questions.delete': withId(createQuestion),
  'tickets.list': async (tradepost, options) => {
    const { order_id } = await createTicket(tradepost, options)
    return { query: { order_id } }
  },
  'tickets.create': async (tradepost, options) => ({
    body: { ...TICKET, order_id: (await createCompletedOrder(tradepost, options)).id },
  }),
  'tickets.get': withId(createTicket),
  'tickets.post_message': withId(createTicket, { body: 'Please try it again.' }),
  'tickets.close': withId(createTicket),
  'tickets.reopen': async (tradepost, options) => {
    const { id } = await createTicket(tradepost, options)
    await expectSuccess(tradepost.post(`/tickets/${id}/close`, undefined, options))
    return { params: { id } }
  },
  'returns.list': async (tradepost, options) => {
    const { order_id } = await createReturn(tradepost, options)
    return { query: { order_id } }
  },
  'returns.create': async (tradepost, options) => ({
    body: returnOf(await createOrderOfTwoMugs(tradepost, options)),
  }),
  'returns.get': withId(createReturn),
  'returns.approve': afterSteps([], { carrier_code: 'dhl' }),
  'returns.reject': afterSteps([], { note: 'The seal is broken.' }),
  'returns.receive': afterSteps(['approve']),
  'returns.refund': afterSteps(['approve', 'receive'], {}),
  'returns.cancel': withId(createReturn),
}
