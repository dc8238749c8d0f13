import { afterAll, beforeAll, expect, test } from 'vitest'
import { conversionOf, openProgram, partner, sale } from '../../../../test/affiliates.ts'
import { coupon, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { DAY_MS } from '../../../kernel/time.ts'
import { affiliateEndpoints } from './endpoints.ts'

/** Attribution of orders, and the list of conversions. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const list = async (query = ''): Promise<Json> => {
  const { status, json, text } = await tradepost.get(`/affiliates/conversions${query}`)
  expect(status, text).toBe(200)
  return json
}

test('a store without the programme gets FEATURE_NOT_ENABLED from all calls but those of the programme', async () => {
  const as = tradepost.other
  for (const { id, method, path, feature } of affiliateEndpoints) {
    expect(feature === undefined, id).toBe(path === '/affiliates/program')
    if (feature === undefined) continue
    const address = path.replace(/:\w+/g, '1')
    const { status, json } = await tradepost.call(method, address, { as, body: {} })
    expect([id, status, json.code]).toEqual([id, 403, 'FEATURE_NOT_ENABLED'])
  }
  expect((await tradepost.get('/affiliates/program', { as })).json.program.enabled).toBe(false)
})

test('the switch of the programme works with the next call', async () => {
  const options = { as: tradepost.other }
  await openProgram(tradepost, {}, options)
  expect((await tradepost.get('/affiliates/conversions', options)).status).toBe(200)
  await tradepost.patch('/affiliates/program', { enabled: false }, options)
  const { json } = await tradepost.get('/affiliates/conversions', options)
  expect(json.code).toBe('FEATURE_NOT_ENABLED')
  expect(json.error).toContain('PATCH /affiliates/program')
})

test('a conversion has exactly the fields of the specification, and its event the same values in major units', async () => {
  const { id, email, code } = await partner(tradepost)
  await tradepost.events()
  const sold = await sale(tradepost, code.toUpperCase())
  expect(sold.affiliate).toEqual({ partner_id: id, link_code: code })
  expect(await tradepost.events()).toContain('affiliate.conversion')
  const conversion = {
    invoice_id: sold.id,
    captured_at: sold.created_at,
    paid_at: sold.paid_at,
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
    available_at: new Date(Date.parse(sold.completed_at) + 30 * DAY_MS).toISOString(),
  }
  expect(await conversionOf(tradepost, sold.id)).toEqual(conversion)
  const { data } = (await tradepost.payloads('affiliate.conversion')).at(-1) ?? {}
  expect(data.object).toEqual({
    object: 'affiliate_conversion',
    invoice_id: sold.id,
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

test('an order is attributed when it is paid, and earns when it is completed', async () => {
  const { code } = await partner(tradepost)
  const service = await product(tradepost, { type: 'service' })
  const made = await order(tradepost, service.id, { affiliate_code: code })
  expect(await conversionOf(tradepost, made.id)).toBeUndefined()
  await tradepost.events()
  await tradepost.post(`/orders/${made.id}/manual-payments`, {})
  const paid = await conversionOf(tradepost, made.id)
  expect(paid).toMatchObject({ invoice_status: 'paid', commission: 0, commission_state: 'none' })
  expect([paid.captured_at, paid.available_at]).toEqual([made.created_at, null])
  expect(await tradepost.events()).not.toContain('affiliate.conversion')
  await tradepost.post(`/orders/${made.id}/deliveries`, {
    order_item_id: made.items[0].id,
    text: 'Done.',
  })
  const done = await conversionOf(tradepost, made.id)
  expect(done).toMatchObject({ commission: 100, commission_state: 'pending' })
  expect(await tradepost.events()).toContain('affiliate.conversion')
})

test('the coupon of a partner beats a link, and one whose partner is not approved leaves it to the link', async () => {
  const [owner, linked] = [await partner(tradepost), await partner(tradepost)]
  const { id, code } = await coupon(tradepost, { affiliate_partner_id: owner.id })
  const sold = await sale(tradepost, linked.code, { coupon_code: code.toLowerCase() })
  expect(sold.affiliate).toEqual({ partner_id: owner.id, link_code: code })
  expect(await conversionOf(tradepost, sold.id)).toMatchObject({
    source: 'coupon',
    link_code: code,
    commission: 90,
  })
  await tradepost.post(`/affiliates/partners/${owner.id}/suspend`)
  const next = await sale(tradepost, linked.code, { coupon_code: code })
  expect(next.affiliate).toEqual({ partner_id: linked.id, link_code: linked.code })
  const cleared = await tradepost.patch(`/coupons/${id}`, { affiliate_partner_id: null })
  expect(cleared.json.coupon.affiliate_partner_id).toBeNull()
})

test('a coupon that names an unknown partner, or one of another store, is 422', async () => {
  await openProgram(tradepost, {}, { as: tradepost.other })
  const theirs = await partner(tradepost, {}, { as: tradepost.other })
  const { id } = await coupon(tradepost)
  for (const affiliate_partner_id of ['par_0000000000000000000001', theirs.id]) {
    const sent = { type: 'percentage', discount_percent: 10, affiliate_partner_id }
    for (const answer of [
      await tradepost.post('/coupons', sent),
      await tradepost.patch(`/coupons/${id}`, { affiliate_partner_id }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.json.details.field).toBe('affiliate_partner_id')
    }
  }
})

test('a code that is unknown, of a suspended partner, or of another store attributes nothing', async () => {
  await openProgram(tradepost, {}, { as: tradepost.other })
  const theirs = await partner(tradepost, {}, { as: tradepost.other })
  const suspended = await partner(tradepost)
  await tradepost.post(`/affiliates/partners/${suspended.id}/suspend`)
  for (const code of ['nobody', 'No Code!', theirs.code, suspended.code]) {
    expect((await sale(tradepost, code)).affiliate).toBeNull()
  }
})

test('pages have 25 conversions, the newest first, and a numeric cursor leads through all of them', async () => {
  const { id, code } = await partner(tradepost)
  const sold: string[] = []
  for (let n = 0; n < 27; n++) {
    sold.unshift((await sale(tradepost, code)).id)
    tradepost.forward(10 * 60_000)
  }
  const first = await list(`?partner_id=${id}`)
  expect(first.conversions).toHaveLength(25)
  expect(first.next_cursor).toEqual(expect.any(Number))
  const second = await list(`?partner_id=${id}&cursor=${first.next_cursor}`)
  expect(second.next_cursor).toBeNull()
  const ids = [...first.conversions, ...second.conversions].map((item) => item.invoice_id)
  expect(ids).toEqual(sold)
  await tradepost.post(`/affiliates/conversions/${sold[0]}/review`, { status: 'rejected' })
  const rejected = await list(`?partner_id=${id}&status=rejected`)
  expect(rejected.conversions.map((item: Json) => item.invoice_id)).toEqual([sold[0]])
  const counts = { all: 27, valid: 26, flagged: 0, rejected: 1 }
  expect([first.counts.all, rejected.counts]).toEqual([27, counts])
  const all = await list('?status=all')
  expect(all.counts.all).toBeGreaterThan(27)
})

test('a bad status, partner or cursor is named', async () => {
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
