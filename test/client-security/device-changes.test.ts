import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createLicenseKey } from './prepared-calls.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

const DAY_MS = 86_400_000

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  tradepost.stopClock()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

const createKey = (fields: Json = {}) =>
  createLicenseKey(seller, { app_id: program.appId, reset_cooldown_seconds: 0, ...fields })

async function startSession(license_key: string): Promise<{ token: string; id: number }> {
  const { session, device } = await program.start({ license_key, device: newMachine() })
  return { token: session.token, id: device.id }
}
const deactivate = (token: string) => program.call('POST', '/deactivate', { token })
const free = (token: string, id: number) => program.call('DELETE', `/devices/${id}`, { token })

test('a customer can free as many devices in 30 days as the license allows, the current or another one (decision 119)', async () => {
  const { key } = await createKey({ max_device_changes: 2 })
  const [current, lost, third] = [
    await startSession(key),
    await startSession(key),
    await startSession(key),
  ]
  expect((await free(current.token, lost.id)).status).toBe(200)
  tradepost.forward(60_000)
  expect((await deactivate(third.token)).status).toBe(200)
  const fourth = await startSession(key)
  for (const refused of [await deactivate(fourth.token), await free(current.token, fourth.id)]) {
    expect(refused.status).toBe(409)
    expect(refused.json.error).toMatch(
      /^This license allows customers to free 2 devices within 30 days/,
    )
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan((29 * DAY_MS) / 1000)
  }
  // The refused calls freed no device, and did not end the session.
  const { devices } = (await program.call('GET', '/devices', { token: fourth.token })).json
  expect(devices).toHaveLength(2)
})

test('a device change is counted for 30 days by the clock of the store (decision 119)', async () => {
  const { key } = await createKey({ max_device_changes: 1 })
  expect((await deactivate((await startSession(key)).token)).status).toBe(200)
  tradepost.forward(30 * DAY_MS - 60_000)
  expect((await deactivate((await startSession(key)).token)).status).toBe(409)
  tradepost.forward(60_001)
  expect((await deactivate((await startSession(key)).token)).status).toBe(200)
})

test('a max_device_changes of 0 allows only the seller to free devices, which is not counted (decision 119)', async () => {
  const { key, id } = await createKey({ max_device_changes: 0 })
  const device = await startSession(key)
  const refused = await deactivate(device.token)
  expect([refused.status, refused.headers['retry-after']]).toEqual([409, undefined])
  await expectSuccess(seller.delete(`/keys/${id}/devices/${device.id}`))
  await expectSuccess(seller.patch(`/keys/${id}`, { max_device_changes: 1 }))
  expect((await deactivate((await startSession(key)).token)).status).toBe(200)
  await expectSuccess(seller.patch(`/keys/${id}`, { max_device_changes: null }))
  for (let n = 0; n < 3; n++)
    expect((await deactivate((await startSession(key)).token)).status).toBe(200)
  // Device changes that were made without a limit are counted when a limit is set.
  const { key: changedKey } = await expectSuccess(
    seller.patch(`/keys/${id}`, { max_device_changes: 4 }),
  )
  expect(changedKey.max_device_changes).toBe(4)
  expect((await deactivate((await startSession(key)).token)).status).toBe(409)
})

test('a license policy passes its max_device_changes to the license keys of its variant (decision 119)', async () => {
  const { id, variantId } = await product(tradepost, { type: 'license' })
  const path = `/license-policies/${variantId}`
  const body = { app_id: program.appId, max_device_changes: 3 }
  expect((await expectSuccess(seller.put(path, body))).license_policy.max_device_changes).toBe(3)
  const newOrder = await order(tradepost, id)
  const paid = await tradepost.post(`/orders/${newOrder.id}/manual-payments`, {})
  expect(paid.status).toBe(201)
  const [key] = (await expectSuccess(seller.get(`/keys?product_id=${id}`))).keys
  expect(key.max_device_changes).toBe(3)
  const withoutLimit = { app_id: program.appId }
  expect(
    (await expectSuccess(seller.put(path, withoutLimit))).license_policy.max_device_changes,
  ).toBeNull()
  const invalid = await seller.put(path, { ...withoutLimit, max_device_changes: -1 })
  expect([invalid.status, invalid.json.error]).toEqual([
    422,
    expect.stringMatching(/^max_device_changes: /),
  ])
})
