import { expect, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { selectStore } from '../../src/features/installation/index.ts'
import { signedCallback } from '../../src/features/store/payment-providers/index.ts'
import {
  applyCallbacksJob,
  checkPaymentsJob,
  expireOrdersJob,
  sendRefundsJob,
} from '../../src/features/store/payments/index.ts'
import { openApp } from '../../src/process/open-app.ts'
import { chanceOf } from '../chance.mjs'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, expectStatus, type Reply, type Target } from '../process/client.ts'
import { IS_WHOLE } from '../walks.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()

/** Puts keys on sale, and returns functions for their buyers. */
async function openSales({ app, targets: [target] }: ServedStore, keyCount: number) {
  const post = (path: string, body?: Json): Promise<Reply> =>
    call(target as Target, 'POST', path, body === undefined ? {} : { body })
  const created = expectStatus(await post('/products', { name: 'Game', price_cents: 1000 }))
  const { product, variants } = created.json
  const keys = Array.from({ length: keyCount }, (_, n) => `RACE-${product.id}-${n}`)
  expectStatus(await post(`/products/${product.id}/variants/${variants[0].id}/keys`, { keys }))
  let buyerCount = 0
  return {
    post,
    order: () =>
      post('/orders', {
        items: [{ product_id: product.id, quantity: 1 }],
        customer: { email: `buyer${++buyerCount}@example.com` },
      }),
    async start(id: string): Promise<Json> {
      return expectStatus(await post(`/orders/${id}/payments`, { method: 'test' })).json.payment
    },
    simulate: ({ order_id, id }: Json, body: Json) =>
      post(`/orders/${order_id}/payments/${id}/simulate`, body),
    async get(id: string): Promise<Json> {
      return (await call(target as Target, 'GET', `/orders/${id}`)).json.order
    },
    async expire(ids: readonly string[]): Promise<void> {
      const list = ids.map((id) => `'${id}'`).join()
      const moment = `now() - interval '1 s'`
      await ask(
        app.config.databaseUrl ?? '',
        `update "order" set expires_at = ${moment} where id in (${list}) and expires_at is not null`,
      )
      while (await expireOrdersJob.run(app)) {}
    },
    /** The ids of the orders of which more is paid than they cost, and not refunded. */
    async overpaid(): Promise<string[]> {
      const ids: string[] = []
      for (let offset = 0; ; offset += 100) {
        const path = `/orders?overpaid=true&limit=100&offset=${offset}`
        const { orders } = expectStatus(await call(target as Target, 'GET', path)).json
        ids.push(...orders.map(({ id }: Json) => id))
        if (orders.length < 100) return ids
      }
    },
    completions: async (): Promise<Json[]> =>
      ask(
        app.config.databaseUrl ?? '',
        `select object_id, count(*)::int as count from event where type = 'order.completed' group by 1`,
      ) as Promise<Json[]>,
  }
}

test('a payment that 50 calls report at once completes its order once (I5)', async (context) => {
  const store = await database.openStore(context, 'test')
  const sales = await openSales(store, 5)
  const { order } = expectStatus(await sales.order()).json
  const payment = await sales.start(order.id)
  expectStatus(await sales.simulate(payment, { do: 'pay', callback: 'never' }))
  const refresh = () => sales.post(`/orders/${order.id}/payments/${payment.id}/refresh`)
  const replies = await Promise.all(Array.from({ length: 50 }, refresh))
  for (const reply of replies) expectStatus(reply)
  const after = await sales.get(order.id)
  expect(after).toMatchObject({ status: 'completed', paid_cents: 1000 })
  expect(after.deliveries[0].keys).toHaveLength(1)
  await database.expectNoFaults()
})

test('20 refunds at once over two payments never return more than either holds', async (context) => {
  const store = await database.openStore(context, 'test')
  const sales = await openSales(store, 5)
  const { order } = expectStatus(await sales.order()).json
  const payments = [await sales.start(order.id)]
  expectStatus(await sales.simulate(payments[0], { do: 'pay_part', amount_cents: 400 }))
  payments.push(await sales.start(order.id))
  expectStatus(await sales.simulate(payments[1], { do: 'pay' }))
  const refund = () => sales.post(`/orders/${order.id}/refund`, { amount_cents: 70 })
  const replies = await Promise.all(Array.from({ length: 20 }, refund))
  const made = replies.filter(({ status }) => status === 201)
  expect(made).toHaveLength(14)
  for (const { status } of replies) expect([201, 422]).toContain(status)
  while (await sendRefundsJob.run(store.app)) {}
  const after = await sales.get(order.id)
  expect(after).toMatchObject({ refunded_cents: 980, refund_status: 'partial' })
  const left = after.payments.map(
    ({ amount_cents, refunded_cents }: Json) => amount_cents - refunded_cents,
  )
  expect(left).toEqual([20, 0])
  await database.expectNoFaults()
})

