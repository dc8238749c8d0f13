import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SealedRow } from '../../src/db/sealed-column.ts'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import { customerCommands } from '../../src/features/store/personal-data/index.ts'
import { startDispatcher } from '../../src/features/webhooks/index.ts'
import { coupon, keysNamed, order, orderOf, product, zone } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'

/** Erasure of a customer (decision 140), verified by a search through the whole database. */

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
  // A receiver that echoes the request body.
  receiver.answer((response, { body }) => response.end(body))
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
  await tradepost.post('/webhooks', { url: receiver.url, events: ['*'] })
})
afterAll(async () => {
  await tradepost.close()
  await receiver.close()
})

/** The columns that contain these texts, in clear, as bytes or sealed. */
async function findTraces(texts: readonly string[]): Promise<string[]> {
  const needles = texts.map((text) => text.toLowerCase())
  const hexes = needles.map((text) => Buffer.from(text).toString('hex'))
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(tradepost.db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(tradepost.db)
    const texts = rows.map(({ row }) => row.toLowerCase())
    found.push(...texts.filter(hasOne([...needles, ...hexes])).map((text) => `${name} ${text}`))
  }
  for (const sealed of tradepost.app.sealedColumns.filter(
    (item) => item.table !== 'installation_secret',
  )) {
    const columns = [...sealed.key, ...(sealed.also ?? [])].map((column) => sql.ref(column))
    const { rows } = await sql<SealedRow>`
      select ${sql.join(columns)}, ${sql.ref(sealed.column)} as sealed
        from ${sql.table(sealed.table)} where ${sql.ref(sealed.column)} is not null`.execute(
      tradepost.db,
    )
    const opened = rows.map((row) =>
      tradepost.app.vault.open(sealed.context(row), row.sealed).toString().toLowerCase(),
    )
    found.push(...opened.filter(hasOne(needles)).map((text) => `${sealed.table} ${text}`))
  }
  return found
}

const hasOne = (needles: readonly string[]) => (text: string) =>
  needles.some((needle) => text.includes(needle))

const PERSON = { email: 'Zelda.Quux@Example.com', name: NAME, country: 'DE' }
const ADDRESS = { name: NAME, line1: STREET, city: 'Bonn', country: 'DE', phone: PHONE }
const post = async (path: string, body?: Json, headers: Record<string, string> = {}) => {
  const { status, json } = await tradepost.post(path, body, { headers })
  expect(status, JSON.stringify(json)).toBeLessThan(300)
  return json
}

/** Creates all data that a customer leaves in a store. */
async function live() {
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
  const shipped = (
    await post(
      '/orders',
      orderOf(mug.id, { ...personal, shipping_address: ADDRESS, shipping_rate_id: rates[0].id }),
      { 'idempotency-key': 'shipped-1' },
    )
  ).order
  await tradepost.patch(`/orders/${shipped.id}`, { note: `${NAME} rang.` })
  const proof = {
    reference: NAME,
    note: NAME,
    proof_text: `Paid by ${EMAIL}`,
    proof_url: `https://bank.test/${EMAIL}`,
  }
  await post(`/orders/${shipped.id}/manual-payments`, proof, { 'idempotency-key': `pays-${EMAIL}` })
  await post(`/orders/${shipped.id}/fulfillments`, {
    items: [{ order_item_id: shipped.items[0].id, quantity: 1 }],
    tracking_number: 'ZELDA-1',
    tracking_url: 'https://carrier.test/zelda',
    notify_customer: true,
  })

  const keyed = await product(tradepost, { name: 'Keyed' }, { keys: keysNamed('ERASED-KEY', 2) })
  const sold = await order(tradepost, keyed.id, { ...personal, mark_paid: true })
  await post(`/orders/${sold.id}/deliveries/resend`)
  await post(`/orders/${sold.id}/refund`, { amount_cents: 100, note: NAME, to_balance: true })

  const service = await product(tradepost, { name: 'Portrait', type: 'service' })
  const painted = await order(tradepost, service.id, { ...personal, mark_paid: true })
  const text = `For ${NAME}, ${STREET}`
  await post(`/orders/${painted.id}/deliveries`, { order_item_id: painted.items[0].id, text })

  const waits = await order(tradepost, service.id, personal)
  await post(`/orders/${waits.id}/cancel`, { reason: `${NAME} asked.` })

  await post(`/products/${(await product(tradepost)).id}/stock-alerts`, { email: EMAIL })
  await coupon(tradepost, { code: 'FORZELDAONLY'.replace('ZELDA', ''), allowed_emails: [EMAIL] })
  const voices = await speak({ keyed: sold, mug: shipped })
  const license = await licensed(personal)
  await leaveCustomerRecords(sold.customer.id)
  return { customerId: sold.customer.id as number, shipped, sold, painted, license, voices }
}

