import { afterAll, beforeAll, expect, test } from 'vitest'
import { order } from '../../../../test/build.ts'
import { type Clocked, openClocked } from '../../../../test/clocked.ts'
import type { Json } from '../../../../test/harness.ts'
import { plan, subscribe } from '../../../../test/subscribe.ts'

let store: Clocked

beforeAll(async () => {
  store = await openClocked()
})
afterAll(() => store.tradepost.close())

const call = async (advance: unknown, as = store.tradepost.test) => {
  const { status, json } = await store.tradepost.post('/account/test-clock', { advance }, { as })
  return status === 200 ? json : [status, json.code, json.details?.field]
}

test('a test key moves the clock of its side, and gets its new time (decision 144)', async () => {
  const first = await call('90m')
  expect(first).toEqual({ success: true, now: expect.stringMatching(/Z$/) })
  const { now } = await call('12h')
  expect(Date.parse(now) - Date.parse(first.now)).toBe(12 * 3_600_000)
})

test('a live key does not, and a bad duration is refused by its name', async () => {
  expect(await call('90m', store.tradepost.live)).toEqual([403, 'STORE_NOT_ALLOWED', undefined])
  const refused = [422, 'VALIDATION_FAILED', 'advance']
  for (const advance of ['90', '-1h', '0s', '1w', 5, null, '4000d']) {
    expect(await call(advance)).toEqual(refused)
  }
})

test.each([
  '1h',
  // Longer than answers are kept.
  '3d',
])('a repeated call with the same idempotency key moves the clock once, by %s', async (advance) => {
  const { tradepost, as } = store
  const options = { ...as, headers: { 'idempotency-key': `move-once-${advance}` } }
  const send = () => tradepost.post('/account/test-clock', { advance }, options)
  const first = await send()
  expect(first.status, first.text).toBe(200)
  expect((await send()).text).toBe(first.text)
  const { now } = await call('1s')
  expect(Date.parse(now) - Date.parse(first.json.now)).toBe(1_000)
})

test('the same calls made twice give the same records, ids aside', async () => {
  const at = Date.now()
  expect(await story(at)).toEqual(await story(at))
})

/** Orders that expire, a trial that ends and subscriptions that renew, are retried and end, all in one year. */
async function story(at: number): Promise<Json> {
  const { tradepost, as, advance, stop, see, balance } = await openClocked(at)
  const send = { payment_method: 'balance' }
  const monthly = await plan(tradepost, {}, { type: 'license' }, as)
  const daily = await plan(tradepost, { billing_cycle: 'daily', trial_days: 3 }, {}, as)
  const paid = await subscribe(tradepost, monthly, send, as)
  const unpaid = await subscribe(tradepost, daily, {}, as)
  await order(tradepost, monthly, {}, as)
  await balance('ada@example.com', 5_500)
  await advance('45m')
  await order(tradepost, daily, {}, as)
  await advance('40d')
  await stop(unpaid.id)
  await advance('300d')
  const subscriptions = [await see(paid.id), await see(unpaid.id)]
  const { orders } = (await tradepost.get('/orders?limit=100', as)).json
  expect(orders.length).toBeGreaterThan(8)
  // Those of the same moment are listed by their ids.
  orders.sort((a: Json, b: Json) => a.number - b.number)
  const types = await tradepost.events()
  await tradepost.close()
  return { subscriptions: withoutIds(subscriptions), orders: withoutIds(orders), types }
}

const ID = /^(id|.*_id)$/

const withoutIds = (value: Json): Json =>
  JSON.parse(JSON.stringify(value, (key, item) => (ID.test(key) ? undefined : item)))
