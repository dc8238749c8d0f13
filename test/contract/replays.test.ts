import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// Calls of the log that are run again (decisions 171 and 295).

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

describe('a replay', () => {
  const replay = (id = '', store = tradepost.test.id, browser = owner) =>
    browser.post(`/stores/${store}/request-log/${id}/replay`)

  test('repeats a call of the test side as the user, and ignores the idempotency key of the call', async () => {
    const as = tradepost.test
    const body = { name: 'Twice', price_cents: 500 }
    const first = await tradepost.post('/products', body, {
      as,
      headers: { 'idempotency-key': 'once' },
    })
    await flush()
    const before = await lastAuditId(tradepost)
    const { status, json } = await replay(first.headers['x-request-id'])
    expect([status, json.replay.status, json.replay.error_code]).toEqual([200, 201, null])
    const newProduct = json.replay.response_body.content.product
    expect(newProduct.name).toBe('Twice')
    expect(newProduct.id).not.toBe(first.json.product.id)
    const events = await auditEventsSince(tradepost, before)
    expect(
      events.map(({ action, actor_id, request_id }: Json) => [action, actor_id, request_id]),
    ).toEqual(
      expect.arrayContaining([
        ['product.create', String(owner.id), json.replay.request_id],
        ['request_log.replay', String(owner.id), expect.any(String)],
      ]),
    )
  })

  test('is refused on the live side, for calls with secrets, and for roles that may not change the account', async () => {
    const liveCall = await tradepost.get('/orders')
    const game = await product(tradepost, {}, { as: tradepost.test })
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const callWithSecret = await tradepost.post(path, { keys: ['K-1'] }, { as: tradepost.test })
    await flush()
    expect((await replay(liveCall.headers['x-request-id'], tradepost.live.id)).json.code).toBe(
      'INVALID_STATE',
    )
    const refused = await replay(callWithSecret.headers['x-request-id'])
    expect([refused.json.code, refused.json.error]).toEqual([
      'INVALID_STATE',
      'The call contains a secret, which the log does not store. Send the call from your program again.',
    ])
    const staff = await signedIn(tradepost, 'staff')
    expect(
      (await replay(callWithSecret.headers['x-request-id'], tradepost.test.id, staff)).json.code,
    ).toBe('INSUFFICIENT_SCOPE')
    expect((await replay('req_0000000000000000000000')).json.code).toBe('NOT_FOUND')
  })

  describe('repeats nothing but an operation of the test side', () => {
    let order: Json

    beforeAll(async () => {
      const { id } = await product(tradepost, { type: 'service' })
      const { json } = await tradepost.post('/orders', {
        items: [{ product_id: id, quantity: 1 }],
        customer: { email: 'ada@example.com' },
        mark_paid: true,
      })
      order = json.order
    })

    const refund = (prefix: string) => `${prefix}/${tradepost.live.id}/v1/orders/${order.id}/refund`

    test.each([
      ['plain dots', '/v1/../..', null],
      ['encoded dots', '/v1/%2e%2e/%2E%2e', null],
      ['backslashes', '/v1/..\\\\..', null],
      ['dots and a known operation', '/v1/../..', 'orders.refund'],
      ['encoded dots in a parameter', '/v1/orders/%2e%2e/%2e%2e/..', 'orders.refund'],
      ['dots of the other API', '/security/v1/../../..', 'keys.delete'],
    ])('whatever a path with %s leads to', async (_, prefix, operation) => {
      const key = await tradepost.key({ of: tradepost.test, permissions: ['reviews:read'] })
      const { headers } = await tradepost.post('/nowhere', {}, { as: key })
      await flush()
      const id = headers['x-request-id'] ?? ''
      // As an earlier version stored it.
      await sql`update api_call set path = ${refund(prefix)}, operation = ${operation}
                 where request_id = ${id}`.execute(tradepost.db)
      expect(await getCall(id, tradepost.test.id)).toMatchObject({
        replayable: false,
        why_not: 'The path of this call names no operation. Send the call from your program again.',
      })
      expect((await replay(id)).json.code).toBe('INVALID_STATE')
      expect((await tradepost.get(`/orders/${order.id}`)).json.order).toMatchObject({
        status: order.status,
        refunded_cents: 0,
      })
    })

    test('and builds the path from its parameters', async () => {
      const as = tradepost.test
      const first = await tradepost.get('/products?limit=1&status=active', { as })
      await flush()
      const { json } = await replay(first.headers['x-request-id'])
      expect(json.replay).toMatchObject({ status: 200, error_code: null })
      const repeated = await tradepost.get(`/products/1%2F..%2Fx`, { as })
      await flush()
      expect((await replay(repeated.headers['x-request-id'])).json.replay.status).toBe(404)
    })
  })
})
