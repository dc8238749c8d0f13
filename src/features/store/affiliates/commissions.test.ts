import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aGood,
  conversionOf,
  openProgram,
  partner,
  partnerNow,
  sale,
} from '../../../../test/affiliates.ts'
import { coupon, order } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

/** Flags, reviews, and the life of a commission until it can be paid out. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const now = (id: string) => conversionOf(tradepost, id)
const review = (id: string, status: string, note?: string) =>
  tradepost.post(`/affiliates/conversions/${id}/review`, { status, note })
const refund = (id: string, fields: Json = {}) => tradepost.post(`/orders/${id}/refund`, fields)

describe('flags', () => {
  test('a partner who buys through their own link is flagged as self_referral', async () => {
    const { code, email } = await partner(tradepost)
    const { id } = await sale(tradepost, code, { customer: { email: email.toUpperCase() } })
    expect(await now(id)).toMatchObject({
      status: 'flagged',
      flags: ['self_referral'],
      commission: 100,
      commission_state: 'pending',
    })
  })

  test('a buyer at the address of the application, or of another order within 24 hours, is flagged as same_ip', async () => {
    const applied = await tradepost.post('/affiliates/applications', {
      email: 'ip@example.com',
      name: 'Ip',
      ip: '2001:DB8::1',
    })
    const { id } = applied.json.partner
    await tradepost.post(`/affiliates/partners/${id}/approve`)
    await tradepost.post(`/affiliates/partners/${id}/links`, { code: 'same-ip' })
    const flags = async (ip?: string) => {
      const sold = await sale(tradepost, 'same-ip', { ip })
      return (await now(sold.id)).flags
    }
    expect(await flags('2001:db8:0:0::1')).toEqual(['same_ip'])
    expect(await flags()).toEqual([])
    expect(await flags('192.0.2.20')).toEqual([])
    expect(await flags('192.0.2.20')).toEqual(['same_ip'])
    tradepost.forward(DAY_MS + HOUR_MS)
    expect(await flags('192.0.2.20')).toEqual([])
  })

  test('the eleventh order of a partner within an hour is flagged as high_velocity', async () => {
    const { code } = await partner(tradepost)
    const flags: string[][] = []
    for (let n = 0; n < 11; n++) flags.push((await now((await sale(tradepost, code)).id)).flags)
    expect(flags.slice(0, 10).flat()).toEqual([])
    expect(flags[10]).toEqual(['high_velocity'])
    tradepost.forward(HOUR_MS + 1_000)
    expect((await now((await sale(tradepost, code)).id)).flags).toEqual([])
  })

  test('a buyer who is blocked when the order is paid is flagged as blocked_customer', async () => {
    const { code } = await partner(tradepost)
    const made = await order(tradepost, await aGood(tradepost), {
      customer: { email: 'blocked@example.com' },
      affiliate_code: code,
    })
    await tradepost.post(`/customers/${made.customer.id}/block`, { note: 'Fraud.' })
    await tradepost.post(`/orders/${made.id}/manual-payments`, {})
    expect(await now(made.id)).toMatchObject({ status: 'flagged', flags: ['blocked_customer'] })
  })

  test('a buyer who is blocked later is flagged as blocked_customer, by either way to block them', async () => {
    const { id, code } = await partner(tradepost)
    const first = await sale(tradepost, code)
    const second = await sale(tradepost, code)
    await tradepost.post(`/customers/${first.customer.id}/block`, {})
    await tradepost.post('/blocklist', { type: 'email', value: second.customer.email })
    for (const sold of [first, second]) {
      expect(await now(sold.id)).toMatchObject({ status: 'flagged', flags: ['blocked_customer'] })
    }
    const { json } = await tradepost.get(`/affiliates/conversions?partner_id=${id}`)
    expect(json.counts).toEqual({ all: 2, valid: 0, flagged: 2, rejected: 0 })
    await review(first.id, 'valid')
    await tradepost.post(`/customers/${first.customer.id}/unblock`, {})
    await tradepost.post(`/customers/${first.customer.id}/block`, {})
    expect((await now(first.id)).status).toBe('valid')
  })
})

describe('reviews', () => {
  test('a flagged commission stays pending after its hold until it is accepted', async () => {
    const { id, code, email } = await partner(tradepost)
    const sold = await sale(tradepost, code, { customer: { email } })
    tradepost.forward(31 * DAY_MS)
    expect(await partnerNow(tradepost, id)).toMatchObject({
      available_cents: 0,
      pending_cents: 100,
    })
    const { status, json } = await review(sold.id, 'valid', 'They bought a gift.')
    expect([status, json.conversion]).toMatchObject([
      200,
      { status: 'valid', flags: ['self_referral'], commission: 100, commission_state: 'available' },
    ])
    expect(await partnerNow(tradepost, id)).toMatchObject({
      available_cents: 100,
      pending_cents: 0,
    })
  })

  test('a rejected conversion has no commission, and gets it back when it is accepted after all', async () => {
    const { id, code } = await partner(tradepost)
    const sold = await sale(tradepost, code)
    const rejected = (await review(sold.id, 'rejected')).json.conversion
    expect(rejected).toMatchObject({ status: 'rejected', commission: 0, commission_state: 'none' })
    expect(await partnerNow(tradepost, id)).toMatchObject({ earned_cents: 0, conversions: 1 })
    await refund(sold.id, { amount_cents: 500 })
    const accepted = (await review(sold.id, 'valid')).json.conversion
    expect(accepted).toMatchObject({ commission: 50, commission_state: 'pending' })
    expect((await partnerNow(tradepost, id)).earned_cents).toBe(50)
  })

  test('a conversion that is rejected before completion earns nothing', async () => {
    const { code } = await partner(tradepost)
    const service = await aGood(tradepost, { type: 'service' })
    const made = await order(tradepost, service, { affiliate_code: code, mark_paid: true })
    await review(made.id, 'rejected')
    const delivery = { order_item_id: made.items[0].id, text: 'Done.' }
    await tradepost.post(`/orders/${made.id}/deliveries`, delivery)
    expect(await now(made.id)).toMatchObject({
      invoice_status: 'completed',
      commission: 0,
      commission_state: 'none',
    })
  })

  test('a bad status is named, and an order without a conversion is 404', async () => {
    const { code } = await partner(tradepost)
    const { id } = await sale(tradepost, code)
    const bad = await review(id, 'flagged')
    expect([bad.status, bad.json.details.field]).toEqual([422, 'status'])
    const plain = await order(tradepost, await aGood(tradepost))
    expect((await review(plain.id, 'valid')).status).toBe(404)
  })
})

describe('commissions', () => {
  test.each([
    [10, 1000, 100],
    [10, 1005, 100],
    [10, 1006, 101],
    [33.33, 999, 333],
    [0, 1000, 0],
    [100, 1, 1],
  ])('%d %% of %d is %d: half a cent goes down', async (commission_percent, price_cents, due) => {
    const { code } = await partner(tradepost, { commission_percent })
    const id = await aGood(tradepost, { price_cents })
    const sold = await order(tradepost, id, { affiliate_code: code, mark_paid: true })
    const { commission, commission_state } = await now(sold.id)
    expect([commission, commission_state]).toEqual([due, due === 0 ? 'none' : 'pending'])
  })

  test('a commission counts the subtotal less the discount, and not the shipping', async () => {
    const { code } = await partner(tradepost)
    const { code: coupon_code } = await coupon(tradepost, { discount_percent: 50 })
    const { id } = await sale(tradepost, code, { coupon_code })
    expect((await now(id)).commission).toBe(50)
  })

  test('a commission keeps the percentage of the time of the order, and becomes available after the hold', async () => {
    await openProgram(tradepost, { hold_days: 2 })
    const { id, code } = await partner(tradepost)
    const sold = await sale(tradepost, code)
    await tradepost.patch(`/affiliates/partners/${id}`, { commission_percent: 50 })
    tradepost.forward(2 * DAY_MS - 60_000)
    expect(await now(sold.id)).toMatchObject({ commission: 100, commission_state: 'pending' })
    tradepost.forward(60_000)
    expect(await now(sold.id)).toMatchObject({ commission: 100, commission_state: 'available' })
    await openProgram(tradepost, { hold_days: 30 })
  })

  test('the hold of a test side ends by its own clock', async () => {
    const options = { as: tradepost.test }
    await openProgram(tradepost, {}, options)
    const { code } = await partner(tradepost, {}, options)
    const sold = await sale(tradepost, code, {}, options)
    const state = async () => (await conversionOf(tradepost, sold.id, options)).commission_state
    await tradepost.post('/account/test-clock', { advance: '29d' }, options)
    expect(await state()).toBe('pending')
    await tradepost.post('/account/test-clock', { advance: '1d' }, options)
    expect(await state()).toBe('available')
  })

  test('refunds take a commission back in proportion, and all of it at last', async () => {
    const { id, code } = await partner(tradepost)
    const sold = await sale(tradepost, code)
    await refund(sold.id, { amount_cents: 333 })
    expect(await now(sold.id)).toMatchObject({
      commission: 67,
      commission_state: 'pending',
      refund_status: 'partial',
    })
    await refund(sold.id)
    expect(await now(sold.id)).toMatchObject({
      commission: 0,
      commission_state: 'reversed',
      invoice_status: 'refunded',
      refund_status: 'full',
    })
    expect(await partnerNow(tradepost, id)).toMatchObject({ earned_cents: 0, pending_cents: 0 })
  })

  test('a refund of money beyond the total takes no commission back', async () => {
    const { code } = await partner(tradepost)
    const made = await order(tradepost, await aGood(tradepost), { affiliate_code: code })
    const path = `/orders/${made.id}/manual-payments`
    await tradepost.post(path, { amount_cents: 1500 })
    await refund(made.id, { amount_cents: 500 })
    expect((await now(made.id)).commission).toBe(100)
    await refund(made.id, { amount_cents: 500 })
    expect((await now(made.id)).commission).toBe(50)
  })

  test('a partner who is suspended before completion earns nothing', async () => {
    const { id, code } = await partner(tradepost)
    const service = await aGood(tradepost, { type: 'service' })
    const made = await order(tradepost, service, { affiliate_code: code, mark_paid: true })
    await tradepost.post(`/affiliates/partners/${id}/suspend`)
    const delivery = { order_item_id: made.items[0].id, text: 'Done.' }
    await tradepost.post(`/orders/${made.id}/deliveries`, delivery)
    expect(await now(made.id)).toMatchObject({ commission: 0, commission_state: 'none' })
  })

  test('an order without a partner sends no statement about the programme, paid or refunded', async () => {
    const id = await aGood(tradepost)
    const sent = await tradepost.statements(async () => {
      const sold = await order(tradepost, id, { mark_paid: true })
      expect((await refund(sold.id)).status).toBe(201)
    })
    expect(sent.filter((text) => /\b(?:from|join|into|update) affiliate_/.test(text))).toEqual([])
  })
})
