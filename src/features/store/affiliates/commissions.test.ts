import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  conversionOf,
  createLicenseProduct,
  getPartner,
  openProgram,
  partner,
  sale,
} from '../../../../test/affiliates.ts'
import { coupon, order, product, zone } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

// Flags, reviews, and the states of a commission until it can be paid out.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const getConversion = (id: string) => conversionOf(tradepost, id)
const review = (id: string, status: string, note?: string) =>
  tradepost.post(`/affiliates/conversions/${id}/review`, { status, note })
const refund = (id: string, fields: Json = {}) => tradepost.post(`/orders/${id}/refund`, fields)

describe('flags', () => {
  test('a partner who buys through their own link is flagged as self_referral', async () => {
    const { code, email } = await partner(tradepost)
    const { id } = await sale(tradepost, code, { customer: { email: email.toUpperCase() } })
    expect(await getConversion(id)).toMatchObject({
      status: 'flagged',
      flags: ['self_referral'],
      commission: 100,
      commission_state: 'pending',
    })
  })

  test("a buyer at the address of the partner's application, or of another order within 24 hours, is flagged as same_ip", async () => {
    const application = await tradepost.post('/affiliates/applications', {
      email: 'ip@example.com',
      name: 'Ip',
      ip: '2001:DB8::1',
    })
    const { id } = application.json.partner
    await expectSuccess(tradepost.post(`/affiliates/partners/${id}/approve`))
    await expectSuccess(tradepost.post(`/affiliates/partners/${id}/links`, { code: 'same-ip' }))
    const flagsOfSale = async (ip?: string) => {
      const soldOrder = await sale(tradepost, 'same-ip', { ip })
      return (await getConversion(soldOrder.id)).flags
    }
    expect(await flagsOfSale('2001:db8:0:0::1')).toEqual(['same_ip'])
    expect(await flagsOfSale()).toEqual([])
    expect(await flagsOfSale('192.0.2.20')).toEqual([])
    expect(await flagsOfSale('192.0.2.20')).toEqual(['same_ip'])
    tradepost.forward(DAY_MS - 60_000)
    expect(await flagsOfSale('192.0.2.20')).toEqual(['same_ip'])
    tradepost.forward(DAY_MS + 60_000)
    expect(await flagsOfSale('192.0.2.20')).toEqual([])
  })

  test('the eleventh order of a partner within an hour is flagged as high_velocity', async () => {
    const { code } = await partner(tradepost)
    const flags: string[][] = []
    const flagsOfSale = async (): Promise<string[]> =>
      (await getConversion((await sale(tradepost, code)).id)).flags
    for (let n = 0; n < 11; n++) flags.push(await flagsOfSale())
    expect(flags.slice(0, 10).flat()).toEqual([])
    expect(flags[10]).toEqual(['high_velocity'])
    tradepost.forward(HOUR_MS + 1_000)
    expect(await flagsOfSale()).toEqual([])
  })

  test('a buyer who is blocked when the order is paid is flagged as blocked_customer', async () => {
    const { code } = await partner(tradepost)
    const newOrder = await order(tradepost, await createLicenseProduct(tradepost), {
      customer: { email: 'blocked@example.com' },
      affiliate_code: code,
    })
    await expectSuccess(
      tradepost.post(`/customers/${newOrder.customer.id}/block`, { note: 'Fraud.' }),
    )
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/manual-payments`, {}))
    expect(await getConversion(newOrder.id)).toMatchObject({
      status: 'flagged',
      flags: ['blocked_customer'],
    })
  })

  test('a buyer who is blocked later is flagged as blocked_customer, whichever call blocks them', async () => {
    const { id, code } = await partner(tradepost)
    const first = await sale(tradepost, code)
    const second = await sale(tradepost, code)
    await expectSuccess(tradepost.post(`/customers/${first.customer.id}/block`, {}))
    await expectSuccess(
      tradepost.post('/blocklist', { type: 'email', value: second.customer.email }),
    )
    for (const soldOrder of [first, second]) {
      expect(await getConversion(soldOrder.id)).toMatchObject({
        status: 'flagged',
        flags: ['blocked_customer'],
      })
    }
    const { json } = await tradepost.get(`/affiliates/conversions?partner_id=${id}`)
    expect(json.counts).toEqual({ all: 2, valid: 0, flagged: 2, rejected: 0 })
    await expectSuccess(review(first.id, 'valid'))
    await expectSuccess(tradepost.post(`/customers/${first.customer.id}/unblock`, {}))
    await expectSuccess(tradepost.post(`/customers/${first.customer.id}/block`, {}))
    expect((await getConversion(first.id)).status).toBe('valid')
  })
})

describe('reviews', () => {
  test('a flagged commission stays pending after its hold until it is accepted', async () => {
    const { id, code, email } = await partner(tradepost)
    const soldOrder = await sale(tradepost, code, { customer: { email } })
    tradepost.forward(31 * DAY_MS)
    expect(await getPartner(tradepost, id)).toMatchObject({
      available_cents: 0,
      pending_cents: 100,
    })
    const { status, json } = await review(soldOrder.id, 'valid', 'They bought a gift.')
    expect([status, json.conversion]).toMatchObject([
      200,
      { status: 'valid', flags: ['self_referral'], commission: 100, commission_state: 'available' },
    ])
    expect(await getPartner(tradepost, id)).toMatchObject({
      available_cents: 100,
      pending_cents: 0,
    })
  })

  test('a rejected conversion has no commission until it is accepted', async () => {
    const { id, code } = await partner(tradepost)
    const soldOrder = await sale(tradepost, code)
    const rejectedConversion = (await review(soldOrder.id, 'rejected')).json.conversion
    expect(rejectedConversion).toMatchObject({
      status: 'rejected',
      commission: 0,
      commission_state: 'none',
    })
    expect(await getPartner(tradepost, id)).toMatchObject({ earned_cents: 0, conversions: 1 })
    await expectSuccess(refund(soldOrder.id, { amount_cents: 500 }))
    const acceptedConversion = (await review(soldOrder.id, 'valid')).json.conversion
    expect(acceptedConversion).toMatchObject({ commission: 50, commission_state: 'pending' })
    expect((await getPartner(tradepost, id)).earned_cents).toBe(50)
  })

  test('a conversion that is rejected before completion earns nothing', async () => {
    const { code } = await partner(tradepost)
    const service = await createLicenseProduct(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, service, { affiliate_code: code, mark_paid: true })
    await expectSuccess(review(newOrder.id, 'rejected'))
    const delivery = { order_item_id: newOrder.items[0].id, text: 'Done.' }
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/deliveries`, delivery))
    expect(await getConversion(newOrder.id)).toMatchObject({
      invoice_status: 'completed',
      commission: 0,
      commission_state: 'none',
    })
  })

  test('a review with a bad status is refused, and a review of an order without a conversion answers 404', async () => {
    const { code } = await partner(tradepost)
    const { id } = await sale(tradepost, code)
    const badReview = await review(id, 'flagged')
    expect([badReview.status, badReview.json.details.field]).toEqual([422, 'status'])
    const unattributedOrder = await order(tradepost, await createLicenseProduct(tradepost))
    expect((await review(unattributedOrder.id, 'valid')).status).toBe(404)
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
  ])(
    'a commission of %d %% on %d cents is %d cents, with half a cent rounded down',
    async (commission_percent, price_cents, commission_cents) => {
      const { code } = await partner(tradepost, { commission_percent })
      const id = await createLicenseProduct(tradepost, { price_cents })
      const soldOrder = await order(tradepost, id, { affiliate_code: code, mark_paid: true })
      const { commission, commission_state } = await getConversion(soldOrder.id)
      const expectedState = commission_cents === 0 ? 'none' : 'pending'
      expect([commission, commission_state]).toEqual([commission_cents, expectedState])
    },
  )

  test('a commission counts the subtotal less the discount, without the shipping', async () => {
    const { code } = await partner(tradepost)
    const { code: coupon_code } = await coupon(tradepost, { discount_percent: 50 })
    const { rates } = await zone(tradepost)
    const variants = [{ name: 'Blue', price_cents: 1_000, stock_quantity: 1 }]
    const mug = await product(tradepost, { type: 'physical', variants })
    const shippedOrder = await order(tradepost, mug.id, {
      affiliate_code: code,
      coupon_code,
      mark_paid: true,
      shipping_address: { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' },
      shipping_rate_id: rates[0].id,
    })
    expect(shippedOrder).toMatchObject({ discount_cents: 500, shipping_cents: 500 })
    await expectSuccess(tradepost.post(`/orders/${shippedOrder.id}/fulfillments`, {}))
    expect((await getConversion(shippedOrder.id)).commission).toBe(50)
  })

  test('a commission keeps the percentage at the time of the order, and becomes available after the hold', async () => {
    await openProgram(tradepost, { hold_days: 2 })
    const { id, code } = await partner(tradepost)
    const soldOrder = await sale(tradepost, code)
    await expectSuccess(tradepost.patch(`/affiliates/partners/${id}`, { commission_percent: 50 }))
    tradepost.forward(2 * DAY_MS - 60_000)
    expect(await getConversion(soldOrder.id)).toMatchObject({
      commission: 100,
      commission_state: 'pending',
    })
    tradepost.forward(60_000)
    expect(await getConversion(soldOrder.id)).toMatchObject({
      commission: 100,
      commission_state: 'available',
    })
    await openProgram(tradepost, { hold_days: 30 })
  })

  test('the hold of a test side ends by its own clock', async () => {
    const options = { as: tradepost.test }
    await openProgram(tradepost, {}, options)
    const { code } = await partner(tradepost, {}, options)
    const soldOrder = await sale(tradepost, code, {}, options)
    const commissionState = async () =>
      (await conversionOf(tradepost, soldOrder.id, options)).commission_state
    await expectSuccess(tradepost.post('/account/test-clock', { advance: '29d' }, options))
    expect(await commissionState()).toBe('pending')
    await expectSuccess(tradepost.post('/account/test-clock', { advance: '1d' }, options))
    expect(await commissionState()).toBe('available')
  })

  test('refunds reduce a commission in proportion, and the last one to zero', async () => {
    const { id, code } = await partner(tradepost)
    const soldOrder = await sale(tradepost, code)
    await expectSuccess(refund(soldOrder.id, { amount_cents: 333 }))
    expect(await getConversion(soldOrder.id)).toMatchObject({
      commission: 67,
      commission_state: 'pending',
      refund_status: 'partial',
    })
    await expectSuccess(refund(soldOrder.id))
    expect(await getConversion(soldOrder.id)).toMatchObject({
      commission: 0,
      commission_state: 'reversed',
      invoice_status: 'refunded',
      refund_status: 'full',
    })
    expect(await getPartner(tradepost, id)).toMatchObject({ earned_cents: 0, pending_cents: 0 })
  })

  test('a refund beyond the total of the order reduces no commission', async () => {
    const { code } = await partner(tradepost)
    const newOrder = await order(tradepost, await createLicenseProduct(tradepost), {
      affiliate_code: code,
    })
    const path = `/orders/${newOrder.id}/manual-payments`
    await expectSuccess(tradepost.post(path, { amount_cents: 1500 }))
    await expectSuccess(refund(newOrder.id, { amount_cents: 500 }))
    expect((await getConversion(newOrder.id)).commission).toBe(100)
    await expectSuccess(refund(newOrder.id, { amount_cents: 500 }))
    expect((await getConversion(newOrder.id)).commission).toBe(50)
  })

  test('a partner who is suspended before completion earns nothing', async () => {
    const { id, code } = await partner(tradepost)
    const service = await createLicenseProduct(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, service, { affiliate_code: code, mark_paid: true })
    await expectSuccess(tradepost.post(`/affiliates/partners/${id}/suspend`))
    const delivery = { order_item_id: newOrder.items[0].id, text: 'Done.' }
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/deliveries`, delivery))
    expect(await getConversion(newOrder.id)).toMatchObject({
      commission: 0,
      commission_state: 'none',
    })
  })

  test('an order without a partner runs no statement of the programme when it is paid or refunded', async () => {
    const id = await createLicenseProduct(tradepost)
    const statements = await tradepost.statements(async () => {
      const soldOrder = await order(tradepost, id, { mark_paid: true })
      expect((await refund(soldOrder.id)).status).toBe(201)
    })
    expect(
      statements.filter((text) => /\b(?:from|join|into|update) affiliate_/.test(text)),
    ).toEqual([])
  })
})
