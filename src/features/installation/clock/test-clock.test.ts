import { afterAll, beforeAll, expect, test } from 'vitest'
import { order } from '../../../../test/build.ts'
import type { Json } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionProduct } from '../../../../test/subscribe.ts'

let store: StoreWithClock

beforeAll(async () => {
  store = await openStoreWithClock()
})
afterAll(() => store.tradepost.close())

const advanceBy = async (advance: unknown, as = store.tradepost.test) => {
  const { status, json } = await store.tradepost.post('/account/test-clock', { advance }, { as })
  return status === 200 ? json : [status, json.code, json.details?.field]
}

test('a test key advances the clock of its side and gets the new time (decision 144)', async () => {
  const first = await advanceBy('90m')
  expect(first).toEqual({ success: true, now: expect.stringMatching(/Z$/) })
  const { now } = await advanceBy('12h')
  expect(Date.parse(now) - Date.parse(first.now)).toBe(12 * 3_600_000)
})

test('a live key is refused, and an invalid duration is named', async () => {
  expect(await advanceBy('90m', store.tradepost.live)).toEqual([
    403,
    'STORE_NOT_ALLOWED',
    undefined,
  ])
  const refused = [422, 'VALIDATION_FAILED', 'advance']
  for (const advance of ['90', '-1h', '0s', '1w', 5, null, '4000d']) {
    expect(await advanceBy(advance)).toEqual(refused)
  }
})

test.each([
  '1h',
  // This is longer than the retention of stored answers.
  '3d',
])(
  'a repeated call with the same idempotency key advances the clock once, by %s',
  async (advance) => {
    const { tradepost, as } = store
    const options = { ...as, headers: { 'idempotency-key': `move-once-${advance}` } }
    const send = () => tradepost.post('/account/test-clock', { advance }, options)
    const first = await send()
    expect(first.status, first.text).toBe(200)
    expect((await send()).text).toBe(first.text)
    const { now } = await advanceBy('1s')
    expect(Date.parse(now) - Date.parse(first.json.now)).toBe(1_000)
  },
)

test('two stores with the same calls have the same records, apart from ids', async () => {
  const at = Date.now()
  expect(await recordYear(at)).toEqual(await recordYear(at))
})

/** Creates orders that expire, a trial that ends, and subscriptions that are renewed, retried and ended in a year. */
async function recordYear(at: number): Promise<Json> {
  const { tradepost, as, advance, cancelNow, getSubscription, setBalance } =
    await openStoreWithClock(at)
  const byBalance = { payment_method: 'balance' }
  const monthly = await subscriptionProduct(tradepost, {}, { type: 'license' }, as)
  const daily = await subscriptionProduct(
    tradepost,
    { billing_cycle: 'daily', trial_days: 3 },
    {},
    as,
  )
  const paid = await subscribe(tradepost, monthly, byBalance, as)
  const unpaid = await subscribe(tradepost, daily, {}, as)
  await order(tradepost, monthly, {}, as)
  await setBalance('ada@example.com', 5_500)
  await advance('45m')
  await order(tradepost, daily, {}, as)
  await advance('40d')
  await cancelNow(unpaid.id)
  await advance('300d')
  const subscriptions = [await getSubscription(paid.id), await getSubscription(unpaid.id)]
  const { orders } = (await tradepost.get('/orders?limit=100', as)).json
  expect(orders.length).toBeGreaterThan(8)
  // Records with one timestamp are listed by their ids.
  orders.sort((a: Json, b: Json) => a.number - b.number)
  const types = await tradepost.events()
  await tradepost.close()
  return { subscriptions: withoutIds(subscriptions), orders: withoutIds(orders), types }
}

/** Fields with an id, and the URL that has the token of an order. */
const ID = /^(id|.*_id|order_url)$/

const withoutIds = (value: Json): Json =>
  JSON.parse(JSON.stringify(value, (key, item) => (ID.test(key) ? undefined : item)))