test('payments that are paid, ended, replaced and expired at once leave every record right', async (context) => {
  const store = await database.openStore(context, 'test')
  const { app } = store
  const chance = chanceOf('provider payments')
  const sales = await openSales(store, 40)
  const orders: Json[] = []
  for (let n = 0; n < 20; n += 1) orders.push(expectStatus(await sales.order()).json.order)
  const payments = await Promise.all(orders.map(({ id }) => sales.start(id)))
  const acts = payments.flatMap((payment) => {
    const path = `/orders/${payment.order_id}`
    return [
      () => sales.simulate(payment, { do: 'pay', callback: chance.pick(['once', 'never']) }),
      () => sales.post(`${path}/payments/${payment.id}/refresh`),
      () => sales.post(`${path}/payments/${payment.id}/cancel`),
      () => sales.post(`${path}/payments`, { method: 'test' }),
      () => sales.post(`${path}/cancel`),
      () => sales.post(`${path}/manual-payments`, { amount_cents: 500 }),
      () => sales.expire([payment.order_id]).then(() => ({ status: 200, text: '' }) as Reply),
      () => checkPaymentsJob.run(app).then(() => ({ status: 200, text: '' }) as Reply),
    ]
  })
  const replies = await Promise.all(chance.shuffle(acts).map((act) => act()))
  for (const { status, text } of replies) expect([200, 201, 409, 503], text).toContain(status)
  while (await applyCallbacksJob.run(app)) {}
  await ask(
    app.config.databaseUrl ?? '',
    `update payment set check_at = now() where check_at is not null`,
  )
  while (await checkPaymentsJob.run(app)) {}
  for (const { count } of await sales.completions()) expect(count).toBe(1)
  await database.expectNoFaults()
})

test('callbacks that two processes apply at once are applied once each', async (context) => {
  const store = await database.openStore(context, 'test')
  const sales = await openSales(store, 30)
  const orders: Json[] = []
  for (let n = 0; n < 30; n += 1) orders.push(expectStatus(await sales.order()).json.order)
  const payments = await Promise.all(orders.map(({ id }) => sales.start(id)))
  for (const payment of payments)
    expectStatus(await sales.simulate(payment, { do: 'pay', callback: 'never' }))
  for (const payment of payments) expect(await sendCallback(store, payment)).toBe(200)
  const second = await openApp(store.app.config, { log: store.app.log })
  try {
    const release = await holdTransaction(store.app, 'select from payment_callback for update')
    const runs = [store.app, second.app].map((app) => applyCallbacksJob.run(app))
    await untilWaiting(store.app, runs.length)
    await release()
    await Promise.all(runs)
  } finally {
    await second.close()
  }
  const [target] = store.targets
  const { json } = await call(target, 'GET', '/account/payment-callbacks?limit=100')
  expect(json.payment_callbacks).toHaveLength(30)
  for (const { status, attempts } of json.payment_callbacks)
    expect({ status, attempts }).toEqual({ status: 'applied', attempts: 1 })
  const completions = await sales.completions()
  for (const { id } of orders) {
    expect(await sales.get(id)).toMatchObject({ status: 'completed', paid_cents: 1000 })
    expect(completions).toContainEqual({ object_id: id, count: 1 })
  }
  await database.expectNoFaults()
})

/** Sends a callback about a payment as the provider signs it, and returns the status of the answer. */
async function sendCallback(
  { app, targets: [target] }: ServedStore,
  { id }: Json,
): Promise<number> {
  const side = await selectStore(app.db, target.store)
  if (!side) throw new Error('The store does not exist.')
  const event = {
    id: `tev_race_${id}`,
    type: 'payment.paid',
    data: { store: side.hash, payment: id },
  }
  const { headers, body } = signedCallback(storeContextOf(app, side), JSON.stringify(event))
  const response = await fetch(`${target.origin}/callbacks/test/${side.hash}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: new Uint8Array(body),
  })
  return response.status
}

/** The buyers of the ten keys. The long form has 1,000. */
const BUYERS = IS_WHOLE ? 1_000 : 80
const BUYERS_AT_ONCE = 40

test(`ten keys go to ten of ${BUYERS} buyers who pay, abandon or pay late, and all other money is listed and refunded`, async (context) => {
  const sales = await openSales(await database.openStore(context, 'test'), 10)
  const buyAll = async (count: number): Promise<Json[]> => {
    const replies = await Promise.all(Array.from({ length: count }, () => sales.order()))
    for (const reply of replies) expectStatus(reply, 409)
    return replies.flatMap(({ json }) => (json.order ? [json.order] : []))
  }
  const pay = (payments: readonly Json[], callback: string) =>
    Promise.all(payments.map((payment) => sales.simulate(payment, { do: 'pay', callback })))
  const orders: Json[] = []
  const latePayments: Json[] = []
  for (let left = BUYERS; left > 0; left -= BUYERS_AT_ONCE) {
    const isFirst = left === BUYERS
    const bought = await buyAll(BUYERS_AT_ONCE)
    expect(bought).toHaveLength(isFirst ? 10 : 6)
    const payments = await Promise.all(bought.map(({ id }) => sales.start(id)))
    orders.push(...bought)
    // Four of the first buyers pay in time, and all of the last ones. Half of the others abandon.
    if (isFirst) await pay(payments.slice(0, 4), 'once')
    if (left > BUYERS_AT_ONCE) {
      await sales.expire(bought.map(({ id }) => id))
      latePayments.push(...payments.slice(isFirst ? 4 : 0).filter((_, n) => n % 2 === 0))
    } else await Promise.all([pay(payments, 'once'), pay(latePayments, 'twice')])
  }

  const ended = await Promise.all(orders.map(({ id }) => sales.get(id)))
  const delivered = ended.filter(({ status }) => status === 'completed')
  expect(new Set(delivered.flatMap(({ deliveries }) => deliveries[0].keys)).size).toBe(10)
  const others = ended.filter(({ status }) => status !== 'completed')
  const late = others.filter(({ paid_cents }) => paid_cents > 0)
  expect(late).toHaveLength(latePayments.length)
  for (const { status, deliveries } of others) expect([status, deliveries]).toEqual(['expired', []])
  expect(new Set(await sales.overpaid())).toEqual(new Set(late.map(({ id }) => id)))
  for (const { id, paid_cents } of late) {
    expect(paid_cents).toBe(1_000)
    expectStatus(await sales.post(`/orders/${id}/refund`, {}))
  }
  expect(await sales.overpaid()).toEqual([])
  await database.expectNoFaults()
})
