import { sql } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { expireOrdersJob } from '../../src/features/store/payments/index.ts'
import { orderOf } from '../build.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import { sharedDatabase } from './shared-database.ts'

// The sequences in which use cases lock records of several kinds (decision 400).

const database = sharedDatabase()
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PICTURES = 12

async function openStore(context: TestContext) {
  const { app, storeId, targets } = await database.openStore(context)
  const send = async (method: string, path: string, body?: Json): Promise<Json> => {
    const { status, json, text } = await call(targets[0], method, path, { body })
    expect([200, 201], text).toContain(status)
    return json
  }
  const createService = async (): Promise<string> =>
    (await send('POST', '/products', { name: 'Advice', type: 'service', price_cents: 1_000 }))
      .product.id
  return { app, storeId, target: targets[0], send, createService }
}

type OpenedStore = Awaited<ReturnType<typeof openStore>>

/** Creates an approved partner with the link `grace`. */
async function createPartner({ send }: OpenedStore): Promise<string> {
  await send('PATCH', '/affiliates/program', { enabled: true })
  const { partner } = await send('POST', '/affiliates/partners', { email: 'grace@example.com' })
  await send('POST', `/affiliates/partners/${partner.id}/links`, { code: 'grace' })
  return partner.id
}

const holdPartner = ({ app }: OpenedStore, id: string) =>
  holdTransaction(app, `select from affiliate_partner where id = '${id}' for update`)

test('the payment of an expired order does not deadlock with a new order that has the same coupon and partner', async (context) => {
  const store = await openStore(context)
  const { app, send } = store
  const partnerId = await createPartner(store)
  await send('POST', '/coupons', { code: 'LATE', type: 'percentage', discount_percent: 10 })
  const buy = async (email: string, fields: Json = {}) =>
    send(
      'POST',
      '/orders',
      orderOf(await store.createService(), {
        customer: { email },
        coupon_code: 'LATE',
        affiliate_code: 'grace',
        ...fields,
      }),
    )
  const { order } = await buy('late@example.com')
  await ask(app.config.databaseUrl ?? '', `update "order" set expires_at = now() - interval '1 s'`)
  while (await expireOrdersJob.run(app)) {}

  const releasePartner = await holdPartner(store, partnerId)
  const payment = send('POST', `/orders/${order.id}/manual-payments`, {})
  await untilWaiting(app, 1)
  const newOrder = buy('new@example.com', { mark_paid: true })
  await untilWaiting(app, 2)
  await releasePartner()
  expect((await payment).order.status).toBe('paid')
  expect((await newOrder).order.status).toBe('paid')
  await database.expectNoFaults()
})

test('the payment of an expired order locks its coupon before it creates license keys', async (context) => {
  const { app, storeId, send } = await openStore(context)
  await send('POST', '/coupons', { code: 'LATE', type: 'percentage', discount_percent: 10 })
  // Each order has another product, so the orders do not wait for the same stock.
  const buy = async (email: string, more: Json = {}) => {
    const fields = { name: 'Program', type: 'license', price_cents: 1_000 }
    const { product } = await send('POST', '/products', fields)
    const body = { customer: { email }, coupon_code: 'LATE', ...more }
    return send('POST', '/orders', orderOf(product.id, body))
  }
  const { order } = await buy('late@example.com')
  await ask(app.config.databaseUrl ?? '', `update "order" set expires_at = now() - interval '1 s'`)
  while (await expireOrdersJob.run(app)) {}

  // The new order has locked the coupon when it waits for its number. The first license key of a store
  // creates the default app, for which other transactions wait.
  const releaseNumber = await holdTransaction(
    app,
    `select from order_counter where store_id = ${storeId} for update`,
  )
  const newOrder = buy('new@example.com', { mark_paid: true })
  await untilWaiting(app, 1)
  const payment = send('POST', `/orders/${order.id}/manual-payments`, {})
  await untilWaiting(app, 2)
  await releaseNumber()
  expect((await payment).order.status).toBe('completed')
  expect((await newOrder).order.status).toBe('completed')
  await database.expectNoFaults()
})

