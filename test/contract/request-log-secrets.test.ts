import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mask } from '../../src/features/installation/request-log/mask.rules.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// The log of calls shows no secrets (decision 295).

let tradepost: Tradepost
let owner: SignedIn

beforeAll(async () => {
  tradepost = await openTradepost()
  owner = await signedIn(tradepost)
})
afterAll(() => tradepost.close())

const flush = () => tradepost.authentication.flush()
const getCall = async (id = '', store = tradepost.live.id): Promise<Json> => {
  await flush()
  return (await owner.get(`/stores/${store}/request-log/${id}`)).json?.call
}

describe('a secret in the log', () => {
  test('is masked before it is stored, by the name of its field or by its form', async () => {
    const game = await product(tradepost)
    const secret = 'AAAA-SECRET-KEY-9999'
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const keysAdded = await tradepost.post(path, { keys: [secret] })
    const hook = { url: 'http://127.0.0.1:4199/hooks/xxxxxxxxxxxxxxxxxxxxxxxxxxxx', events: ['*'] }
    const webhookCreated = await tradepost.post('/webhooks', hook)
    const orderPaid = await tradepost.post('/orders', {
      items: [{ product_id: game.id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
      metadata: { pasted: webhookCreated.json.secret },
      mark_paid: true,
    })
    expect(orderPaid.text).toContain(secret)
    const calls = await Promise.all(
      [keysAdded, webhookCreated, orderPaid].map(({ headers }) =>
        getCall(headers['x-request-id'] ?? ''),
      ),
    )
    const callsText = JSON.stringify(calls)
    expect(callsText).not.toContain(secret)
    expect(callsText).not.toContain(webhookCreated.json.secret)
    expect(callsText).not.toContain('xxxxxxxx')
    expect(calls[0].request_body.content.keys).toBe('•••• (1)')
    const { rows } = await sql<{ text: string }>`select c::text as text from api_call c`.execute(
      tradepost.db,
    )
    const storedText = rows.map(({ text }) => text).join('\n')
    for (const part of [secret, Buffer.from(secret).toString('hex'), 'ada@example.com']) {
      expect(storedText).not.toContain(part)
    }
    await tradepost.delete(`/webhooks/${webhookCreated.json.webhook.id}`)
  })

  test.each([
    ['sk_live_aB3', 'a key in a text'],
    ['sec_test_aB3', 'a key of the other API'],
    ['rk_live_aB3', 'a restricted key of a payment provider'],
    ['whsec_aB3', 'a webhook secret'],
    ['Bearer abcdefgh12345', 'a header'],
    ['4242 4242 4242 4242', 'a card'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.c2ln', 'a token'],
    ['https://files.example.com/a?signature=abc', 'a signed link'],
  ])('such as %s (%s) is masked in any field', (text) => {
    const { value, changed } = mask({ note: `See ${text}.` })
    expect(changed).toBe(true)
    expect(JSON.stringify(value)).toContain('••••')
  })

  test('of a payment provider is masked, whatever its form is', () => {
    const { value } = mask({
      secret_key: 'mistyped',
      webhook_secret: 'too',
      publishable_key: 'pk_1',
    })
    expect(value).toEqual({ secret_key: '••••', webhook_secret: '••••', publishable_key: 'pk_1' })
  })

  test('is the only masked value: others are unchanged', () => {
    const body = {
      name: 'Game',
      price_cents: 1999,
      keys_count: 3,
      id: 'ord_0352VKNDSrjI3fNKWnwRmL',
    }
    expect(mask(body)).toEqual({ value: body, changed: false })
  })

  test('in a large body is not stored, because only the size of the body is stored', async () => {
    const description = 'x'.repeat(20_000)
    const { headers } = await tradepost.post('/products', {
      name: 'Long',
      price_cents: 1,
      description,
    })
    const call = await getCall(headers['x-request-id'] ?? '')
    expect(call.request_body).toMatchObject({ content: null, kept: false })
    expect(call.request_body.bytes).toBeGreaterThan(20_000)
  })

  test('in a deeply nested body does not stop the log, whatever was called in the same second', async () => {
    const nested = `{"a":${'['.repeat(7_900)}${']'.repeat(7_900)}}`
    const deep = await tradepost.call('POST', '/products', { raw: nested })
    const other = await tradepost.get('/orders')
    expect(deep.status).toBe(400)
    expect((await getCall(deep.headers['x-request-id'])).request_body.kept).toBe(true)
    expect((await getCall(other.headers['x-request-id'])).status).toBe(200)
  })
})

describe('a parameter in the log', () => {
  const pathOf = async (query: string) => {
    const { headers } = await tradepost.get(`/orders?${query}`)
    return (await getCall(headers['x-request-id'])).path.replace('/v1/orders?', '')
  }

  test.each([
    ['search=AAAA-SECRET-KEY-9999', 'search=••••'],
    ['email=ada@example.com', 'email=••••'],
    ['coupon_code=SECRET', 'coupon_code=••••'],
    ['status=AAAA-SECRET', 'status=••••'],
    ['limit=AAAA-SECRET', 'limit=••••'],
    ['customer_id=ada@example.com', 'customer_id=••••'],
    ['unknown=AAAA-SECRET', 'unknown=••••'],
    ['AAAA-SECRET-KEY-9999', '••••'],
    ['search=a&search=b?c=d', 'search=••••&search=••••'],
  ])('%s is shown as %s', async (query, shown) => {
    expect(await pathOf(query)).toBe(shown)
  })

  test.each([
    'status=paid',
    'status=paid,completed&limit=5&offset=10',
    'created_from=2026-01-01T00%3A00%3A00Z&sort=-created_at',
    'customer_id=12',
  ])('%s is shown as it was, because the operation accepts only such values', async (query) => {
    expect(await pathOf(query)).toBe(query)
  })

  test('of an unknown path is masked, and a long path is cut before it is masked', async () => {
    const unknown = await tradepost.get('/nowhere?status=paid')
    expect((await getCall(unknown.headers['x-request-id'])).path).toBe('/v1/nowhere?status=••••')
    const long = await tradepost.get(`/nowhere/${'eyJ-'.repeat(1_000)}`)
    const call = await getCall(long.headers['x-request-id'])
    expect([call.path.length, call.replayable]).toEqual([1_000, false])
  })
})
