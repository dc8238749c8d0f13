import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { product } from '../build.ts'
import type { Tradepost } from '../harness.ts'
import { SEED } from '../seed.ts'
import { type Body, bodiesOf, type Hints } from './arbitrary.ts'
import { type Ask, faultsOfEnvelope, openWalk, pathOf, prepare, send } from './walk.ts'

/**
 * Bodies that fast-check generates from each endpoint's shape. `FUZZ_REQUESTS=20000` runs the long form
 * with a new seed; `FUZZ_SEED` repeats a run.
 */
const LONG = process.env.FUZZ_REQUESTS
const REQUESTS = Number(LONG ?? 500)
/** Calls before a new record is made: a cancelled order, for example, cannot be paid. */
const CALLS_A_RECORD = 5

let tradepost: Tradepost
let hints: Hints

beforeAll(async () => {
  tradepost = await openWalk()
  const cheap = await product(tradepost, { type: 'service' })
  const dear = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
  const cents = fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(0, 1, 99_999_999_999))
  hints = {
    product_id: fc.constantFrom(cheap.id, dear.id, String(dear.product.product.legacy_id)),
    variant_id: fc.constantFrom(undefined, undefined, cheap.variantId),
    shipping_rate_id: fc.constant(undefined),
    coupon_code: fc.constant(undefined),
    category_ids: fc.constantFrom(undefined, []),
    product_ids: fc.constantFrom(undefined, []),
    variant_ids: fc.constantFrom(undefined, []),
    currency: fc.constantFrom(undefined, 'EUR'),
    price_cents: cents,
    amount_cents: cents,
    country: fc.constantFrom('DE', 'FR', 'US'),
    countries: fc.constantFrom(['DE', 'FR'], ['*'], ['US', '*']),
    regions: fc.constantFrom(undefined, {}, { DE: ['BY'] }),
    email: fc.constantFrom('ada@example.com', 'Eve@Example.org'),
    customer_email: fc.constantFrom('ada@example.com', 'Eve@Example.org'),
    url: fc.nat(9).map((n) => `http://127.0.0.1:4199/${n}`),
    youtube_url: fc.webUrl(),
    og_image_url: fc.webUrl(),
    image_url: fc.webUrl(),
    content_base64: fc.constantFrom('SGVsbG8h', 'AA=='),
    proof_url: fc.webUrl(),
    return_url: fc.webUrl(),
  }
})
afterAll(() => tradepost.close())
// An in-memory database has no autovacuum, and the long form creates thousands of rows for each endpoint.
afterEach(async () => {
  if (LONG) await sql`vacuum analyze`.execute(tradepost.app.db)
})

const TYPES = ['application/json', 'application/json', 'application/json; charset=utf-8']

const writes = storeEndpoints.filter(({ method }) => method !== 'GET')

/** Values that random data never hits: ids of the record, fetchable addresses, matching fields. */
const FITTING = new Set([
  'account.advance_test_clock',
  'account.update_settings',
  'account.create_withdrawal',
  'media.create',
  'variants.set_dynamic',
  'variants.update',
  'customers.change_balance',
  'coupons.create',
  'coupons.update',
  'orders.deliver',
  'fulfillments.create',
  'customers.create',
  'customers.merge',
  'blocklist.create',
  'blocklist.update',
  'questions.create',
  'returns.create',
  'returns.receive',
  'reviews.create',
  'affiliates.invite_partner',
  'affiliates.apply',
  'affiliates.update_program',
  'affiliates.request_payout',
  'affiliates.review_conversion',
])

test.each(writes)(
  'no body makes $id fail, and each refusal wears the envelope',
  async (e) => {
    const count = Math.ceil(REQUESTS / writes.length)
    const statuses = new Map<number, number>()
    const faults: string[] = []
    let own: Ask = {}
    for (const [at, body] of fc
      .sample(bodiesOf(e, hints), { numRuns: count, seed: SEED })
      .entries()) {
      if (at % CALLS_A_RECORD === 0) own = await prepare(tradepost, e)
      const known = FITTING.has(e.id) || own.body?.ids
      if (at === 0 && known) statuses.set((await send(tradepost, e, own)).status, 1)
      const { status, more } = await fire(e, own, { body, at })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500 || more.length > 0) faults.push(tell(at, body, { status, more }))
    }
    expect(faults.slice(0, 10), `seed ${SEED}`).toEqual([])
    if (e.body) expect([...statuses.keys()], 'some body is refused').toContain(422)
    expect([...statuses.keys()], 'some body is taken').toContain(e.status ?? 200)
  },
  600_000,
)

async function fire(e: Endpoint, own: Ask, { body, at }: { body: Body; at: number }) {
  const headers = { 'content-type': TYPES[at % TYPES.length] ?? '' }
  const answer = await tradepost.call(e.method, pathOf(e, own), { raw: body.bytes, headers })
  return { status: answer.status, more: faultsOfEnvelope(answer) }
}

const tell = (
  at: number,
  { kind, bytes }: Body,
  { status, more }: { status: number; more: string[] },
) => `#${at} ${kind}: ${status} ${more.join('; ')} ${bytes.toString().slice(0, 1_000)}`

test('an order of any size has a total that the answer writes exactly', async () => {
  const { id } = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
  const line = { product_id: id, quantity: 10_000 }
  for (const lines of [1, 9, 10, 50]) {
    const items = Array.from({ length: lines }, () => line)
    const { status, json } = await tradepost.post('/orders', {
      items,
      customer: { email: 'rich@example.com' },
    })
    expect({
      lines,
      isAnswer: status === 201 || status === 422,
      status,
      code: json.code,
    }).toMatchObject({
      lines,
      isAnswer: true,
    })
    if (status === 201)
      expect(BigInt(json.order.total_cents)).toBe(99_999_999_999n * 10_000n * BigInt(lines))
  }
})

test('a customer may spend more than any one order, and still order and be listed', async () => {
  const { id } = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
  for (let n = 0; n < 12; n++) {
    const { status, json } = await tradepost.post('/orders', {
      items: [{ product_id: id, quantity: 10_000 }],
      customer: { email: 'richest@example.com' },
      mark_paid: true,
    })
    expect({ n, status, code: json.code }).toEqual({ n, status: 201, code: undefined })
  }
  expect((await tradepost.get('/orders?email=richest@example.com')).status).toBe(200)
  expect((await tradepost.get('/products?sort=-sales_count')).status).toBe(200)
})
