import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  expectSuccess,
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

const readSettings = async (options?: CallOptions): Promise<Json> =>
  (await tradepost.get('/account/settings', options)).json.settings

async function changeSettings(fields: Json, options?: CallOptions): Promise<Json> {
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
  mail_from_name: null,
  language: 'en',
  mail_api_orders: false,
}
const ADDRESS = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }
const COMPLETE_ADDRESS = { ...ADDRESS, line2: null, region: null, postal_code: null, phone: null }

describe('the settings of a store (decision 144)', () => {
  test('have defaults, a change keeps omitted fields, and null clears a field', async () => {
    await tradepost.events()
    expect((await tradepost.get('/account/settings')).json).toEqual({
      success: true,
      settings: DEFAULTS,
    })
    const newSettings = {
      order_expiry_minutes: 15,
      auto_review_days: 30,
      return_window_days: 0,
      time_zone: 'America/Argentina/Buenos_Aires',
      return_address: ADDRESS,
      support_email: 'Help@Example.com',
      mail_from_name: 'The corner',
      language: 'de',
      mail_api_orders: true,
    }
    const expected = {
      ...newSettings,
      return_address: COMPLETE_ADDRESS,
      support_email: 'help@example.com',
    }
    expect(await changeSettings(newSettings)).toEqual(expected)
    expect(await changeSettings({})).toEqual(expected)
    expect(await readSettings()).toEqual(expected)
    const clearedFields = { auto_review_days: null, return_address: null, support_email: null }
    expect(await changeSettings(clearedFields)).toEqual({ ...expected, ...clearedFields })
    expect(await changeSettings(DEFAULTS)).toEqual(DEFAULTS)
    expect(await tradepost.events()).toEqual([])
  })

  test('differ for each side and each store', async () => {
    await changeSettings({ return_window_days: 3 })
    for (const as of [tradepost.test, tradepost.other]) {
      expect(await readSettings({ as })).toEqual(DEFAULTS)
    }
    await changeSettings({ return_window_days: 14 })
  })

  test.each([
    ['order_expiry_minutes', [14, 10_081, 15.5, '60', null]],
    ['auto_review_days', [0, 31, 1.5, false]],
    ['return_window_days', [-1, 366, null]],
    ['time_zone', ['Mars/Base', 'europe/berlin', '+02:00', 'CEST+2; drop', '', null]],
    ['support_email', ['nobody', 5]],
    ['return_address', [{}, 'Street 1', { ...ADDRESS, country: 'Germany' }]],
    ['currency', ['USD']],
  ])('reject a bad %s, and the error names the field', async (field, values) => {
    for (const value of values) {
      const { status, json } = await tradepost.patch('/account/settings', { [field]: value })
      expect([value, status, json.code]).toEqual([value, 422, 'VALIDATION_FAILED'])
      expect(json.details.field.split('.')[0]).toBe(field)
    }
    expect(await readSettings()).toEqual(DEFAULTS)
  })

  test('accept the current time zones', async () => {
    for (const time_zone of ['Europe/Berlin', 'Asia/Kolkata', 'Etc/GMT+5', 'UTC']) {
      expect((await changeSettings({ time_zone })).time_zone).toBe(time_zone)
    }
  })

  test('need account:read to be read, and account:write to be changed', async () => {
    const reader = await tradepost.key({ permissions: ['account:read'] })
    const writer = await tradepost.key({ permissions: ['account:write'] })
    const body = { return_window_days: 14 }
    expect((await tradepost.get('/account/settings', { as: reader })).status).toBe(200)
    expect((await tradepost.patch('/account/settings', body, { as: writer })).status).toBe(200)
    for (const { status, json } of [
      await tradepost.get('/account/settings', { as: writer }),
      await tradepost.patch('/account/settings', body, { as: reader }),
    ]) {
      expect([status, json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    }
  })

  test('are audited with their former and new values', async () => {
    const lastId = await lastAuditId(tradepost)
    await changeSettings({ return_window_days: 20, time_zone: 'UTC' })
    await changeSettings({ return_window_days: 14 })
    expect(await auditEventsSince(tradepost, lastId)).toMatchObject([
      { object_id: tradepost.live.id, changes: { return_window_days: { from: 14, to: 20 } } },
      { object_id: tradepost.live.id, changes: { return_window_days: { from: 20, to: 14 } } },
    ])
  })
})

describe('a changed setting applies from the next call on', () => {
  test('to the expiry of new orders, not to existing ones', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const minutesToExpiry = ({ created_at, expires_at }: Json) =>
      (Date.parse(expires_at) - Date.parse(created_at)) / MINUTE_MS
    const earlierOrder = await order(tradepost, id)
    await changeSettings({ order_expiry_minutes: 90 })
    expect(minutesToExpiry(await order(tradepost, id))).toBe(90)
    expect(minutesToExpiry((await tradepost.get(`/orders/${earlierOrder.id}`)).json.order)).toBe(60)
    await changeSettings({ order_expiry_minutes: 60 })
    expect(minutesToExpiry(await order(tradepost, id))).toBe(60)
  })

  test('to requests of returns, whose refusal names the setting', async () => {
    const { id, variantId } = await product(tradepost, { name: 'Mug', type: 'physical' })
    await expectSuccess(
      tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 1 }),
    )
    const shippedOrder = await order(tradepost, id, { mark_paid: true })
    await expectSuccess(tradepost.post(`/orders/${shippedOrder.id}/fulfillments`, {}))
    tradepost.forward(15 * DAY_MS)
    const items = [{ order_item_id: shippedOrder.items[0].id, quantity: 1 }]
    const requestReturn = () => tradepost.post('/returns', { order_id: shippedOrder.id, items })
    const { status, json } = await requestReturn()
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(json.error).toContain('return_window_days')
    await changeSettings({ return_window_days: 16 })
    expect((await requestReturn()).status).toBe(201)
    await changeSettings({ return_window_days: 14 })
  })
})
