import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import { startDispatcher } from '../../src/features/webhooks/index.ts'
import { coupon, keysNamed, order, orderOf, product, zone } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { createSeller, type Seller } from './seller.ts'
import { findTraces } from './traces.ts'

// The erasure of a customer (decision 140), verified by a search through the whole database.

const EMAIL = 'zelda.quux@example.com'
const NAME = 'Zelda Quuxington'
const STREET = 'Xylophone Alley 77'
const PHONE = '+49 170 9998877'
const IP = '203.0.113.77'
const TRACES = [EMAIL, 'quuxington', STREET, PHONE, IP, 'zelda']

let tradepost: Tradepost
let receiver: Receiver
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  receiver = await openReceiver()
  // The receiver answers with the body of the request, so that answers contain personal data, too.
  receiver.answer((response, { body }) => response.end(body))
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
  await tradepost.post('/webhooks', { url: receiver.url, events: ['*'] })
})
afterAll(async () => {
  await tradepost.close()
  await receiver.close()
})

const PERSON = { email: 'Zelda.Quux@Example.com', name: NAME, country: 'DE' }
const ADDRESS = { name: NAME, line1: STREET, city: 'Bonn', country: 'DE', phone: PHONE }
const post = async (path: string, body?: Json, headers: Record<string, string> = {}) => {
  const { status, json } = await tradepost.post(path, body, { headers })
  expect(status, JSON.stringify(json)).toBeLessThan(300)
  return json
}

/** Creates every kind of data that a customer can leave in a store. */
async function createCustomerData() {
  const { rates } = await zone(tradepost)
  const mug = await product(tradepost, { name: 'Mug', type: 'physical' })
  await tradepost.patch(`/products/${mug.id}/variants/${mug.variantId}/stock`, { quantity: 5 })
  const personal = {
    customer: PERSON,
    ip: IP,
    user_agent: `Browser of ${NAME}`,
    custom_fields: { nickname: NAME },
    metadata: { crm: EMAIL },
  }
  const shippedOrder = (
    await post(
      '/orders',
      orderOf(mug.id, { ...personal, shipping_address: ADDRESS, shipping_rate_id: rates[0].id }),
      { 'idempotency-key': 'shipped-1' },
    )
  ).order
  await tradepost.patch(`/orders/${shippedOrder.id}`, { note: `${NAME} rang.` })
  const proof = {
    reference: NAME,
    note: NAME,
    proof_text: `Paid by ${EMAIL}`,
    proof_url: `https://bank.test/${EMAIL}`,
  }
  await post(`/orders/${shippedOrder.id}/manual-payments`, proof, {
    'idempotency-key': `pays-${EMAIL}`,
  })
  await post(`/orders/${shippedOrder.id}/fulfillments`, {
    items: [{ order_item_id: shippedOrder.items[0].id, quantity: 1 }],
    tracking_number: 'ZELDA-1',
    tracking_url: 'https://carrier.test/zelda',
    notify_customer: true,
  })

  const keyProduct = await product(
    tradepost,
    { name: 'Keyed' },
    { keys: keysNamed('ERASED-KEY', 2) },
  )
  const keyOrder = await order(tradepost, keyProduct.id, { ...personal, mark_paid: true })
  await post(`/orders/${keyOrder.id}/deliveries/resend`)
  await post(`/orders/${keyOrder.id}/refund`, { amount_cents: 100, note: NAME, to_balance: true })

  const service = await product(tradepost, { name: 'Portrait', type: 'service' })
  const serviceOrder = await order(tradepost, service.id, { ...personal, mark_paid: true })
  const text = `For ${NAME}, ${STREET}`
  await post(`/orders/${serviceOrder.id}/deliveries`, {
    order_item_id: serviceOrder.items[0].id,
    text,
  })

  const cancelledOrder = await order(tradepost, service.id, personal)
  await post(`/orders/${cancelledOrder.id}/cancel`, { reason: `${NAME} asked.` })

  await post(`/products/${(await product(tradepost)).id}/stock-alerts`, { email: EMAIL })
  await coupon(tradepost, { code: 'FORZELDAONLY'.replace('ZELDA', ''), allowed_emails: [EMAIL] })
  const supportRecords = await createSupportRecords({ keyOrder, mugOrder: shippedOrder })
  const license = await useLicense(personal)
  await addCustomerRecords(keyOrder.customer.id)
  return {
    customerId: keyOrder.customer.id as number,
    shippedOrder,
    keyOrder,
    serviceOrder,
    license,
    supportRecords,
  }
}

