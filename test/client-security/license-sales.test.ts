import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, orderOf, product } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

/** Creates a product whose sales create license keys of the program. */
async function createLicensedProduct(policy: Json = {}) {
  const licensedProduct = await product(tradepost, { type: 'license' })
  const body = { app_id: program.appId, ...policy }
  await expectSuccess(seller.put(`/license-policies/${licensedProduct.variantId}`, body))
  return licensedProduct
}
const pay = async (id: string) => {
  const { status, json } = await tradepost.post(`/orders/${id}/manual-payments`, {})
  if (status !== 201) throw new Error(JSON.stringify(json))
  return json.order as Json
}

test('a paid license product is delivered as license keys, which are valid and shown in the order', async () => {
  const { id, variantId } = await createLicensedProduct({
    prefix: 'GAME',
    level: 4,
    max_devices: 1,
  })
  const { id: orderId } = await order(tradepost, id, { items: [{ product_id: id, quantity: 2 }] })
  expect((await expectSuccess(seller.get(`/keys?product_id=${id}`))).keys).toEqual([])
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
  const { keys } = await expectSuccess(seller.get('/keys?customer_email=ada@example.com'))
  expect(keys[0]).toMatchObject({
    product_id: id,
    variant_id: variantId,
    invoice_id: orderId,
    customer_email: 'ada@example.com',
    max_devices: 1,
    status: 'unused',
  })
  const completedPayloads = await tradepost.payloads('order.completed')
  expect(JSON.stringify(completedPayloads.at(-1))).toContain(delivery.keys[0])
  expect((await tradepost.get(`/orders/${orderId}`)).json.order.deliveries[0].keys).toEqual(
    delivery.keys,
  )
})

test('a sale without a license policy creates a license key of the default app without limits or expiry', async () => {
  const { id } = await product(tradepost, { type: 'license' })
  const { status, json } = await tradepost.post('/orders', orderOf(id, { mark_paid: true }))
  expect([status, json.order.status]).toEqual([201, 'completed'])
  const [key] = (await expectSuccess(seller.get(`/keys?product_id=${id}`))).keys
  const { apps } = await expectSuccess(seller.get('/apps'))
  expect(key.app_id).toBe(apps.find((app: Json) => app.is_default).id)
  expect(key).toMatchObject({ max_devices: null, expires_at: null, level: 0 })
})

test('an unpaid order, a payment under review and a partial payment create no license key', async () => {
  const { id } = await createLicensedProduct()
  const { id: orderId } = await order(tradepost, id)
  const review = { status: 'pending_review' }
  const partial = { amount_cents: 1 }
  const { id: partlyPaidId } = await order(tradepost, id)
  const answers = [
    await tradepost.post(`/orders/${orderId}/manual-payments`, review),
    await tradepost.post(`/orders/${partlyPaidId}/manual-payments`, partial),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect((await expectSuccess(seller.get(`/keys?product_id=${id}`))).keys).toEqual([])
})

test('a full refund suspends the license keys of its order, which ends their sessions and allows no new session', async () => {
  const { id } = await createLicensedProduct()
  const refundedOrder = await pay((await order(tradepost, id)).id)
  const otherOrder = await pay((await order(tradepost, id)).id)
  const [key] = refundedOrder.deliveries[0].keys
  const startBody = { license_key: key, device: newMachine() }
  const { session } = await program.start(startBody)
  const [licenseKey] = (await expectSuccess(seller.get(`/keys?key=${key}`))).keys
  expect(
    (await tradepost.post(`/orders/${refundedOrder.id}/refund`, { amount_cents: 1 })).status,
  ).toBe(201)
  expect((await program.validate(key)).code).toBe('VALID')
  expect((await tradepost.post(`/orders/${refundedOrder.id}/refund`, {})).status).toBe(201)
  expect((await expectSuccess(seller.get(`/keys/${licenseKey.id}`))).key).toMatchObject({
    status: 'suspended',
  })
  expect((await program.start(startBody)).code).toBe('SUSPENDED')
  const heartbeat = await program.call('POST', '/sessions/heartbeat', { token: session.token })
  expect(heartbeat.status).toBe(401)
  expect((await program.validate(otherOrder.deliveries[0].keys[0])).code).toBe('VALID')
})

test('a license policy is read by its variant, and is 404 in another store', async () => {
  const otherSeller = await createSeller(tradepost, tradepost.other.id)
  const { variantId } = await createLicensedProduct()
  expect((await otherSeller.put(`/license-policies/${variantId}`, {})).status).toBe(404)
  expect((await otherSeller.get(`/license-policies/${variantId}`)).status).toBe(404)
  expect((await seller.put('/license-policies/1e3', {})).status).toBe(404)
  const { license_policy } = await expectSuccess(seller.get(`/license-policies/${variantId}`))
  expect(license_policy).toMatchObject({ variant_id: variantId, app_id: program.appId, level: 0 })
})

test('a changed license policy applies to later sales only', async () => {
  const { id, variantId } = await createLicensedProduct({ level: 1 })
  const earlier = await pay((await order(tradepost, id)).id)
  const changed = { app_id: program.appId, level: 2 }
  await expectSuccess(seller.put(`/license-policies/${variantId}`, changed))
  const later = await pay((await order(tradepost, id)).id)
  const levelOf = async (paidOrder: Json) =>
    (await program.validate(paidOrder.deliveries[0].keys[0])).license.level
  expect([await levelOf(earlier), await levelOf(later)]).toEqual([1, 2])
})

test('an app cannot be deleted while the license policy of an existing variant uses it', async () => {
  const { variantId, id } = await createLicensedProduct()
  const otherProgram = await createProgram(tradepost, seller)
  const policy = { app_id: otherProgram.appId, max_devices: 1 }
  await expectSuccess(seller.put(`/license-policies/${variantId}`, policy))
  const { status, json } = await seller.delete(`/apps/${otherProgram.appId}`)
  expect([status, json.error]).toEqual([
    409,
    `The license policy of variant ${variantId} uses this app. Set another app with PUT /license-policies/${variantId} first.`,
  ])
  expect(
    (await expectSuccess(seller.get(`/license-policies/${variantId}`))).license_policy,
  ).toMatchObject(policy)
  await expectSuccess(seller.put(`/license-policies/${variantId}`, { app_id: program.appId }))
  await expectSuccess(seller.delete(`/apps/${otherProgram.appId}`))
  const lastProgram = await createProgram(tradepost, seller)
  await expectSuccess(seller.put(`/license-policies/${variantId}`, { app_id: lastProgram.appId }))
  expect((await tradepost.delete(`/products/${id}`)).status).toBe(200)
  await expectSuccess(seller.delete(`/apps/${lastProgram.appId}`))
})
