import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditedSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { DAY_MS, MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const settings = async (options?: CallOptions): Promise<Json> =>
  (await tradepost.get('/account/settings', options)).json.settings

async function set(fields: Json, options?: CallOptions): Promise<Json> {
  const { status, json, text } = await tradepost.patch('/account/settings', fields, options)
  expect(status, text).toBe(200)
  return json.settings
}

const DEFAULTS = {
  order_expiry_minutes: 60,
  auto_review_days: null,
  return_window_days: 14,
  time_zone: 'UTC',
  return_address: null,
  support_email: null,
}
const ADDRESS = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }
const WHOLE_ADDRESS = { ...ADDRESS, line2: null, region: null, postal_code: null, phone: null }

describe('the settings of a store (decision 144)', () => {
  test('begin with their defaults, keep what is left out, and null clears', async () => {
    await tradepost.events()
    expect((await tradepost.get('/account/settings')).json).toEqual({
      success: true,
      settings: DEFAULTS,
    })
    const changed = {
      order_expiry_minutes: 15,
      auto_review_days: 30,
      return_window_days: 0,
      time_zone: 'America/Argentina/Buenos_Aires',
      return_address: ADDRESS,
      support_email: 'Help@Example.com',
    }
    const after = { ...changed, return_address: WHOLE_ADDRESS, support_email: 'help@example.com' }
    expect(await set(changed)).toEqual(after)
    expect(await set({})).toEqual(after)
    expect(await settings()).toEqual(after)
    const cleared = { auto_review_days: null, return_address: null, support_email: null }
    expect(await set(cleared)).toEqual({ ...after, ...cleared })
    expect(await set(DEFAULTS)).toEqual(DEFAULTS)
    expect(await tradepost.events()).toEqual([])
  })

  test('of one side, and of another store, are others', async () => {
    await set({ return_window_days: 3 })
    for (const as of [tradepost.test, tradepost.other]) {
      expect(await settings({ as })).toEqual(DEFAULTS)
    }
    await set({ return_window_days: 14 })
  })

  test.each([
    ['order_expiry_minutes', [14, 10_081, 15.5, '60', null]],
    ['auto_review_days', [0, 31, 1.5, false]],
    ['return_window_days', [-1, 366, null]],
    ['time_zone', ['Mars/Base', 'europe/berlin', '+02:00', 'CEST+2; drop', '', null]],
    ['support_email', ['nobody', 5]],
    ['return_address', [{}, 'Street 1', { ...ADDRESS, country: 'Germany' }]],
    ['currency', ['USD']],
  ])('refuse a bad %s by its name', async (field, values) => {
    for (const value of values) {
      const { status, json } = await tradepost.patch('/account/settings', { [field]: value })
      expect([value, status, json.code]).toEqual([value, 422, 'VALIDATION_FAILED'])
      expect(json.details.field.split('.')[0]).toBe(field)
    }
    expect(await settings()).toEqual(DEFAULTS)
  })

  test('know the time zones of today', async () => {
    for (const time_zone of ['Europe/Berlin', 'Asia/Kolkata', 'Etc/GMT+5', 'UTC']) {
      expect((await set({ time_zone })).time_zone).toBe(time_zone)
    }
  })

  test('need account:read to be seen, and account:write to be changed', async () => {
    const reader = await tradepost.key({ permissions: ['account:read'] })
    const writer = await tradepost.key({ permissions: ['account:write'] })
    const body = { return_window_days: 14 }
    expect((await tradepost.get('/account/settings', { as: reader })).status).toBe(200)
    expect((await tradepost.patch('/account/settings', body, { as: writer })).status).toBe(200)
    for (const refused of [
      await tradepost.get('/account/settings', { as: writer }),
      await tradepost.patch('/account/settings', body, { as: reader }),
    ]) {
      expect([refused.status, refused.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    }
  })

  test('are audited with the values before', async () => {
    const last = await lastAuditId(tradepost)
    await set({ return_window_days: 20, time_zone: 'UTC' })
    await set({ return_window_days: 14 })
    expect(await auditedSince(tradepost, last)).toMatchObject([
      { object_id: tradepost.live.id, changes: { return_window_days: { from: 14, to: 20 } } },
      { object_id: tradepost.live.id, changes: { return_window_days: { from: 20, to: 14 } } },
    ])
  })
})

describe('a changed setting holds from the next call on', () => {
  test('for the expiry of new orders, not of those that exist', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const minutes = ({ created_at, expires_at }: Json) =>
      (Date.parse(expires_at) - Date.parse(created_at)) / MINUTE_MS
    const before = await order(tradepost, id)
    await set({ order_expiry_minutes: 90 })
    expect(minutes(await order(tradepost, id))).toBe(90)
    expect(minutes((await tradepost.get(`/orders/${before.id}`)).json.order)).toBe(60)
    await set({ order_expiry_minutes: 60 })
    expect(minutes(await order(tradepost, id))).toBe(60)
  })

  test('for requests of returns, whose refusal names it as the cure', async () => {
    const { id, variantId } = await product(tradepost, { name: 'Mug', type: 'physical' })
    await tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 1 })
    const sale = await order(tradepost, id, { mark_paid: true })
    await tradepost.post(`/orders/${sale.id}/fulfillments`, {})
    tradepost.forward(15 * DAY_MS)
    const items = [{ order_item_id: sale.items[0].id, quantity: 1 }]
    const request = () => tradepost.post('/returns', { order_id: sale.id, items })
    const { status, json } = await request()
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(json.error).toContain('return_window_days')
    await set({ return_window_days: 16 })
    expect((await request()).status).toBe(201)
    await set({ return_window_days: 14 })
  })
})
