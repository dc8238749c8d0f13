import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { setBalance } from '../../../../test/subscribe.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const page = async (query: string): Promise<Json> =>
  (await tradepost.get(`/account/ledger?${query}`)).json

/** The whole ledger, read in pages. */
async function ledger(limit: number): Promise<Json[]> {
  const entries: Json[] = []
  for (let cursor = ''; ; ) {
    const { entries: more, next_cursor } = await page(`limit=${limit}${cursor}`)
    entries.push(...more)
    if (next_cursor === null) return entries
    cursor = `&cursor=${next_cursor}`
  }
}

const REQUEST = { amount_cents: 1_000, method: 'bank_transfer', address: 'GB29NWBK60161331926819' }
const sumOf = (entries: readonly Json[], account: string): number =>
  entries
    .filter((item) => item.account === account)
    .reduce((sum, item) => sum + item.amount_cents, 0)

test('the entries of each account add up to it, in pages of any size (decision 144)', async () => {
  const { id } = await product(tradepost, { type: 'service', price_cents: 10_000 })
  const customer = { email: 'ada@example.com' }
  const sold = await order(tradepost, id, { customer, mark_paid: true })
  await tradepost.post(`/orders/${sold.id}/refund`, { amount_cents: 2_500, to_balance: true })
  await setBalance(tradepost, 'ada@example.com', 4_000)
  const other = await order(tradepost, id, { customer })
  await tradepost.post(`/orders/${other.id}/balance-payments`, { amount_cents: 3_000 })
  const review = await tradepost.post(`/orders/${other.id}/manual-payments`, {
    status: 'pending_review',
    amount_cents: 500,
  })
  const waiting = await ledger(100)
  await tradepost.post(`/orders/${other.id}/manual-payments/${review.json.payment.id}/approve`, {})
  const free = await product(tradepost, { type: 'service', price_cents: 0 })
  await order(tradepost, free.id)
  for (const end of ['complete', 'fail', 'cancel', undefined]) {
    const { withdrawal } = (await tradepost.post('/account/withdrawals', REQUEST)).json
    const body = { complete: { reference: 'T' }, fail: { reason: 'No.' } }[end ?? '']
    if (end) await tradepost.post(`/account/withdrawals/${withdrawal.id}/${end}`, body)
  }
  const whole = await ledger(100)
  expect(whole).toHaveLength(waiting.length + 1 + 4 + 2)
  expect(whole.map(({ at }) => at)).toEqual(
    whole
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
  for (const limit of [1, 2, 3, 5]) expect(await ledger(limit)).toEqual(whole)
  const { wallet } = (await tradepost.get('/account/wallet')).json
  expect(sumOf(whole, 'wallet')).toBe(wallet.available_cents)
  expect(wallet.available_cents).toBe(10_000 - 2_500 + 3_000 + 500 - 2_000)
  const { customers } = (await tradepost.get('/customers')).json
  expect(sumOf(whole, 'customer_balances')).toBe(customers[0].balance_cents)
  expect(whole.at(-1)).toEqual({
    id: expect.stringMatching(/^payment_\d+$/),
    at: expect.stringMatching(/Z$/),
    account: 'wallet',
    amount_cents: 10_000,
    currency: 'EUR',
    order_id: sold.id,
    reason: 'payment',
  })
  const reasons = new Set(whole.map(({ reason }) => reason))
  expect(reasons).toEqual(
    new Set(['payment', 'refund', 'withdrawal', 'withdrawal_returned', 'adjustment']),
  )
  expect(new Set(whole.map((item) => item.id)).size).toBe(whole.length)
})

test('a reason of the seller, which may name a person, is not in the ledger', async () => {
  const { json } = await tradepost.get('/customers?email=ada@example.com')
  const path = `/customers/${json.customers[0].id}/balance`
  await tradepost.post(path, { amount_cents: 5, reason: 'For Ada Lovelace' })
  const { entries } = await page('limit=1')
  expect(entries[0]).toMatchObject({
    account: 'customer_balances',
    reason: 'adjustment',
    order_id: null,
  })
})

test('the ledger of another store has other entries, and a bad cursor is refused', async () => {
  const { json } = await tradepost.get('/account/ledger', { as: tradepost.other })
  expect(json).toEqual({ success: true, entries: [], next_cursor: null })
  for (const cursor of ['1', '1-9-1', 'x', '999999999999999999-1-1']) {
    const bad = await tradepost.get(`/account/ledger?cursor=${cursor}`)
    expect([bad.status, bad.json.details.field]).toEqual([422, 'cursor'])
  }
  expect((await tradepost.get('/account/ledger?cursor=99999999999999-5-1')).status).toBe(200)
})