/** Creates a review, a question, a ticket and a return, each with data of the person. */
async function createSupportRecords({ keyOrder, mugOrder }: Record<'keyOrder' | 'mugOrder', Json>) {
  const product_id = keyOrder.items[0].product_id
  const newReview = { order_id: keyOrder.id, product_id, rating: 4, message: `${NAME} likes it.` }
  const { review } = await post('/reviews', newReview, { 'idempotency-key': 'review-1' })
  await tradepost.put(`/reviews/${review.id}/reply`, { reply: `Thanks, ${NAME}!` })
  const body = { product_id, customer_email: EMAIL, customer_name: NAME, body: `${STREET}?` }
  const { question } = await post('/questions', body, { 'idempotency-key': 'question-1' })
  await post(`/questions/${question.id}/answers`, { body: `Yes, ${NAME}.` })
  const subject = `${NAME} needs help`
  const message = { email: EMAIL, subject, message: `Call ${PHONE}.` }
  const { ticket } = await post('/tickets', message, { 'idempotency-key': 'ticket-1' })
  await post(`/tickets/${ticket.id}/messages`, { body: `Dear ${NAME}` })
  const items = [{ order_item_id: mugOrder.items[0].id, quantity: 1, note: `${NAME} sends it.` }]
  const returnCreated = await post('/returns', {
    order_id: mugOrder.id,
    items,
    tracking_number: 'ZELDA-2',
  })
  await post(`/returns/${returnCreated.return.id}/reject`, { note: `Sorry, ${NAME}.` })
  return { review, question, ticket }
}

/**
 * Adds notes about the person to the customer record, and merges a second customer record into it.
 */
async function addCustomerRecords(id: number) {
  const note = `${NAME} rang.`
  await tradepost.patch(`/customers/${id}`, { note, tags: [NAME], metadata: { crm: EMAIL } })
  const credit = { amount_cents: 100, reason: `A gift for ${NAME}.` }
  await post(`/customers/${id}/balance`, credit, { 'idempotency-key': 'gift-1' })
  const former = { email: `old.${EMAIL}`, name: `Old ${NAME}`, note: NAME }
  const { customer } = await post('/customers', former, { 'idempotency-key': 'former-1' })
  await post(`/customers/${customer.id}/balance`, { amount_cents: 5, reason: NAME })
  await post(`/customers/${customer.id}/merge`, { into: id })
  await post(`/customers/${id}/block`, { note, block_ips: true })
  await post(`/customers/${id}/unblock`, { block_ips: true })
}

/** Buys a license, and starts a session that reports a debugger. */
async function useLicense(personal: Json) {
  const { id, variantId } = await product(tradepost, { type: 'license' })
  await expectSuccess(
    seller.put(`/license-policies/${variantId}`, { app_id: program.appId, max_devices: 1 }),
  )
  const { deliveries } = await order(tradepost, id, { ...personal, mark_paid: true })
  const key = deliveries[0].keys[0]
  const device = { ...newMachine(), name: `${NAME}'s laptop` }
  const { session } = await program.start({ license_key: key, device })
  const body = { kind: 'debugger', detail: `Seen at ${EMAIL}` }
  await program.call('POST', '/reports', { token: session.token, body })
  return { key, device }
}

