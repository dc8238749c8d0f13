import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product, zone } from '../../../test/build.ts'
import { formOf } from '../../../test/form.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { simulate, startedOrder } from '../../../test/provider-payments.ts'
import { openStripeStore } from '../../../test/providers/stripe-store.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const pathOf = ({ order_url }: Json): string => new URL(order_url).pathname
/** Opens a page, each time from another address, because the calls of an address are limited. */
let addresses = 0
const open = (url: string, headers: Record<string, string> = {}) => {
  addresses += 1
  const remoteAddress = `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
  return tradepost.server.inject({ url, headers, remoteAddress })
}
const pageOf = async (shown: Json): Promise<string> => (await open(pathOf(shown))).body

/** Sells a key, and returns the order. */
async function sell(key: string, fields: Json = {}, as = tradepost.live): Promise<Json> {
  const { id } = await product(tradepost, { name: 'Game' }, { keys: [key], as })
  return order(tradepost, id, { mark_paid: true, ...fields }, { as })
}

async function sellFile(): Promise<{ sold: Json; url: string }> {
  const { id } = await product(tradepost, { type: 'file', name: 'Album' })
  const form = formOf([
    { bytes: Buffer.from('Music.'), name: 'album.zip', type: 'application/zip' },
  ])
  await expectSuccess(tradepost.post(`/products/${id}/files`, undefined, form))
  const sold = await order(tradepost, id, { mark_paid: true })
  return { sold, url: `${pathOf(sold)}/files/${sold.deliveries[0].files[0].id}` }
}

describe('the link to the page of an order', () => {
  test('stands in the order, and differs by side (decision 464)', async () => {
    const sold = await sell('LINK-LIVE-0001')
    expect(new URL(sold.order_url).pathname).toMatch(
      /^\/s\/[a-z0-9-]+\/o\/ot_[0-9A-Za-z]{22}[\w-]{32}$/,
    )
    const { json } = await tradepost.get(`/orders/${sold.id}`)
    expect(json.order.order_url).toBe(sold.order_url)
    const list = await tradepost.get('/orders?limit=1')
    expect(list.json.orders[0].order_url).toBe(sold.order_url)
    const tried = await sell('LINK-TEST-0001', {}, tradepost.test)
    expect(pathOf(tried)).toMatch(/^\/t\//)
    expect((await open(pathOf(tried).replace('/t/', '/s/'))).statusCode).toBe(404)
  })

  test('is replaced by the seller, and the former one stops working', async () => {
    const sold = await sell('ROTATE-0001')
    const { status, json } = await tradepost.post(`/orders/${sold.id}/rotate-link`)
    expect([status, json.order.status]).toEqual([200, 'completed'])
    expect((await open(pathOf(sold))).statusCode).toBe(404)
    expect((await open(pathOf(json.order))).body).toContain('ROTATE-0001')
    const { json: audit } = await tradepost.get('/account/audit-events?limit=1')
    expect(JSON.stringify(audit)).not.toContain('ot_')
  })

  test('stops working when the person is erased', async () => {
    const sold = await sell('ERASED-0001', { customer: { email: 'gone@example.com' } })
    await expectSuccess(tradepost.post(`/customers/${sold.customer.id}/erase`))
    expect((await open(pathOf(sold))).statusCode).toBe(404)
  })

  test('is hidden from a key that may read customers and not orders', async () => {
    const sold = await sell('HIDDEN-0001', { customer: { email: 'hidden@example.com' } })
    const as = await tradepost.key({ permissions: ['customers:read'] })
    const { json } = await tradepost.get(`/customers/${sold.customer.id}/orders`, { as })
    expect(json.orders).toMatchObject([{ id: sold.id, order_url: null }])
  })

  test('opens nothing with a changed token, a shortened one, or that of another store', async () => {
    const sold = await sell('TOKEN-0001')
    const path = pathOf(sold)
    const last = path.endsWith('A') ? 'B' : 'A'
    const { order_url } = await sell('TOKEN-0002', {}, tradepost.other)
    const other = new URL(order_url).pathname.split('/').at(-1) ?? ''
    const wrong = [
      path.slice(0, -1) + last,
      path.slice(0, -1),
      path.replace(/ot_.*/, other),
      path.replace(/ot_.*/, sold.id),
      '/s/no-store/o/ot_1',
      '/s/%00/o/%00',
    ]
    for (const url of wrong) {
      const { statusCode, body, headers } = await open(url)
      expect([url, statusCode]).toEqual([url, 404])
      expect(body).toContain('This order was not found')
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect((await open(`${url}/status`)).statusCode).toBe(404)
      expect((await open(`${url}/files/1`)).statusCode).toBe(404)
    }
  })
})

describe('the page of an order', () => {
  test('promises goods only while some of them are still delivered', async () => {
    const game = await product(tradepost, { type: 'service', name: 'Lesson' })
    const variants = [{ name: 'Mug', stock_quantity: 1 }]
    const mug = await product(tradepost, { type: 'physical', variants })
    const items = [game, mug].map(({ id: product_id }) => ({ product_id, quantity: 1 }))
    const sold = await order(tradepost, game.id, { items, mark_paid: true })
    expect(await pageOf(sold)).toContain('Your goods appear here as soon as they are delivered.')
    const lines = [{ order_item_id: sold.items[0].id, quantity: 1 }]
    await expectSuccess(tradepost.post(`/orders/${sold.id}/refund`, { items: lines }))
    expect(await pageOf(sold)).not.toContain('Your goods appear here')
  })

  test('shows the receipt and the keys, to nobody else', async () => {
    const sold = await sell('SHOWN-0001')
    const { statusCode, body, headers } = await open(pathOf(sold))
    expect(statusCode).toBe(200)
    for (const text of [`Order ${sold.number}`, 'Completed', '1 × Game', '€10.00', 'SHOWN-0001'])
      expect(body).toContain(text)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    // The page may have been opened under another name of this host.
    const { origin } = new URL(sold.order_url)
    expect(headers['content-security-policy']).toContain(`form-action 'self' https: ${origin};`)
    expect(body).not.toContain('This is a test.')
  })

  test('of a test side says that it is a test', async () => {
    expect(await pageOf(await sell('TRIED-0001', {}, tradepost.test))).toContain('This is a test.')
  })

  test.each([
    ['de', 'Bestellung', '10,00'],
    ['es', 'Pedido', '10,00'],
    ['en', 'Order', '€10.00'],
  ])('is written in the language of the order: %s', async (language, title, amount) => {
    const sold = await sell(`LANGUAGE-${addresses}`, { language })
    const { body } = await open(pathOf(sold), { 'accept-language': 'fr' })
    expect(body).toContain(`${title} ${sold.number}`)
    expect(body).toContain(amount)
  })

  test('shows no key of an order that is on hold, refunded or not paid', async () => {
    const held = await sell('SECRET-HELD-01')
    await expectSuccess(tradepost.post(`/orders/${held.id}/hold`, {}))
    const refunded = await sell('SECRET-BACK-01')
    await expectSuccess(tradepost.post(`/orders/${refunded.id}/refund`, {}))
    const unpaid = await sell('SECRET-OPEN-01', { mark_paid: false })
    for (const [shown, status] of [
      [held, 'On hold'],
      [refunded, 'Refunded'],
      [unpaid, 'Waiting for your payment'],
    ] as const) {
      const body = await pageOf(shown)
      expect(body).toContain(status)
      expect(body).not.toContain('SECRET-')
    }
    await expectSuccess(tradepost.post(`/orders/${held.id}/release`))
    expect(await pageOf(held)).toContain('SECRET-HELD-01')
  })

  test('escapes names, keys and texts', async () => {
    const text = '<script>alert(1)</script>&"\''
    const { id } = await product(tradepost, { type: 'service', name: text })
    const sold = await order(tradepost, id, { mark_paid: true })
    const delivery = { order_item_id: sold.items[0].id, text }
    await expectSuccess(tradepost.post(`/orders/${sold.id}/deliveries`, delivery))
    const body = await pageOf(sold)
    expect(body).not.toContain('<script>alert')
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;')
  })

  test('opens a week later, and each click on a file makes a new link', async () => {
    const { sold, url } = await sellFile()
    tradepost.forward(7 * DAY_MS)
    expect(await pageOf(sold)).toContain('album.zip')
    const clicks = [await open(url), await open(url)]
    for (const { statusCode, headers } of clicks) {
      expect([statusCode, headers['cache-control']]).toEqual([303, 'no-store'])
      const file = await open(new URL(headers.location ?? '').pathname)
      expect([file.statusCode, file.body]).toEqual([200, 'Music.'])
    }
  })

  test('gives no file of an order on hold, and none of another order', async () => {
    const { sold, url } = await sellFile()
    const another = await sellFile()
    const foreign = `${pathOf(sold)}/files/${another.url.split('/').at(-1)}`
    expect((await open(foreign)).statusCode).toBe(404)
    expect((await open(`${pathOf(sold)}/files/x`)).statusCode).toBe(404)
    await expectSuccess(tradepost.post(`/orders/${sold.id}/hold`, {}))
    expect((await open(url)).statusCode).toBe(404)
  })

  test('shows the parcels with their tracking, and the address', async () => {
    const { id, variantId } = await product(tradepost, { type: 'physical', name: 'Box' })
    await tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 1 })
    const { rates } = await zone(tradepost)
    const shipping_address = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
    const fields = { mark_paid: true, shipping_address, shipping_rate_id: rates[0].id }
    const sold = await order(tradepost, id, fields)
    await expectSuccess(
      tradepost.post(`/orders/${sold.id}/fulfillments`, {
        tracking_number: 'TRACK-1',
        tracking_url: 'https://carrier.example/TRACK-1',
      }),
    )
    const body = await pageOf(sold)
    for (const text of ['On its way', 'TRACK-1', 'https://carrier.example/TRACK-1', 'Street 1'])
      expect(body).toContain(text)
  })
})

describe('the page of an unpaid order', () => {
  test('leads to the payment, and knows of it when the buyer comes back', async () => {
    const { order: unpaid, payment } = await startedOrder(
      tradepost,
      {},
      {
        as: tradepost.test,
        keys: keysNamed('RETURNING', 1),
      },
    )
    expect(await pageOf(unpaid)).toContain(`href="${payment.checkout_url}"`)
    const paying = { do: 'pay', callback: 'never' }
    await simulate(tradepost, payment, paying)
    const body = await pageOf(unpaid)
    expect(body).toContain('Completed')
    expect(body).toContain('RETURNING')
    const status = await open(`${pathOf(unpaid)}/status`)
    expect(status.json()).toEqual({
      id: unpaid.id,
      status: 'completed',
      currency: 'EUR',
      total_cents: 1000,
      paid_cents: 1000,
      on_hold: false,
      payment: null,
      updated_at: expect.any(String),
    })
  })

  test('starts a payment for its buyer, at most ten times a minute from an IP address', async () => {
    const { id } = await product(tradepost, { type: 'service' }, { as: tradepost.test })
    const unpaid = await order(tradepost, id, {}, { as: tradepost.test })
    const url = `${pathOf(unpaid)}/pay`
    expect(await pageOf(unpaid)).toContain('<form method="post"')
    const press = () =>
      tradepost.server.inject({ method: 'POST', url, remoteAddress: '203.0.113.77' })
    const { statusCode, headers } = await press()
    const { json } = await tradepost.get(`/orders/${unpaid.id}`, { as: tradepost.test })
    expect([statusCode, headers.location]).toEqual([303, json.order.payments[0].checkout_url])
    // The open payment is opened again.
    for (let pressed = 1; pressed < 10; pressed += 1)
      expect((await press()).headers.location).toBe(headers.location)
    expect((await press()).statusCode).toBe(429)
    const again = await tradepost.get(`/orders/${unpaid.id}`, { as: tradepost.test })
    expect(again.json.order.payments).toHaveLength(1)
  })

  test('of a side without a provider offers no payment', async () => {
    const unpaid = await sell('OFFERED-0001', { mark_paid: false })
    expect(await pageOf(unpaid)).not.toContain('<form')
    const url = `${pathOf(unpaid)}/pay`
    const remoteAddress = '203.0.113.78'
    const answer = await tradepost.server.inject({ method: 'POST', url, remoteAddress })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(`../${pathOf(unpaid).split('/').at(-1)}`)
    const wrong = await tradepost.server.inject({
      method: 'POST',
      url: `${url.slice(0, -6)}x/pay`,
      remoteAddress,
    })
    expect(wrong.statusCode).toBe(404)
  })

  test('is the page to which a provider sends the buyer back', async () => {
    const { order: unpaid, payment } = await startedOrder(tradepost)
    await simulate(tradepost, payment, { do: 'pay' })
    const { body } = await open(new URL(payment.checkout_url).pathname)
    expect(body).toContain(`href="${unpaid.order_url}"`)
  })

  test('asks the provider about a payment at most six times a minute, and does not wait for it long', async () => {
    const store = await openStripeStore()
    try {
      await store.connect()
      const payment = await store.startedPayment()
      const { order_url } = await store.orderOf(payment)
      const before = store.stripe.requests.length
      for (let opened = 0; opened < 10; opened += 1)
        await store.tradepost.server.inject({ url: new URL(order_url).pathname })
      expect(store.stripe.requests.length - before).toBe(6)
      store.tradepost.forward(2 * MINUTE_MS)
      await store.tradepost.server.inject({ url: new URL(order_url).pathname })
      expect(store.stripe.requests.length - before).toBe(7)
      // A call to Stripe is given up after 10 seconds; a buyer does not wait so long.
      store.stripe.misbehaviours.push('hangs')
      const started = performance.now()
      const page = await store.tradepost.server.inject({ url: new URL(order_url).pathname })
      expect(page.body).toContain('Pay €10.00')
      expect(performance.now() - started).toBeLessThan(9_000)
    } finally {
      await store.close()
    }
  })
})

test('a page is opened at most 120 times a minute from an IP address', async () => {
  const url = pathOf(await sell('OFTEN-0001'))
  const openOften = () => tradepost.server.inject({ url, remoteAddress: '203.0.113.9' })
  for (let opened = 0; opened < 120; opened += 1) expect((await openOften()).statusCode).toBe(200)
  expect((await openOften()).statusCode).toBe(429)
})

test('the page for a wrong address is written in the language of the browser', async () => {
  const url = '/s/no-store/o/ot_1'
  const titleIn = async (language: string): Promise<string | undefined> =>
    /<h1>(.*?)<\/h1>/.exec((await open(url, { 'accept-language': language })).body)?.[1]
  expect(await titleIn('de-AT,de;q=0.9,en;q=0.5')).toBe('Diese Bestellung wurde nicht gefunden')
  expect(await titleIn('fr,es;q=0.4,en;q=0.1')).toBe('No se encontró este pedido')
  expect(await titleIn('de;q=0, en')).toBe('This order was not found')
})
