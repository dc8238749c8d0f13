import { afterAll, beforeAll, expect, test } from 'vitest'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import { openProgram, partner } from '../affiliates.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { product } from '../build.ts'
import { expectSuccess, type Json, type Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// Sums beyond 2^53 are exact in the database, and cut only when they are read (decision 175).

const { MAX_SAFE_INTEGER } = Number
const ORDERS = 12
const UNIT_CENTS = 99_999_999_999
const QUANTITY = 10_000
const ORDER_CENTS = UNIT_CENTS * QUANTITY

let tradepost: Tradepost
let owner: SignedIn
let orders: Json[]
let customerPath: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  owner = await signedIn(tradepost)
  await openProgram(tradepost)
  const { code } = await partner(tradepost, { commission_percent: 100 })
  const { id } = await product(tradepost, { type: 'service', price_cents: UNIT_CENTS })
  orders = []
  for (let n = 0; n < ORDERS; n++) {
    const body = {
      items: [{ product_id: id, quantity: QUANTITY }],
      customer: { email: 'rich@example.com' },
      affiliate_code: code,
      mark_paid: true,
    }
    orders.push((await expectSuccess(tradepost.post('/orders', body))).order)
  }
  customerPath = `/customers/${orders[0].customer.id}`
})
afterAll(() => tradepost.close())

/** Reads everything that adds up orders. Each answer must be a success. */
async function readAll() {
  const read = (path: string) => expectSuccess(tradepost.get(path))
  const readOwn = (path: string) => expectSuccess(owner.get(`/stores/${tradepost.live.id}${path}`))
  const { customer } = await read(customerPath)
  const { wallet } = await read('/account/wallet')
  const { summary: sales } = await read('/analytics/sales?compare=true')
  for (const path of ['/customers', '/affiliates/partners', '/affiliates/conversions'])
    await read(path)
  const { sales: hours } = await readOwn('/sales-hours')
  for (const path of ['/sales-parts', '/refunds-report', '/counts']) await readOwn(path)
  return { customer, wallet, sales, hours }
}

// Test servers do not flush to the disk.
const findings = async () =>
  (await diagnose(tradepost.app)).findings.filter(
    ({ ok, check }) => !ok && check !== 'durable_commits',
  )

test('a total that is beyond 2^53 is shown as the largest exact number, on every page', async () => {
  expect(ORDERS * ORDER_CENTS).toBeGreaterThan(MAX_SAFE_INTEGER)
  const { customer, wallet, sales, hours } = await readAll()
  expect(customer).toMatchObject({
    orders_count: ORDERS,
    total_spent_cents: MAX_SAFE_INTEGER,
    average_order_cents: ORDER_CENTS,
  })
  expect(wallet).toMatchObject({
    paid_cents: MAX_SAFE_INTEGER,
    refunded_cents: 0,
    available_cents: MAX_SAFE_INTEGER,
  })
  expect(sales).toMatchObject({ gross_cents: MAX_SAFE_INTEGER, net_cents: MAX_SAFE_INTEGER })
  expect(sales.average_order_cents).toBe(ORDER_CENTS)
  expect(hours.net_cents).toBe(MAX_SAFE_INTEGER)
  expect(await findings()).toEqual([])
})

test('what remains after refunds is exact, and never below 0', async () => {
  const [first, ...others] = orders
  for (const { id } of others) await expectSuccess(tradepost.post(`/orders/${id}/refund`))
  const { customer, wallet, sales, hours } = await readAll()
  expect(customer.total_spent_cents).toBe(ORDER_CENTS)
  expect(wallet).toMatchObject({
    paid_cents: MAX_SAFE_INTEGER,
    refunded_cents: MAX_SAFE_INTEGER,
    available_cents: ORDER_CENTS,
  })
  expect(sales).toMatchObject({ refunded_cents: MAX_SAFE_INTEGER, net_cents: ORDER_CENTS })
  expect(hours.net_cents).toBe(ORDER_CENTS)
  await expectSuccess(tradepost.post(`/orders/${first.id}/refund`))
  const after = await readAll()
  expect(after.customer.total_spent_cents).toBe(0)
  expect(after.wallet.available_cents).toBe(0)
  expect(after.sales.net_cents).toBe(0)
  expect(await findings()).toEqual([])
})
