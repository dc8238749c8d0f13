import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { setBalance } from '../../../../test/subscribe.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const readPage = async (query: string): Promise<Json> =>
  (await tradepost.get(`/account/ledger?${query}`)).json

/** Reads the whole ledger in pages. */
async function readLedger(limit: number): Promise<Json[]> {
  const entries: Json[] = []
  for (let cursor = ''; ; ) {
    const { entries: pageEntries, next_cursor } = await readPage(`limit=${limit}${cursor}`)
    entries.push(...pageEntries)
    if (next_cursor === null) return entries
    cursor = `&cursor=${next_cursor}`
  }
}

const REQUEST = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }
const sumOf = (entries: readonly Json[], account: string): number =>
  entries
    .filter((item) => item.account === account)
    .reduce((sum, item) => sum + item.amount_cents, 0)

test('the entries of each account add up to its balance, newest first, in pages of any size (decision 144)', async () => {
  const { id } = await product(tradepost, { type: 'service', price_cents: 10_000 })
  const customer = { email: 'ada@example.com' }
  const refundedOrder = await order(tradepost, id, { customer, mark_paid: true })
  await expectSuccess(
    tradepost.post(`/orders/${refundedOrder.id}/refund`, { amount_cents: 2_500, to_balance: true }),
  )
  await setBalance(tradepost, 'ada@example.com', 4_000)
  const mixedOrder = await order(tradepost, id, { customer })
  await expectSuccess(
    tradepost.post(`/orders/${mixedOrder.id}/balance-payments`, { amount_cents: 3_000 }),
  )
  const review = await tradepost.post(`/orders/${mixedOrder.id}/manual-payments`, {
    status: 'pending_review',
    amount_cents: 500,
  })
  const beforeReview = await readLedger(100)
  await expectSuccess(
    tradepost.post(
      `/orders/${mixedOrder.id}/manual-payments/${review.json.payment.id}/approve`,
      {},
    ),
  )
  const freeProduct = await product(tradepost, { type: 'service', price_cents: 0 })
  await order(tradepost, freeProduct.id)
  const requestWithdrawal = async (): Promise<Json> =>
    (await tradepost.post('/account/withdrawals', REQUEST)).json.withdrawal
  const endings: [string, Json | undefined][] = [
    ['complete', { reference: 'T' }],
    ['fail', { reason: 'No.' }],
    ['cancel', undefined],
  ]
  for (const [ending, body] of endings) {
    const { id: withdrawalId } = await requestWithdrawal()
    await expectSuccess(tradepost.post(`/account/withdrawals/${withdrawalId}/${ending}`, body))
  }
  await requestWithdrawal()
  const entries = await readLedger(100)
  // The approved payment, four withdrawals, and the return of two of them.
  expect(entries).toHaveLength(beforeReview.length + 1 + 4 + 2)
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
  for (const limit of [1, 2, 3, 5]) expect(await readLedger(limit)).toEqual(entries)
  const { wallet } = (await tradepost.get('/account/wallet')).json
  expect(sumOf(entries, 'wallet')).toBe(wallet.available_cents)
  expect(wallet.available_cents).toBe(10_000 - 2_500 + 3_000 + 500 - 2_000)
  const { customers } = (await tradepost.get('/customers')).json
  expect(sumOf(entries, 'customer_balances')).toBe(customers[0].balance_cents)
  expect(entries.at(-1)).toEqual({
    id: expect.stringMatching(/^payment_\d+$/),
    at: expect.stringMatching(/Z$/),
    account: 'wallet',
    amount_cents: 10_000,
    currency: 'EUR',
    order_id: refundedOrder.id,
    reason: 'payment',
  })
  const reasons = new Set(entries.map(({ reason }) => reason))
  expect(reasons).toEqual(
    new Set(['payment', 'refund', 'withdrawal', 'withdrawal_returned', 'adjustment']),
  )
  expect(new Set(entries.map((item) => item.id)).size).toBe(entries.length)
})

test('store credit of a cancelled order goes back to the balances, as a refund of the wallet (decision 180)', async () => {
  const { id } = await product(tradepost, { type: 'service', price_cents: 10_000 })
  const customer = { email: 'ada@example.com' }
  await setBalance(tradepost, customer.email, 800)
  const { id: orderId } = await order(tradepost, id, { customer })
  await expectSuccess(tradepost.post(`/orders/${orderId}/balance-payments`, {}))
  await expectSuccess(tradepost.post(`/orders/${orderId}/cancel`))
  const entries = (await readLedger(100)).filter((item) => item.order_id === orderId)
  expect(
    entries.map(({ account, amount_cents, reason }) => [account, amount_cents, reason]).sort(),
  ).toEqual([
    ['customer_balances', -800, 'payment'],
    ['customer_balances', 800, 'order_ended'],
    ['wallet', -800, 'refund'],
    ['wallet', 800, 'payment'],
  ])
  const { wallet } = (await tradepost.get('/account/wallet')).json
  expect(sumOf(await readLedger(100), 'wallet')).toBe(wallet.available_cents)
})

test('the ledger omits the reasons that the seller writes, which may name a person', async () => {
  const { json } = await tradepost.get('/customers?email=ada@example.com')
  const path = `/customers/${json.customers[0].id}/balance`
  await expectSuccess(tradepost.post(path, { amount_cents: 5, reason: 'For Ada Lovelace' }))
  const { entries } = await readPage('limit=1')
  expect(entries[0]).toMatchObject({
    account: 'customer_balances',
    reason: 'adjustment',
    order_id: null,
  })
})

test('the ledger has no entries of another store, and refuses a bad cursor', async () => {
  const { json } = await tradepost.get('/account/ledger', { as: tradepost.other })
  expect(json).toEqual({ success: true, entries: [], next_cursor: null })
  for (const cursor of ['1', '1-9-1', 'x', '999999999999999999-1-1']) {
    const refusal = await tradepost.get(`/account/ledger?cursor=${cursor}`)
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'cursor'])
  }
  expect((await tradepost.get('/account/ledger?cursor=99999999999999-5-1')).status).toBe(200)
})
