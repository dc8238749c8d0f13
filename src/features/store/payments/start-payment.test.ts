import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { simulate } from '../../../../test/provider-payments.ts'
import { until } from '../../../../test/until.ts'
import { testProvider } from '../payment-providers/test-provider/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
})
afterAll(() => tradepost.close())

const asTest = () => ({ as: tradepost.test })

async function unpaidOrder(fields: Json = {}): Promise<Json> {
  const { id } = await product(tradepost, { type: 'service' }, asTest())
  return order(tradepost, id, fields, asTest())
}

const start = (id: string, body: Json = { method: 'test' }, headers = {}) =>
  tradepost.post(`/orders/${id}/payments`, body, { ...asTest(), headers })

describe('a payment at a provider', () => {
  test('is started with what is owed, and has the page on which the buyer pays', async () => {
    const unpaid = await unpaidOrder()
    const { status, json } = await start(unpaid.id, {
      method: 'test',
      return_url: 'https://shop.example.com/thanks',
    })
    expect(status).toBe(201)
    expect(json.payment).toMatchObject({
      object: 'payment',
      order_id: unpaid.id,
      kind: 'test',
      status: 'pending',
      amount_cents: unpaid.total_cents,
      currency: 'EUR',
      provider: 'test',
      external_id: `test_${json.payment.id}`,
      checkout_url: expect.stringMatching(/\/t\/[\w-]+\/pay\/[0-9A-Za-z]{32}$/),
      expires_at: unpaid.expires_at,
      failure: null,
      actor: { type: 'api_key', id: expect.any(String), name: expect.any(String) },
    })
    expect(json.order).toMatchObject({ status: 'pending', paid_cents: 0, payments: [json.payment] })
    expect((await tradepost.get(`/orders/${unpaid.id}/payments`, asTest())).json.payments).toEqual([
      json.payment,
    ])
  })

  test('is answered again with 200 while it is open', async () => {
    const { id } = await unpaidOrder()
    const first = await start(id)
    const again = await start(id)
    expect(again.status).toBe(200)
    expect(again.json.payment).toEqual(first.json.payment)
  })

  test('is one payment if ten calls start it at once', async () => {
    const { id } = await unpaidOrder()
    const answers = await Promise.all(Array.from({ length: 10 }, () => start(id)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 201])
    expect(new Set(answers.map(({ json }) => json.payment.checkout_url)).size).toBe(1)
  })

  test('is replaced if another amount is owed by now', async () => {
    const { id, total_cents } = await unpaidOrder()
    const first = await start(id)
    await tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 100 }, asTest())
    const second = await start(id)
    expect(second.status).toBe(201)
    expect(second.json.payment.amount_cents).toBe(total_cents - 100)
    const [ended, manual, open] = second.json.order.payments
    expect(ended).toMatchObject({ id: first.json.payment.id, status: 'cancelled' })
    expect(manual).toMatchObject({ kind: 'manual', status: 'approved' })
    expect(open).toMatchObject({ id: second.json.payment.id, status: 'pending' })
  })

  test('is replaced if the buyer is to return to another page', async () => {
    const { id } = await unpaidOrder()
    const bodyOf = (page: string) => ({
      method: 'test',
      return_url: `https://shop.example.com/${page}`,
    })
    const first = await start(id, bodyOf('a'))
    expect((await start(id, bodyOf('a'))).status).toBe(200)
    expect((await start(id)).json.payment.id).toBe(first.json.payment.id)
    const second = await start(id, bodyOf('b'))
    expect(second.status).toBe(201)
    expect(second.json.order.payments).toMatchObject([
      { id: first.json.payment.id, status: 'cancelled' },
      { id: second.json.payment.id, status: 'pending' },
    ])
    await simulate(tradepost, second.json.payment, { do: 'process' })
    const page = await tradepost.server.inject(new URL(second.json.payment.checkout_url).pathname)
    expect(page.body).toContain('href="https://shop.example.com/b"')
    const processed = await start(id, bodyOf('c'))
    expect([processed.status, processed.json.payment.id]).toEqual([200, second.json.payment.id])
  })

  test('is stored once under an idempotency key, and the key replays its answer', async () => {
    const { id } = await unpaidOrder()
    const headers = { 'idempotency-key': 'start-1' }
    const first = await start(id, { method: 'test' }, headers)
    const replayed = await start(id, { method: 'test' }, headers)
    expect([first.status, replayed.status]).toEqual([201, 201])
    expect(replayed.text).toBe(first.text)
  })

  test('is not begun twice: a call that ends it while its page is opened ends the page too', async () => {
    const { id } = await unpaidOrder()
    const create = vi.spyOn(testProvider, 'create')
    let openPage = () => {}
    const opened = new Promise<void>((resolve) => {
      openPage = resolve
    })
    create.mockImplementationOnce(async (...call) => {
      await opened
      create.mockRestore()
      return testProvider.create(...call)
    })
    const starting = start(id)
    await until(async () => create.mock.calls.length > 0)
    const [payment] = (await tradepost.get(`/orders/${id}`, asTest())).json.order.payments
    const refreshed = `/orders/${id}/payments/${payment.id}/refresh`
    expect((await tradepost.post(refreshed, undefined, asTest())).json.payment.status).toBe(
      'pending',
    )
    expect((await tradepost.post(`/orders/${id}/cancel`, undefined, asTest())).status).toBe(200)
    openPage()
    const { status, json } = await starting
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    const record = await tradepost.db
      .selectFrom('test_payment')
      .select('status')
      .where('payment_id', '=', payment.id)
      .executeTakeFirst()
    expect(record?.status).toBe('ended')
  })

  test('keeps no return_url of a person who was erased', async () => {
    const unpaid = await unpaidOrder()
    const return_url = 'https://shop.example.com/?mail=ada'
    const { json } = await start(unpaid.id, { method: 'test', return_url })
    await tradepost.post(`/customers/${unpaid.customer.id}/erase`, undefined, asTest())
    const { payment } = json
    await simulate(tradepost, payment, { do: 'pay' })
    const page = await tradepost.server.inject(new URL(payment.checkout_url).pathname)
    expect(page.body).toContain('Paid. Thank you.')
    expect(page.body).not.toContain('mail=ada')
  })

  test('links back to the page of the order if the call names none', async () => {
    const { id } = await unpaidOrder({ return_url: 'https://shop.example.com/back' })
    const { json } = await start(id)
    await tradepost.post(
      `/orders/${id}/payments/${json.payment.id}/simulate`,
      { do: 'pay' },
      asTest(),
    )
    const page = await tradepost.server.inject(new URL(json.payment.checkout_url).pathname)
    expect(page.body).toContain('href="https://shop.example.com/back"')
  })

  test('leads back to the page of the order if an older order has a URL to which no provider may link', async () => {
    const { id, order_url } = await unpaidOrder()
    await sql`update "order" set return_url = 'http://shop.example.com/' where id = ${id}`.execute(
      tradepost.db,
    )
    const { status, json } = await start(id)
    expect(status).toBe(201)
    await simulate(tradepost, json.payment, { do: 'pay' })
    const page = await tradepost.server.inject(new URL(json.payment.checkout_url).pathname)
    expect(page.body).toContain('Paid. Thank you.')
    expect(page.body).toContain(`href="${order_url}"`)
  })
})