/** A review, a question, a ticket and a return, each with what names the person. */
async function speak({ keyed, mug }: Record<'keyed' | 'mug', Json>) {
  const product_id = keyed.items[0].product_id
  const written = { order_id: keyed.id, product_id, rating: 4, message: `${NAME} likes it.` }
  const { review } = await post('/reviews', written, { 'idempotency-key': 'review-1' })
  await tradepost.put(`/reviews/${review.id}/reply`, { reply: `Thanks, ${NAME}!` })
  const asked = { product_id, customer_email: EMAIL, customer_name: NAME, body: `${STREET}?` }
  const { question } = await post('/questions', asked, { 'idempotency-key': 'question-1' })
  await post(`/questions/${question.id}/answers`, { body: `Yes, ${NAME}.` })
  const subject = `${NAME} needs help`
  const message = { email: EMAIL, subject, message: `Call ${PHONE}.` }
  const { ticket } = await post('/tickets', message, { 'idempotency-key': 'ticket-1' })
  await post(`/tickets/${ticket.id}/messages`, { body: `Dear ${NAME}` })
  const items = [{ order_item_id: mug.items[0].id, quantity: 1, note: `${NAME} sends it.` }]
  const back = await post('/returns', { order_id: mug.id, items, tracking_number: 'ZELDA-2' })
  await post(`/returns/${back.return.id}/reject`, { note: `Sorry, ${NAME}.` })
  return { review, question, ticket }
}

