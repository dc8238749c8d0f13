import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aKey } from './walks.ts'

const DAY_MS = 86_400_000

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
})
afterAll(() => tradepost.close())

const keyOf = (fields: Json = {}) =>
  aKey(seller, { app_id: program.appId, reset_cooldown_seconds: 0, ...fields })

async function started(license_key: string): Promise<{ token: string; id: number }> {
  const { session, device } = await program.start({ license_key, device: machine() })
  return { token: session.token, id: device.id }
}
const leave = (token: string) => program.call('POST', '/deactivate', { token })
const free = (token: string, id: number) => program.call('DELETE', `/devices/${id}`, { token })

test('a holder frees as many devices within 30 days as the license says, this one or a lost one (decision 119)', async () => {
  const { key } = await keyOf({ max_device_changes: 2 })
  const [home, lost, third] = [await started(key), await started(key), await started(key)]
  expect((await free(home.token, lost.id)).status).toBe(200)
  tradepost.forward(60_000)
  expect((await leave(third.token)).status).toBe(200)
  const fourth = await started(key)
  for (const refused of [await leave(fourth.token), await free(home.token, fourth.id)]) {
    expect(refused.status).toBe(409)
    expect(refused.json.error).toMatch(
      /^This license allows its holder to free 2 devices within 30 days/,
    )
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan((29 * DAY_MS) / 1000)
  }
  // Nothing was freed, and the session stays live.
  const { devices } = (await program.call('GET', '/devices', { token: fourth.token })).json
  expect(devices).toHaveLength(2)
})

test('a change counts for 30 days by the clock of the store (decision 119)', async () => {
  const { key } = await keyOf({ max_device_changes: 1 })
  expect((await leave((await started(key)).token)).status).toBe(200)
  tradepost.forward(30 * DAY_MS - 60_000)
  expect((await leave((await started(key)).token)).status).toBe(409)
  tradepost.forward(60_001)
  expect((await leave((await started(key)).token)).status).toBe(200)
})

test('0 allows only the seller to free devices, whose changes never count (decision 119)', async () => {
  const { key, id } = await keyOf({ max_device_changes: 0 })
  const device = await started(key)
  const refused = await leave(device.token)
  expect([refused.status, refused.headers['retry-after']]).toEqual([409, undefined])
  await made(seller.delete(`/keys/${id}/devices/${device.id}`))
  await made(seller.patch(`/keys/${id}`, { max_device_changes: 1 }))
  expect((await leave((await started(key)).token)).status).toBe(200)
  await made(seller.patch(`/keys/${id}`, { max_device_changes: null }))
  for (let n = 0; n < 3; n++) expect((await leave((await started(key)).token)).status).toBe(200)
  // Device changes without a limit count after a limit is set.
  const { key: changed } = await made(seller.patch(`/keys/${id}`, { max_device_changes: 4 }))
  expect(changed.max_device_changes).toBe(4)
  expect((await leave((await started(key)).token)).status).toBe(409)
})

test('a license policy gives it to the keys that its variant sells (decision 119)', async () => {
  const { id, variantId } = await product(tradepost, { type: 'license' })
  const path = `/license-policies/${variantId}`
  const body = { app_id: program.appId, max_device_changes: 3 }
  expect((await made(seller.put(path, body))).license_policy.max_device_changes).toBe(3)
  const sold = await order(tradepost, id)
  await tradepost.post(`/orders/${sold.id}/manual-payments`, {})
  const [key] = (await made(seller.get(`/keys?product_id=${id}`))).keys
  expect(key.max_device_changes).toBe(3)
  const without = { app_id: program.appId }
  expect((await made(seller.put(path, without))).license_policy.max_device_changes).toBeNull()
  const bad = await seller.put(path, { ...without, max_device_changes: -1 })
  expect([bad.status, bad.json.error]).toEqual([
    422,
    expect.stringMatching(/^max_device_changes: /),
  ])
})