const REFUSED_URLS = [
  ['http://shop.example.com/'],
  ['http://localhost:99999/'],
  ['https://'],
  ['https:///'],
  ['https://-/'],
  ['https://shop-.example.com/'],
  ['https://shop..example.com/'],
  ['https://shop.example.com/a b'],
  ['/thanks'],
  ['ftp://shop.example.com/'],
  ['https://user:secret@shop.example.com/'],
  ['https://user@shop.example.com/'],
  ['https://@shop.example.com/'],
  ['https:/shop.example.com/'],
  ['https:shop.example.com/'],
  ['https:///shop.example.com/'],
  [String.raw`https:\\shop.example.com`],
  [String.raw`https://shop.example.com\@other.example.com/`],
  ['https://shop.example.com/\u202eelif'],
  [' https://shop.example.com/'],
  ['http://localhost.example.com/'],
  ['javascript:alert(1)'],
  [`https://shop.example.com/${'a'.repeat(2_048)}`],
  [''],
]
const ACCEPTED_URLS = [
  ['http://localhost/'],
  ['http://localhost:3000/thanks?order=1'],
  ['http://127.0.0.1:8080'],
  ['http://[::1]:8080/'],
  ['https://bücher.example/danke'],
  ['https://my_shop.example.com./'],
  ['https://shop.example.com/@me?email=a@b.example'],
  ['HTTPS://shop.example.com/'],
]

describe('an order', () => {
  test.each(REFUSED_URLS)('is refused with the return_url %s, as its payment is', async (url) => {
    const { id } = await product(tradepost, { type: 'service' }, asTest())
    const body = {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    }
    const answer = await tradepost.post('/orders', { ...body, return_url: url }, asTest())
    expect([answer.status, answer.json.details?.field]).toEqual([422, 'return_url'])
  })

  test.each(ACCEPTED_URLS)('leads the payment back to the return_url %s', async (return_url) => {
    const { id } = await unpaidOrder({ return_url })
    const { json } = await start(id)
    const { rows } =
      await sql`select return_url from payment where id = ${json.payment.id}`.execute(tradepost.db)
    expect(rows).toEqual([{ return_url }])
  })
})