/** Sends the pending webhook deliveries, so that the answers of the receiver are recorded, too. */
async function deliverWebhooks(): Promise<void> {
  const dispatcher = startDispatcher(tradepost.app)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_fanout`.execute(tradepost.db)
  await receiver.until(receiver.received.length + (rows[0]?.count ?? 0))
  await dispatcher.stop()
}

/** Returns the data that an erasure must not change. */
const selectKeptData = async (): Promise<Json> => {
  const { rows } = await sql<Json>`
    select (select jsonb_agg(jsonb_build_array(id, status, total_cents, paid_cents, refunded_cents,
                             customer_country) order by id) from "order") as orders,
           (select jsonb_agg(jsonb_build_array(id, balance_cents, orders_count, total_spent_cents)
                             order by id) from customer) as customers,
           (select jsonb_agg(to_jsonb(s) order by variant_id) from stock s) as stock,
           (select jsonb_agg(jsonb_build_array(id, status) order by id) from stock_key) as keys,
           (select jsonb_agg(jsonb_build_array(id, amount_cents) order by id) from payment) as payments,
           (select jsonb_agg(jsonb_build_array(no, type, object_id) order by no) from event) as events`.execute(
    tradepost.db,
  )
  return rows[0]
}

describe('after POST /customers/{id}/erase,', () => {
  let customerData: Awaited<ReturnType<typeof createCustomerData>>
  let before: Json
  let erasure: Json

  beforeAll(async () => {
    customerData = await createCustomerData()
    const bob = { customer: { email: 'bob@example.com', name: 'Bob Stays' } }
    const { id } = await product(tradepost, { type: 'service' })
    await order(tradepost, id, { ...bob, mark_paid: true })
    await deliverWebhooks()
    // The webhooks of this order are still pending.
    await order(tradepost, id, { customer: PERSON })
    expect((await findTraces(tradepost, TRACES)).length).toBeGreaterThan(10)
    before = await selectKeptData()
    await tradepost.events()
    erasure = await tradepost.post(`/customers/${customerData.customerId}/erase`, undefined, {
      headers: { 'idempotency-key': 'erase-1' },
    })
  })

  test('the answer has the id and the time of the erasure, and no event is recorded (decision 140)', async () => {
    const { customerId: id } = customerData
    expect([erasure.status, erasure.json]).toEqual([
      200,
      {
        success: true,
        id,
        erased_at: expect.stringMatching(/^\d{4}-.*Z$/),
        cancelled_subscriptions: 0,
      },
    ])
    expect(await tradepost.events()).toEqual([])
  })

  test('the database contains no data of the person, in plain text or sealed (decision 140)', async () => {
    expect(await findTraces(tradepost, TRACES)).toEqual([])
    expect((await tradepost.get('/orders?search=zelda')).json.orders).toEqual([])
    expect((await tradepost.get(`/orders?email=${EMAIL}`)).json.orders).toEqual([])
  })

  test('other customers are unchanged (decision 140)', async () => {
    const { orders } = (await tradepost.get('/orders?email=bob@example.com')).json
    expect(orders).toMatchObject([{ customer: { email: 'bob@example.com', name: 'Bob Stays' } }])
    expect(
      (await tradepost.payloads('order.created')).map((item) => item.data.object.customer.email),
    ).toContain('bob@example.com')
  })

  test('orders, payments, balances, stock, stock keys and events are unchanged, and no invariant is broken (decision 140)', async () => {
    expect(await selectKeptData()).toEqual(before)
    const { findings } = await diagnose(tradepost.app)
    expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
    const { json } = await tradepost.get(`/orders/${customerData.shippedOrder.id}`)
    expect(json.order).toMatchObject({
      total_cents: customerData.shippedOrder.total_cents,
      customer: {
        id: customerData.customerId,
        email: `erased-${customerData.customerId}@erased.invalid`,
        name: null,
      },
      shipping_address: null,
    })
    const erasedOrder = (await tradepost.get(`/orders/${customerData.serviceOrder.id}`)).json.order
    expect(erasedOrder.deliveries).toMatchObject([
      { status: 'delivered', text: 'Erased with the customer.' },
    ])
  })

  test('the review has its rating, the question is hidden, and the texts of the ticket are replaced (decision 140)', async () => {
    const { review, question, ticket } = customerData.supportRecords
    const email = `erased-${customerData.customerId}@erased.invalid`
    const read = async (path: string) => (await tradepost.get(path)).json
    expect((await read(`/reviews/${review.id}`)).review).toMatchObject({
      rating: 4,
      message: null,
      reply: null,
      customer_email: email,
    })
    expect((await read(`/questions/${question.id}`)).question).toMatchObject({
      status: 'hidden',
      customer_email: email,
      customer_name: null,
      body: 'Erased with the customer.',
      answers: [{ body: 'Erased with the customer.' }],
    })
    expect((await read(`/tickets/${ticket.id}`)).ticket).toMatchObject({
      subject: 'Erased with the customer.',
      message_count: 2,
      messages: [{ body: 'Erased with the customer.' }, { body: 'Erased with the customer.' }],
    })
    expect((await read(`/tickets?email=${EMAIL}`)).tickets).toEqual([])
  })

  test('the address that replaces that of the customer is refused in orders', async () => {
    const email = `Erased-${customerData.customerId}@erased.invalid`
    const { product } = (
      await tradepost.post('/products', { name: 'Later', type: 'service', price_cents: 1 })
    ).json
    const items = [{ product_id: product.id, quantity: 1 }]
    const created = await tradepost.post('/orders', { items, customer: { email } })
    expect([created.status, created.json.details.field]).toEqual([422, 'customer.email'])
    const { order } = (
      await tradepost.post('/orders', { items, customer: { email: 'later@example.com' } })
    ).json
    const change = await tradepost.patch(`/orders/${order.id}`, { customer_email: email })
    expect([change.status, change.json.details.field]).toEqual([422, 'customer_email'])
  })

  test('the license of the customer is still valid on its device (decision 140)', async () => {
    const { key, device } = customerData.license
    expect((await program.start({ license_key: key, device })).session.token).toBeTruthy()
  })

  test('pending webhooks are sent without data of the person (decision 140)', async () => {
    const firstIndex = receiver.received.length
    await deliverWebhooks()
    const sentBodies = receiver.received.slice(firstIndex).map(({ body }) => body.toLowerCase())
    expect(sentBodies.length).toBeGreaterThan(0)
    for (const body of sentBodies)
      for (const trace of TRACES) expect(body).not.toContain(trace.toLowerCase())
  })

  test('a call with the idempotency key of an erased order is refused, and creates no order (decision 140)', async () => {
    const countOrders = async () => (await tradepost.get('/orders?limit=1')).json.pagination.total
    const countBefore = await countOrders()
    const body = orderOf('x')
    const { rows } = await sql<{ status: number }>`
      select status from idempotent_answer where key = 'shipped-1'`.execute(tradepost.db)
    expect(rows).toEqual([{ status: 201 }])
    const repeat = await tradepost.post('/orders', body, {
      headers: { 'idempotency-key': 'shipped-1' },
    })
    expect([repeat.status, repeat.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await countOrders()).toBe(countBefore)
  })

  test('a second erasure has the same answer (decision 140)', async () => {
    tradepost.forward(60_000)
    const secondAnswer = await tradepost.post(`/customers/${customerData.customerId}/erase`)
    expect([secondAnswer.status, secondAnswer.json]).toEqual([200, erasure.json])
  })

  test('deliveries cannot be resent to the erased customer, and the refusal gives the reason (decision 140)', async () => {
    const { status, json } = await tradepost.post(
      `/orders/${customerData.keyOrder.id}/deliveries/resend`,
    )
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(json.error).toContain('was erased')
  })

  test('a coupon that only the person could use is refused for others (decision 140)', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const body = orderOf(id, { coupon_code: 'FORONLY', customer: { email: 'eve@example.com' } })
    const { json } = await tradepost.post('/orders', body)
    expect([json.code, json.details.reason]).toEqual(['COUPON_INVALID', 'email_not_allowed'])
  })

  test('an order with the former address creates a new customer (decision 140)', async () => {
    await tradepost.events()
    const { id } = await product(tradepost, { type: 'service' })
    const { customer } = await order(tradepost, id, { customer: PERSON })
    expect(customer.id).not.toBe(customerData.customerId)
    expect(await tradepost.events()).toContain('customer.created')
  })
})
