import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, orderOf, product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
})
afterAll(() => tradepost.close())

/** A product whose sales create licenses of the program. */
async function licensed(policy: Json = {}) {
  const sold = await product(tradepost, { type: 'license' })
  const body = { app_id: program.appId, ...policy }
  await made(seller.put(`/license-policies/${sold.variantId}`, body))
  return sold
}
const pay = async (id: string) => {
  const { status, json } = await tradepost.post(`/orders/${id}/manual-payments`, {})
  if (status !== 201) throw new Error(JSON.stringify(json))
  return json.order as Json
}

test('a paid license is a key that validates in the next call and is part of the order', async () => {
  const { id, variantId } = await licensed({ prefix: 'GAME', level: 4, max_devices: 1 })
  const { id: orderId } = await order(tradepost, id, { items: [{ product_id: id, quantity: 2 }] })
  expect((await made(seller.get(`/keys?product_id=${id}`))).keys).toEqual([])
  await tradepost.events()
  const paid = await pay(orderId)
  expect(paid.status).toBe('completed')
  expect(await tradepost.events()).toContain('order.completed')
  const [delivery] = paid.deliveries
  expect(delivery).toMatchObject({ type: 'license', status: 'delivered' })
  expect(delivery.keys).toHaveLength(2)
  for (const key of delivery.keys) {
    expect(key).toMatch(/^GAME-([0-9A-Z]{5}-){4}[0-9A-Z]{5}$/)
    expect(await program.validate(key)).toMatchObject({ code: 'VALID', license: { level: 4 } })
  }
  const { keys } = await made(seller.get('/keys?customer_email=ada@example.com'))
  expect(keys[0]).toMatchObject({
    product_id: id,
    variant_id: variantId,
    invoice_id: orderId,
    customer_email: 'ada@example.com',
    max_devices: 1,
    status: 'unused',
  })
  const emitted = await tradepost.payloads('order.completed')
  expect(JSON.stringify(emitted.at(-1))).toContain(delivery.keys[0])
  expect((await tradepost.get(`/orders/${orderId}`)).json.order.deliveries[0].keys).toEqual(
    delivery.keys,
  )
})

test('without a policy a sale makes a key of the default app, without limits and end', async () => {
  const { id } = await product(tradepost, { type: 'license' })
  const { status, json } = await tradepost.post('/orders', orderOf(id, { mark_paid: true }))
  expect([status, json.order.status]).toEqual([201, 'completed'])
  const [key] = (await made(seller.get(`/keys?product_id=${id}`))).keys
  const { apps } = await made(seller.get('/apps'))
  expect(key.app_id).toBe(apps.find((app: Json) => app.is_default).id)
  expect(key).toMatchObject({ max_devices: null, expires_at: null, level: 0 })
})

test('an unpaid order and a reversed payment create no key', async () => {
  const { id } = await licensed()
  const { id: orderId } = await order(tradepost, id)
  await tradepost.post(`/orders/${orderId}/manual-payments`, { status: 'pending_review' })
  const half = { amount_cents: 1 }
  await tradepost.post(`/orders/${(await order(tradepost, id)).id}/manual-payments`, half)
  expect((await made(seller.get(`/keys?product_id=${id}`))).keys).toEqual([])
})

test('a full refund suspends its keys: their sessions end and no new one starts', async () => {
  const { id } = await licensed()
  const paid = await pay((await order(tradepost, id)).id)
  const other = await pay((await order(tradepost, id)).id)
  const [key] = paid.deliveries[0].keys
  const ask = { license_key: key, device: machine() }
  const { session } = await program.start(ask)
  const [row] = (await made(seller.get(`/keys?key=${key}`))).keys
  expect((await tradepost.post(`/orders/${paid.id}/refund`, { amount_cents: 1 })).status).toBe(201)
  expect((await program.validate(key)).code).toBe('VALID')
  expect((await tradepost.post(`/orders/${paid.id}/refund`, {})).status).toBe(201)
  expect((await made(seller.get(`/keys/${row.id}`))).key).toMatchObject({ status: 'suspended' })
  expect((await program.start(ask)).code).toBe('SUSPENDED')
  const beat = await program.call('POST', '/sessions/heartbeat', { token: session.token })
  expect(beat.status).toBe(401)
  expect((await program.validate(other.deliveries[0].keys[0])).code).toBe('VALID')
})

test('a policy is of the store’s own variants, and its changes hold for later sales', async () => {
  const next = await sellerAt(tradepost, tradepost.other.id)
  const { variantId } = await licensed()
  expect((await next.put(`/license-policies/${variantId}`, {})).status).toBe(404)
  expect((await next.get(`/license-policies/${variantId}`)).status).toBe(404)
  expect((await seller.put('/license-policies/1e3', {})).status).toBe(404)
  const { license_policy } = await made(seller.get(`/license-policies/${variantId}`))
  expect(license_policy).toMatchObject({ variant_id: variantId, app_id: program.appId, level: 0 })
})

test('an app cannot be deleted while a license policy uses it', async () => {
  const { variantId, id } = await licensed()
  const other = await programOf(tradepost, seller)
  const policy = { app_id: other.appId, max_devices: 1 }
  await made(seller.put(`/license-policies/${variantId}`, policy))
  const { status, json } = await seller.delete(`/apps/${other.appId}`)
  expect([status, json.error]).toEqual([
    409,
    `The license policy of variant ${variantId} uses this app. Name another app with PUT /license-policies/${variantId} first.`,
  ])
  expect((await made(seller.get(`/license-policies/${variantId}`))).license_policy).toMatchObject(
    policy,
  )
  await made(seller.put(`/license-policies/${variantId}`, { app_id: program.appId }))
  await made(seller.delete(`/apps/${other.appId}`))
  const third = await programOf(tradepost, seller)
  await made(seller.put(`/license-policies/${variantId}`, { app_id: third.appId }))
  expect((await tradepost.delete(`/products/${id}`)).status).toBe(200)
  await made(seller.delete(`/apps/${third.appId}`))
})