/** The seller's notes about a person, and a second customer record that was merged into theirs. */
async function leaveCustomerRecords(id: number) {
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

async function licensed(personal: Json) {
  const { id, variantId } = await product(tradepost, { type: 'license' })
  await made(
    seller.put(`/license-policies/${variantId}`, { app_id: program.appId, max_devices: 1 }),
  )
  const { deliveries } = await order(tradepost, id, { ...personal, mark_paid: true })
  const key = deliveries[0].keys[0]
  const device = { ...machine(), name: `${NAME}'s laptop` }
  const { session } = await program.start({ license_key: key, device })
  const body = { kind: 'debugger', detail: `Seen at ${EMAIL}` }
  await program.call('POST', '/reports', { token: session.token, body })
  return { key, device }
}

/** Sends pending deliveries, so that the receivers' answers are recorded too. */
async function deliver(): Promise<void> {
  const dispatcher = startDispatcher(tradepost.app)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_fanout`.execute(tradepost.db)
  await receiver.until(receiver.received.length + (rows[0]?.count ?? 0), 30_000)
  await dispatcher.stop()
}

const books = async (): Promise<Json> => {
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

describe('after POST /customers/{id}/erase', () => {
  let left: Awaited<ReturnType<typeof live>>
  let before: Json
  let erased: Json

  beforeAll(async () => {
    left = await live()
    const bob = { customer: { email: 'bob@example.com', name: 'Bob Stays' } }
    const { id } = await product(tradepost, { type: 'service' })
    await order(tradepost, id, { ...bob, mark_paid: true })
    await deliver()
    // Later events have pending deliveries.
    await order(tradepost, id, { customer: PERSON })
    expect((await findTraces(TRACES)).length).toBeGreaterThan(10)
    before = await books()
    await tradepost.events()
    erased = await tradepost.post(`/customers/${left.customerId}/erase`, undefined, {
      headers: { 'idempotency-key': 'erase-1' },
    })
  })

  test('the answer has the actor and the time, and no event is sent (decision 140)', async () => {
    const { customerId: id } = left
    expect([erased.status, erased.json]).toEqual([
      200,
      { success: true, id, erased_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    expect(await tradepost.events()).toEqual([])
  })

  test('nothing in the whole database names the person, in clear or sealed (decision 140)', async () => {
    expect(await findTraces(TRACES)).toEqual([])
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

  test('orders, money, stock, keys and events stay whole, and doctor finds nothing (decision 140)', async () => {
    expect(await books()).toEqual(before)
    const { findings } = await diagnose(tradepost.app)
    expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
    const { json } = await tradepost.get(`/orders/${left.shipped.id}`)
    expect(json.order).toMatchObject({
      total_cents: left.shipped.total_cents,
      customer: {
        id: left.customerId,
        email: `erased-${left.customerId}@erased.invalid`,
        name: null,
      },
      shipping_address: null,
    })
    const painted = (await tradepost.get(`/orders/${left.painted.id}`)).json.order
    expect(painted.deliveries).toMatchObject([
      { status: 'delivered', text: 'Erased with the customer.' },
    ])
  })

  test('the rating stays, the question is hidden, and the ticket keeps its messages without their texts (decision 140)', async () => {
    const { review, question, ticket } = left.voices
    const email = `erased-${left.customerId}@erased.invalid`
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

  test('no order joins an erased customer (decision 249)', async () => {
    const email = `Erased-${left.customerId}@erased.invalid`
    const { product } = (
      await tradepost.post('/products', { name: 'Later', type: 'service', price_cents: 1 })
    ).json
    const items = [{ product_id: product.id, quantity: 1 }]
    const made = await tradepost.post('/orders', { items, customer: { email } })
    expect([made.status, made.json.details.field]).toEqual([422, 'customer.email'])
    const { order } = (
      await tradepost.post('/orders', { items, customer: { email: 'later@example.com' } })
    ).json
    const moved = await tradepost.patch(`/orders/${order.id}`, { customer_email: email })
    expect([moved.status, moved.json.details.field]).toEqual([422, 'customer_email'])
  })

  test('the license is still valid on its device (decision 140)', async () => {
    const { key, device } = left.license
    expect((await program.start({ license_key: key, device })).session.token).toBeTruthy()
  })

  test('pending webhooks are sent without the person (decision 140)', async () => {
    const from = receiver.received.length
    await deliver()
    const sent = receiver.received.slice(from).map(({ body }) => body.toLowerCase())
    expect(sent.length).toBeGreaterThan(0)
    for (const body of sent)
      for (const trace of TRACES) expect(body).not.toContain(trace.toLowerCase())
  })

  test('a repeated call with an old key creates no second order and has no personal data (decision 140)', async () => {
    const orders = async () => (await tradepost.get('/orders?limit=1')).json.pagination.total
    const count = await orders()
    const body = orderOf('x')
    const { rows } = await sql<{ status: number }>`
      select status from idempotent_answer where key = 'shipped-1'`.execute(tradepost.db)
    expect(rows).toEqual([{ status: 201 }])
    const again = await tradepost.post('/orders', body, {
      headers: { 'idempotency-key': 'shipped-1' },
    })
    expect([again.status, again.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await orders()).toBe(count)
  })

  test('a repeat changes nothing and answers the same (decision 140)', async () => {
    tradepost.forward(60_000)
    const again = await tradepost.post(`/customers/${left.customerId}/erase`)
    expect([again.status, again.json]).toEqual([200, erased.json])
  })

  test('no mail is sent to an erased customer, and the call gives the reason (decision 140)', async () => {
    const { status, json } = await tradepost.post(`/orders/${left.sold.id}/deliveries/resend`)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(json.error).toContain('was erased')
  })

  test('a coupon that only the person could use stays unusable for others (decision 140)', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const body = orderOf(id, { coupon_code: 'FORONLY', customer: { email: 'eve@example.com' } })
    const { json } = await tradepost.post('/orders', body)
    expect([json.code, json.details.reason]).toEqual(['COUPON_INVALID', 'email_not_allowed'])
  })

  test('an order with the same address makes a new customer (decision 140)', async () => {
    await tradepost.events()
    const { id } = await product(tradepost, { type: 'service' })
    const { customer } = await order(tradepost, id, { customer: PERSON })
    expect(customer.id).not.toBe(left.customerId)
    expect(await tradepost.events()).toContain('customer.created')
  })
})

test('a customer of another store is not found and not changed (decision 140)', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const { customer } = await order(tradepost, id, { customer: { email: 'mine@example.com' } })
  for (const as of [tradepost.other, tradepost.test]) {
    const { status, json } = await tradepost.post(`/customers/${customer.id}/erase`, undefined, {
      as,
    })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  }
  expect(await findTraces(['mine@example.com'])).not.toEqual([])
})

test('customers erase takes the address as it is typed, and names the store if no customer has it (decision 140)', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const { customer } = await order(tradepost, id, { customer: { email: 'cli@example.com' } })
  const [erase] = customerCommands
  const run = (email: string) => erase?.run(tradepost.app, { store: tradepost.live.id, email })
  expect(await run(' CLI@Example.com')).toEqual({
    id: customer.id,
    erased_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(await findTraces(['cli@example.com'])).toEqual([])
  await expect(run('cli@example.com')).rejects.toThrow(
    `${tradepost.live.id} has no customer cli@example.com`,
  )
})
