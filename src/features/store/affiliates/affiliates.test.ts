import { afterAll, beforeAll, expect, test } from 'vitest'
import { conversionOf, openProgram, partner, sale } from '../../../../test/affiliates.ts'
import { coupon, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { DAY_MS, MINUTE_MS } from '../../../kernel/time.ts'
import { affiliateEndpoints } from './endpoints.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const listConversions = async (query = ''): Promise<Json> => {
  const { status, json, text } = await tradepost.get(`/affiliates/conversions${query}`)
  expect(status, text).toBe(200)
  return json
}

test('a store without the programme gets FEATURE_NOT_ENABLED from all calls except GET and PATCH /affiliates/program', async () => {
  const as = tradepost.other
  for (const { id, method, path, feature } of affiliateEndpoints) {
    expect(feature === undefined, id).toBe(path === '/affiliates/program')
    if (feature === undefined) continue
    const pathWithIds = path.replace(/:\w+/g, '1')
    const { status, json } = await tradepost.call(method, pathWithIds, { as, body: {} })
    expect([id, status, json.code]).toEqual([id, 403, 'FEATURE_NOT_ENABLED'])
  }
  expect((await tradepost.get('/affiliates/program', { as })).json.program.enabled).toBe(false)
})

test("a change of the programme's switch takes effect with the next call", async () => {
  const options = { as: tradepost.other }
  await openProgram(tradepost, {}, options)
  expect((await tradepost.get('/affiliates/conversions', options)).status).toBe(200)
  await expectSuccess(tradepost.patch('/affiliates/program', { enabled: false }, options))
  const { json } = await tradepost.get('/affiliates/conversions', options)
  expect(json.code).toBe('FEATURE_NOT_ENABLED')
  expect(json.error).toContain('PATCH /affiliates/program')
})

test('a conversion has exactly the specified fields, and its event has the same values in major units', async () => {
  const { id, email, code } = await partner(tradepost)
  await tradepost.events()
  const soldOrder = await sale(tradepost, code.toUpperCase())
  expect(soldOrder.affiliate).toEqual({ partner_id: id, link_code: code })
  expect(await tradepost.events()).toContain('affiliate.conversion')
  const conversion = {
    invoice_id: soldOrder.id,
    captured_at: soldOrder.created_at,
    paid_at: soldOrder.paid_at,
    source: 'link',
    status: 'valid',
    flags: [],
    order_total: 1000,
    order_currency: 'EUR',
    invoice_status: 'completed',
    refund_status: 'none',
    partner: { id, email, name: 'Grace' },
    link_code: code,
    commission: 100,
    commission_currency: 'EUR',
    commission_state: 'pending',
    available_at: new Date(Date.parse(soldOrder.completed_at) + 30 * DAY_MS).toISOString(),
  }
  expect(await conversionOf(tradepost, soldOrder.id)).toEqual(conversion)
  const { data } = (await tradepost.payloads('affiliate.conversion')).at(-1) ?? {}
  expect(data.object).toEqual({
    object: 'affiliate_conversion',
    invoice_id: soldOrder.id,
    partner: conversion.partner,
    link_code: code,
    source: 'link',
    status: 'valid',
    flags: [],
    order_total: 10,
    order_currency: 'EUR',
    commission: 1,
    commission_currency: 'EUR',
    available_at: conversion.available_at,
  })
})

test('an order is attributed when it is paid, and earns commission when it is completed', async () => {
  const { code } = await partner(tradepost)
  const service = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, service.id, { affiliate_code: code })
  expect(await conversionOf(tradepost, newOrder.id)).toBeUndefined()
  await tradepost.events()
  await expectSuccess(tradepost.post(`/orders/${newOrder.id}/manual-payments`, {}))
  const paidConversion = await conversionOf(tradepost, newOrder.id)
  expect(paidConversion).toMatchObject({
    invoice_status: 'paid',
    commission: 0,
    commission_state: 'none',
  })
  expect([paidConversion.captured_at, paidConversion.available_at]).toEqual([
    newOrder.created_at,
    null,
  ])
  expect(await tradepost.events()).not.toContain('affiliate.conversion')
  await expectSuccess(
    tradepost.post(`/orders/${newOrder.id}/deliveries`, {
      order_item_id: newOrder.items[0].id,
      text: 'Done.',
    }),
  )
  const completedConversion = await conversionOf(tradepost, newOrder.id)
  expect(completedConversion).toMatchObject({ commission: 100, commission_state: 'pending' })
  expect(await tradepost.events()).toContain('affiliate.conversion')
})