describe('a payment is refused', () => {
  test.each([
    [
      'manual',
      'No provider takes manual payments: record one with POST /orders/{id}/manual-payments.',
    ],
    [
      'balance',
      'No provider takes balance payments: record one with POST /orders/{id}/balance-payments.',
    ],
    ['card', 'The store has no connected provider that takes card payments.'],
    ['crypto', 'The store has no connected provider that takes crypto payments.'],
    ['paypal', 'The store has no connected provider that takes paypal payments.'],
  ])('by %s, which has no connected provider, with the usable methods', async (method, problem) => {
    const { id } = await unpaidOrder()
    const { status, json } = await start(id, { method })
    expect(status).toBe(422)
    expect(json).toMatchObject({
      code: 'VALIDATION_FAILED',
      error: `method: ${problem} Use test.`,
      details: { field: 'method', allowed: ['test'] },
    })
  })

  test.each<[string, Json | undefined, string]>([
    ['without a body', undefined, 'The payment method is missing. Use test.'],
    ['without a method', {}, 'The payment method is missing. Use test.'],
    ['by an empty one', { method: '' }, 'The payment method is missing. Use test.'],
    ['by an unknown one', { method: 'cheque' }, 'There is no payment method cheque. Use test.'],
  ])('%s, with the usable methods', async (_case, body, error) => {
    const { id } = await unpaidOrder()
    const { status, json } = await tradepost.post(`/orders/${id}/payments`, body, asTest())
    expect(status).toBe(422)
    expect(json).toMatchObject({
      code: 'VALIDATION_FAILED',
      error: `method: ${error}`,
      details: { field: 'method', allowed: ['test'] },
    })
  })

  test.each([[null], [1], ['a'.repeat(65)], ['a\nb']])('by the malformed %j', async (method) => {
    const { id } = await unpaidOrder()
    const { status, json } = await start(id, { method })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'method'])
  })

  test('on the live side, where no provider is connected', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const unpaid = await order(tradepost, id)
    const { status, json } = await tradepost.post(`/orders/${unpaid.id}/payments`, {
      method: 'test',
    })
    expect(status).toBe(422)
    expect(json.details).toMatchObject({ field: 'method', allowed: [] })
  })

  test('of an unknown order, a paid one, a cancelled one and one under review', async () => {
    expect((await start('ord_0000000000000000000000')).status).toBe(404)
    const paid = await unpaidOrder({ mark_paid: true })
    expect((await start(paid.id)).json.code).toBe('INVALID_STATE')
    const cancelled = await unpaidOrder()
    await tradepost.post(`/orders/${cancelled.id}/cancel`, undefined, asTest())
    expect((await start(cancelled.id)).json).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'cancelled' },
    })
    const reviewed = await unpaidOrder()
    const body = { status: 'pending_review', amount_cents: 1 }
    await tradepost.post(`/orders/${reviewed.id}/manual-payments`, body, asTest())
    expect((await start(reviewed.id)).status).toBe(409)
  })

  test.each(REFUSED_URLS)('with the return_url %s', async (return_url) => {
    const { id } = await unpaidOrder()
    const { status, json } = await start(id, { method: 'test', return_url })
    expect(status).toBe(422)
    expect(json.details.field).toBe('return_url')
  })

  test.each(ACCEPTED_URLS)('but not with the return_url %s', async (return_url) => {
    const { id } = await unpaidOrder()
    expect((await start(id, { method: 'test', return_url })).status).toBe(201)
  })

  test('if a product of the order does not accept its method', async () => {
    const { id } = await product(tradepost, { type: 'service' }, asTest())
    const body = { methods: [{ method: 'test', enabled: false }] }
    await tradepost.patch(`/products/${id}`, body, asTest())
    const unpaid = await order(tradepost, id, {}, asTest())
    const { status, json } = await start(unpaid.id)
    expect(status).toBe(422)
    expect(json).toMatchObject({
      error: expect.stringContaining('Game cannot be paid with test.'),
      details: { field: 'method', allowed: [] },
    })
  })

  test('after 100 payments of an order were started', async () => {
    const { id } = await unpaidOrder()
    for (let count = 0; count < 100; count += 1) {
      const { json } = await start(id)
      await tradepost.post(
        `/orders/${id}/payments/${json.payment.id}/simulate`,
        { do: 'decline' },
        asTest(),
      )
    }
    const { status, json } = await start(id)
    expect(status).toBe(422)
    expect(json.details).toMatchObject({ field: 'method', limit: 100 })
  })
})
