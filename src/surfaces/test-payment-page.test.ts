import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../test/harness.ts'
import { startedOrder } from '../../test/provider-payments.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const pathOf = ({ checkout_url }: Json): string => new URL(checkout_url).pathname
const get = (url: string) => tradepost.server.inject({ url })
const press = (url: string, action: string) =>
  tradepost.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `do=${action}`,
  })
const orderNow = async ({ id }: Json): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`, { as: tradepost.test })).json.order

describe('the page of a test payment', () => {
  test('shows the order and the amount, and says that no money moves', async () => {
    const { order: unpaid, payment } = await startedOrder(tradepost)
    const { statusCode, body, headers } = await get(pathOf(payment))
    expect(statusCode).toBe(200)
    expect(body).toContain('This is a test. No money moves.')
    expect(body).toContain(`Order ${unpaid.number}`)
    expect(body).toContain('€10.00')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('pays the order, once', async () => {
    const { order: unpaid, payment } = await startedOrder(tradepost)
    const path = pathOf(payment)
    const pressed = await press(path, 'pay')
    // Relative, so that it also holds below another path of a proxy.
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, path.split('/').at(-1)])
    expect(await orderNow(unpaid)).toMatchObject({ status: 'paid', paid_cents: 1000 })
    const { body } = await get(path)
    expect(body).toContain('Paid. Thank you.')
    expect(body).not.toContain('<form')
    expect((await press(path, 'pay')).statusCode).toBe(303)
    expect(await orderNow(unpaid)).toMatchObject({ paid_cents: 1000 })
  })

  test('declines the payment', async () => {
    const { order: unpaid, payment } = await startedOrder(tradepost)
    await press(pathOf(payment), 'decline')
    expect((await get(pathOf(payment))).body).toContain('The payment was declined.')
    expect((await orderNow(unpaid)).payments).toMatchObject([{ status: 'failed' }])
  })

  test('does nothing without a button', async () => {
    const { order: unpaid, payment } = await startedOrder(tradepost)
    for (const action of ['', 'PAY', 'steal'])
      expect((await press(pathOf(payment), action)).statusCode).toBe(303)
    expect((await orderNow(unpaid)).payments).toMatchObject([{ status: 'pending' }])
  })

  test('links back to the shop, and escapes what others wrote', async () => {
    const { id } = await product(tradepost, { type: 'service' }, { as: tradepost.test })
    const unpaid = await order(tradepost, id, {}, { as: tradepost.test })
    const return_url = 'https://shop.example.com/?a="><script>alert(1)</script>'
    const refused = await tradepost.post(
      `/orders/${unpaid.id}/payments`,
      { method: 'test', return_url },
      { as: tradepost.test },
    )
    expect(refused.status).toBe(201)
    const path = pathOf(refused.json.payment)
    expect((await get(path)).body).not.toContain('Back to')
    await press(path, 'pay')
    const { body } = await get(path)
    expect(body).toContain('href="https://shop.example.com/?a=&quot;&gt;&lt;script&gt;')
    expect(body).not.toContain('<script')
  })

  test('does not exist for another token, another store and the live side', async () => {
    const { payment } = await startedOrder(tradepost)
    const path = pathOf(payment)
    for (const other of [
      path.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
      `${path}a`,
      path.slice(0, -1),
      path.replace(/^\/t\/[^/]+/, `/t/${tradepost.other.slug}`),
      path.replace('/t/', '/s/'),
      path.replace(/^\/t\/[^/]+/, '/t/%00'),
      path.replace(/^\/t\/[^/]+/, `/t/${'a'.repeat(200)}`),
    ]) {
      expect([other, (await get(other)).statusCode]).toEqual([other, 404])
      expect([other, (await press(other, 'pay')).statusCode]).toEqual([other, 404])
    }
  })

  test('answers a wrong address with a page for a person', async () => {
    const { payment } = await startedOrder(tradepost)
    const page = await get(pathOf(payment))
    const wrong = `/t/${tradepost.test.slug}/pay/${'a'.repeat(32)}`
    for (const answer of [await get(wrong), await get(`${wrong}a`), await press(wrong, 'pay')]) {
      expect(answer.statusCode).toBe(404)
      expect(answer.body).toContain('<h1>This payment does not exist</h1>')
      expect(answer.body).not.toContain('<form')
      for (const header of ['content-type', 'content-security-policy', 'referrer-policy'])
        expect(answer.headers[header]).toBe(page.headers[header])
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      })
    }
  })

  test('is limited by address', async () => {
    tradepost.forward(60_000)
    const { payment } = await startedOrder(tradepost)
    for (let n = 0; n < 120; n += 1) await get(pathOf(payment))
    const { statusCode, headers } = await get(pathOf(payment))
    expect(statusCode).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})