test("a partner's coupon has precedence over a link, unless the partner is not approved", async () => {
  const [couponPartner, linkPartner] = [await partner(tradepost), await partner(tradepost)]
  const { id, code } = await coupon(tradepost, { affiliate_partner_id: couponPartner.id })
  const soldOrder = await sale(tradepost, linkPartner.code, {
    coupon_code: ` ${code.toLowerCase()}\n`,
  })
  expect(soldOrder.affiliate).toEqual({ partner_id: couponPartner.id, link_code: code })
  expect(await conversionOf(tradepost, soldOrder.id)).toMatchObject({
    source: 'coupon',
    link_code: code,
    commission: 90,
  })
  await expectSuccess(tradepost.post(`/affiliates/partners/${couponPartner.id}/suspend`))
  const nextSale = await sale(tradepost, linkPartner.code, { coupon_code: code })
  expect(nextSale.affiliate).toEqual({ partner_id: linkPartner.id, link_code: linkPartner.code })
  const clearAnswer = await tradepost.patch(`/coupons/${id}`, { affiliate_partner_id: null })
  expect(clearAnswer.json.coupon.affiliate_partner_id).toBeNull()
})

test('if a coupon without a partner has the code of a link, the source of the conversion is the link', async () => {
  const { code } = await partner(tradepost)
  const { id } = await coupon(tradepost, { code })
  const soldOrder = await sale(tradepost, code, { coupon_code: code })
  expect(await conversionOf(tradepost, soldOrder.id)).toMatchObject({
    source: 'link',
    link_code: code,
  })
  await expectSuccess(
    tradepost.patch(`/coupons/${id}`, { affiliate_partner_id: soldOrder.affiliate.partner_id }),
  )
  const nextSale = await sale(tradepost, code, { coupon_code: code })
  expect((await conversionOf(tradepost, nextSale.id)).source).toBe('coupon')
})

test('a coupon that names an unknown partner, or a partner of another store, is refused with 422', async () => {
  await openProgram(tradepost, {}, { as: tradepost.other })
  const foreignPartner = await partner(tradepost, {}, { as: tradepost.other })
  const { id } = await coupon(tradepost)
  for (const affiliate_partner_id of ['par_0000000000000000000001', foreignPartner.id]) {
    const couponFields = { type: 'percentage', discount_percent: 10, affiliate_partner_id }
    for (const answer of [
      await tradepost.post('/coupons', couponFields),
      await tradepost.patch(`/coupons/${id}`, { affiliate_partner_id }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.json.details.field).toBe('affiliate_partner_id')
    }
  }
})

test('a code that is unknown, of a suspended partner or of another store attributes no order', async () => {
  await openProgram(tradepost, {}, { as: tradepost.other })
  const foreignPartner = await partner(tradepost, {}, { as: tradepost.other })
  const suspendedPartner = await partner(tradepost)
  await expectSuccess(tradepost.post(`/affiliates/partners/${suspendedPartner.id}/suspend`))
  for (const code of ['nobody', 'No Code!', foreignPartner.code, suspendedPartner.code]) {
    expect((await sale(tradepost, code)).affiliate).toBeNull()
  }
})

test('a page has 25 conversions, newest first, and a numeric cursor leads to the next page', async () => {
  const { id, code } = await partner(tradepost)
  const soldOrderIds: string[] = []
  for (let n = 0; n < 27; n++) {
    soldOrderIds.unshift((await sale(tradepost, code)).id)
    tradepost.forward(10 * MINUTE_MS)
  }
  const first = await listConversions(`?partner_id=${id}`)
  expect(first.conversions).toHaveLength(25)
  expect(first.next_cursor).toEqual(expect.any(Number))
  const second = await listConversions(`?partner_id=${id}&cursor=${first.next_cursor}`)
  expect(second.next_cursor).toBeNull()
  const ids = [...first.conversions, ...second.conversions].map((item) => item.invoice_id)
  expect(ids).toEqual(soldOrderIds)
  await expectSuccess(
    tradepost.post(`/affiliates/conversions/${soldOrderIds[0]}/review`, { status: 'rejected' }),
  )
  const rejectedConversions = await listConversions(`?partner_id=${id}&status=rejected`)
  expect(rejectedConversions.conversions.map((item: Json) => item.invoice_id)).toEqual([
    soldOrderIds[0],
  ])
  const counts = { all: 27, valid: 26, flagged: 0, rejected: 1 }
  expect([first.counts.all, rejectedConversions.counts]).toEqual([27, counts])
  await expectSuccess(
    tradepost.post(`/affiliates/conversions/${soldOrderIds[1]}/review`, { status: 'rejected' }),
  )
  const validPage = await listConversions(`?partner_id=${id}&status=valid`)
  expect([validPage.conversions.length, validPage.next_cursor]).toEqual([25, null])
  const allConversions = await listConversions('?status=all')
  expect(allConversions.counts.all).toBeGreaterThan(27)
})

test('a list of conversions with a bad status, partner or cursor is refused, and the error names the parameter', async () => {
  for (const [field, value] of [
    ['status', 'paid'],
    ['partner_id', 'grace'],
    ['cursor', 'abc'],
    ['cursor', '0'],
    ['cursor', '999999999'],
  ]) {
    const { status, json } = await tradepost.get(`/affiliates/conversions?${field}=${value}`)
    expect([status, json.details?.field]).toEqual([422, field])
  }
})
