import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { product } from '../build.ts'
import { SEED } from '../chance.mjs'
import type { Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import { type Body, bodiesOf, type Hints } from './arbitrary.ts'
import {
  type CallInput,
  faultsOfEnvelope,
  openUnlimited,
  pathOf,
  prepare,
  send,
  sideOf,
} from './prepared-calls.ts'

/**
 * These tests send bodies that fast-check generates from the shape of each endpoint.
 * `FUZZ_REQUESTS=20000` runs the long form.
 */
const LONG = process.env.FUZZ_REQUESTS
const REQUESTS = Number(LONG ?? 500)
/** A new record is created after this many calls, because for example a cancelled order cannot be paid. */
const CALLS_PER_RECORD = 5

let tradepost: Tradepost
let hints: Hints

beforeAll(async () => {
  tradepost = await openUnlimited()
  const cheapProduct = await product(tradepost, { type: 'service' })
  const expensiveProduct = await product(tradepost, {
    type: 'service',
    price_cents: 99_999_999_999,
  })
  const cents = fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(0, 1, 99_999_999_999))
  hints = {
    product_id: fc.constantFrom(
      cheapProduct.id,
      expensiveProduct.id,
      String(expensiveProduct.product.product.legacy_id),
    ),
    variant_id: fc.constantFrom(undefined, undefined, cheapProduct.variantId),
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

const CONTENT_TYPES = ['application/json', 'application/json', 'application/json; charset=utf-8']

const writes = storeEndpoints.filter(({ method }) => method !== 'GET')

test.each(walk(writes))(
  'no body makes $id fail with a 5xx, and each answer has the envelope',
  async (endpoint) => {
    const requestCount = Math.ceil(REQUESTS / writes.length)
    const statuses = new Map<number, number>()
    const faults: string[] = []
    let preparedInput: CallInput = {}
    for (const [at, body] of fc
      .sample(bodiesOf(endpoint, hints), { numRuns: requestCount, seed: SEED })
      .entries()) {
      if (at % CALLS_PER_RECORD === 0) preparedInput = await prepare(tradepost, endpoint)
      // Four random bodies may all be refused, so a valid one comes first.
      if (at === 0) statuses.set((await send(tradepost, endpoint, preparedInput)).status, 1)
      const { status, envelopeFaults } = await sendBody(endpoint, preparedInput, { body, at })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500 || envelopeFaults.length > 0)
        faults.push(report(at, body, { status, envelopeFaults }))
    }
    expect(faults.slice(0, 10), `SEED=${SEED}`).toEqual([])
    if (endpoint.body) expect([...statuses.keys()], 'some body is refused').toContain(422)
    expect([...statuses.keys()], 'some body is accepted').toContain(endpoint.status ?? 200)
  },
  600_000,
)

async function sendBody(
  endpoint: Endpoint,
  preparedInput: CallInput,
  { body, at }: { body: Body; at: number },
) {
  const headers = { 'content-type': CONTENT_TYPES[at % CONTENT_TYPES.length] ?? '' }
  const answer = await tradepost.call(endpoint.method, pathOf(endpoint, preparedInput), {
    raw: body.bytes,
    headers,
    as: sideOf(tradepost, endpoint),
  })
  return { status: answer.status, envelopeFaults: faultsOfEnvelope(answer) }
}

const report = (
  at: number,
  { kind, bytes }: Body,
  { status, envelopeFaults }: { status: number; envelopeFaults: string[] },
) => `#${at} ${kind}: ${status} ${envelopeFaults.join('; ')} ${bytes.toString().slice(0, 1_000)}`

test('the total of an accepted order is exact, and an order with a larger total is refused', async () => {
  const { id } = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
  const line = { product_id: id, quantity: 10_000 }
  const placeOrder = (lines: number) =>
    tradepost.post('/orders', {
      items: Array.from({ length: lines }, () => line),
      customer: { email: 'rich@example.com' },
    })
  const accepted = await placeOrder(1)
  expect(accepted.status, accepted.text).toBe(201)
  expect(accepted.json.order.total_cents).toBe(999_999_999_990_000)
  for (const lines of [2, 9, 50]) {
    const { status, json } = await placeOrder(lines)
    expect([lines, status, json.code]).toEqual([lines, 422, 'VALIDATION_FAILED'])
  }
})

test('a customer who spent more than the largest order can order again and be listed', async () => {
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