test('an erasure locks the partners of the conversions of its customer', async (context) => {
  const store = await openStore(context)
  const { app, send } = store
  const partnerId = await createPartner(store)
  const body = orderOf(await store.createService(), { affiliate_code: 'grace', mark_paid: true })
  const { order } = await send('POST', '/orders', body)
  const releasePartner = await holdPartner(store, partnerId)
  const erasure = send('POST', `/customers/${order.customer.id}/erase`, {})
  await untilWaiting(app, 1)
  await releasePartner()
  await erasure
  await database.expectNoFaults()
})

test('an erasure locks the blocklist entries of all addresses of its customer in the order of their ids', async (context) => {
  const { app, storeId, send } = await openStore(context)
  const createCustomer = async (email: string): Promise<number> =>
    (await send('POST', '/customers', { email })).customer.id
  const [former, customer] = [
    await createCustomer('b@example.com'),
    await createCustomer('a@example.com'),
  ]
  for (const value of ['b@example.com', 'a@example.com'])
    await send('POST', '/blocklist', { type: 'email', value })
  await send('POST', `/customers/${former}/merge`, { into: customer })
  const releaseFirst = await holdTransaction(
    app,
    `select from blocklist_entry where store_id = ${storeId} order by id limit 1 for update`,
  )
  const erasure = send('POST', `/customers/${customer}/erase`, {})
  await untilWaiting(app, 1)
  const { rows: unlocked } = await sql`
    select value from blocklist_entry where store_id = ${storeId} for update skip locked`.execute(
    app.db,
  )
  await releaseFirst()
  await erasure
  expect(unlocked).toEqual([{ value: 'a@example.com' }])
  await database.expectNoFaults()
})

test('an erasure locks coupons before license keys', async (context) => {
  const { app, storeId, send } = await openStore(context)
  const fields = { name: 'Program', type: 'license', price_cents: 1_000 }
  const { product } = await send('POST', '/products', fields)
  const { order } = await send('POST', '/orders', orderOf(product.id, { mark_paid: true }))
  const allowed_emails = [order.customer.email]
  const discount = { type: 'percentage', discount_percent: 10 }
  await send('POST', '/coupons', { code: 'MINE', allowed_emails, ...discount })
  const releaseCoupon = await holdTransaction(
    app,
    `select from coupon where store_id = ${storeId} for update`,
  )
  const erasure = send('POST', `/customers/${order.customer.id}/erase`, {})
  await untilWaiting(app, 1)
  const { rows: unlocked } = await sql`
    select id from license_key where store_id = ${storeId} for update skip locked`.execute(app.db)
  await releaseCoupon()
  await erasure
  expect(unlocked).toHaveLength(1)
  await database.expectNoFaults()
})

test.for<
  [name: string, call: (store: OpenedStore, original: string, copy: string) => Promise<Json>]
>([
  ['the deletion', ({ send }, _, copy) => send('DELETE', `/products/${copy}`)],
  ['a duplication', ({ send }, original) => send('POST', `/products/${original}/duplicate`, {})],
])(
  '%s of a product locks its stored pictures in the order of their ids',
  async ([_, change], context) => {
    const store = await openStore(context)
    const { app, storeId, send, target } = store
    const original = await store.createService()
    for (let n = 0; n < PICTURES; n++) {
      const form = new FormData()
      form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png')
      const response = await fetch(`${target.origin}/v1/products/${original}/media`, {
        method: 'POST',
        headers: { 'x-api-key': target.key, 'x-store-hash': target.store },
        body: form,
      })
      expect(response.status, await response.text()).toBe(201)
    }
    const { product: copy } = await send('POST', `/products/${original}/duplicate`, {})
    const releaseLast = await holdTransaction(
      app,
      `select from blob where store_id = ${storeId} order by id desc limit 1 for update`,
    )
    const changing = change(store, original, copy.id)
    await untilWaiting(app, 1)
    const { rows: unlocked } = await sql`
    select id from blob where store_id = ${storeId} for update skip locked`.execute(app.db)
    await releaseLast()
    await changing
    expect(unlocked).toEqual([])
    await database.expectNoFaults()
  },
)
