import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  conversionOf,
  getPartner,
  openProgram,
  partner,
  requestPayout,
  sale,
} from '../../../../test/affiliates.ts'
import { expectAllOrNothing } from '../../../../test/broken-calls.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { DAY_MS } from '../../../kernel/time.ts'

// Payouts, and the effect of refunds on commissions in a payout.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const HOLD_MS = 31 * DAY_MS
const request = (partner_id: string, fields: Json = {}) =>
  tradepost.post('/affiliates/payouts', { partner_id, method: 'bank_transfer', ...fields })
const closePayout = (id: number, verb: 'send' | 'reject', body: Json = {}) =>
  tradepost.post(`/affiliates/payouts/${id}/${verb}`, body)
const refund = (id: string, amount_cents?: number) =>
  tradepost.post(`/orders/${id}/refund`, { amount_cents })
const commissionOf = async (id: string) => {
  const { commission, commission_state } = await conversionOf(tradepost, id)
  return [commission, commission_state]
}

/** Creates a partner with this number of sales whose hold period has ended. */
async function partnerWithSales(sales = 1) {
  const affiliate = await partner(tradepost)
  const orderIds: string[] = []
  for (let n = 0; n < sales; n++) orderIds.push((await sale(tradepost, affiliate.code)).id)
  tradepost.forward(HOLD_MS)
  return { ...affiliate, orderIds, orderId: orderIds[0] as string }
}

test('a payout has the whole available amount, and sending it marks the commissions as paid', async () => {
  const { id, email, orderId, orderIds } = await partnerWithSales(2)
  const pendingSale = await sale(tradepost, (await getPartner(tradepost, id)).links[0].code)
  await tradepost.events()
  const body = { method: 'paypal', destination: 'grace@example.com' }
  const { status, json } = await request(id, body)
  const { payout } = json
  expect([status, payout]).toEqual([
    201,
    {
      id: expect.any(Number),
      object: 'affiliate_payout',
      partner: { id, email, name: 'Grace' },
      amount_cents: 200,
      currency: 'EUR',
      status: 'requested',
      ...body,
      reference: null,
      note: null,
      requested_at: expect.any(String),
      sent_at: null,
    },
  ])
  expect(await tradepost.events()).toEqual(['affiliate.payout_requested'])
  expect(await commissionOf(orderId)).toEqual([100, 'requested'])
  expect(await commissionOf(pendingSale.id)).toEqual([100, 'pending'])
  const sentPayout = (await closePayout(payout.id, 'send', { reference: 'Transfer 4711' })).json
    .payout
  expect(sentPayout).toEqual({
    ...payout,
    status: 'sent',
    reference: 'Transfer 4711',
    sent_at: expect.any(String),
  })
  expect(await tradepost.events()).toEqual(['affiliate.payout_sent'])
  const { data } = (await tradepost.payloads('affiliate.payout_sent')).at(-1) ?? {}
  expect(data.object).toEqual({
    object: 'affiliate_payout',
    id: payout.id,
    partner: payout.partner,
    amount: 2,
    currency: 'EUR',
    status: 'sent',
    method: 'paypal',
    reference: 'Transfer 4711',
    requested_at: payout.requested_at,
    sent_at: sentPayout.sent_at,
  })
  expect(await commissionOf(orderIds[1] as string)).toEqual([100, 'paid'])
  expect(await getPartner(tradepost, id)).toMatchObject({
    earned_cents: 300,
    paid_cents: 200,
    available_cents: 0,
    pending_cents: 100,
  })
  expect((await tradepost.get(`/affiliates/payouts/${payout.id}`)).json.payout).toEqual(sentPayout)
})

test('a payout needs no method and no destination, and shows null for both', async () => {
  const { id } = await partnerWithSales(1)
  const { status, json } = await tradepost.post('/affiliates/payouts', { partner_id: id })
  expect([status, json.payout]).toMatchObject([
    201,
    { amount_cents: 100, method: null, destination: null },
  ])
  await expectSuccess(tradepost.post(`/affiliates/payouts/${json.payout.id}/send`, {}))
  const { data } = (await tradepost.payloads('affiliate.payout_sent')).at(-1) ?? {}
  expect(data.object).toMatchObject({ method: null, amount: 1 })
})

test('a payout of less than min_payout_cents, or of nothing, is refused', async () => {
  const { id } = await partnerWithSales()
  await openProgram(tradepost, { min_payout_cents: 101 })
  const { status, json } = await request(id)
  expect([status, json.details]).toMatchObject([
    422,
    { field: 'partner_id', available_cents: 100, min_payout_cents: 101 },
  ])
  await openProgram(tradepost, { min_payout_cents: 100 })
  expect((await request(id)).json.payout.amount_cents).toBe(100)
  await openProgram(tradepost)
  const partnerWithoutSales = await partner(tradepost)
  expect((await request(partnerWithoutSales.id)).status).toBe(422)
})

test('a payout is refused for a suspended or unknown partner, and for one whose last payout is still open', async () => {
  const { id, code } = await partnerWithSales()
  await expectSuccess(tradepost.post(`/affiliates/partners/${id}/suspend`))
  const refusal = await request(id)
  expect([refusal.status, refusal.json.details.status]).toEqual([409, 'suspended'])
  await expectSuccess(tradepost.post(`/affiliates/partners/${id}/approve`))
  await requestPayout(tradepost, id)
  await sale(tradepost, code)
  tradepost.forward(HOLD_MS)
  const secondRequest = await request(id)
  expect([secondRequest.status, secondRequest.json.details.status]).toEqual([409, 'requested'])
  const unknownPartnerAnswer = await request('par_0000000000000000000001')
  expect([unknownPartnerAnswer.status, unknownPartnerAnswer.json.details.field]).toEqual([
    422,
    'partner_id',
  ])
})

test('a rejected payout makes its commissions available again', async () => {
  const { id, orderId } = await partnerWithSales()
  const payout = await requestPayout(tradepost, id)
  await tradepost.events()
  const rejectedPayout = (await closePayout(payout.id, 'reject', { note: 'Wrong account.' })).json
    .payout
  expect(rejectedPayout).toMatchObject({
    status: 'rejected',
    note: 'Wrong account.',
    sent_at: null,
  })
  expect(await tradepost.events()).toEqual([])
  expect(await commissionOf(orderId)).toEqual([100, 'available'])
  expect((await requestPayout(tradepost, id)).amount_cents).toBe(100)
})

test('a payout that was sent or rejected does not change again', async () => {
  for (const firstVerb of ['send', 'reject'] as const) {
    const { id } = await partnerWithSales()
    const payout = await requestPayout(tradepost, id)
    const { status } = (await closePayout(payout.id, firstVerb)).json.payout
    for (const verb of ['send', 'reject'] as const) {
      const repeat = await closePayout(payout.id, verb)
      expect([repeat.status, repeat.json.details.status]).toEqual([409, status])
    }
  }
  expect((await closePayout(987_654_321, 'send')).status).toBe(404)
})

test('a refund after a payout reduces the next payout', async () => {
  const { id, code, orderId } = await partnerWithSales()
  await expectSuccess(closePayout((await requestPayout(tradepost, id)).id, 'send'))
  await expectSuccess(refund(orderId, 400))
  expect(await commissionOf(orderId)).toEqual([60, 'paid'])
  expect(await getPartner(tradepost, id)).toMatchObject({ available_cents: -40, earned_cents: 60 })
  expect((await request(id)).status).toBe(422)
  await sale(tradepost, code)
  tradepost.forward(HOLD_MS)
  const nextPayout = await requestPayout(tradepost, id)
  expect(nextPayout.amount_cents).toBe(60)
  await expectSuccess(closePayout(nextPayout.id, 'reject'))
  expect((await getPartner(tradepost, id)).available_cents).toBe(60)
  await expectSuccess(closePayout((await requestPayout(tradepost, id)).id, 'send'))
  expect(await getPartner(tradepost, id)).toMatchObject({
    paid_cents: 160,
    earned_cents: 160,
    available_cents: 0,
  })
})

test('a refund during an open payout lowers the next payout, or the commission itself if the payout is rejected', async () => {
  const paidPartner = await partnerWithSales()
  const payout = await requestPayout(tradepost, paidPartner.id)
  await expectSuccess(refund(paidPartner.orderId, 500))
  expect((await tradepost.get(`/affiliates/payouts/${payout.id}`)).json.payout.amount_cents).toBe(
    100,
  )
  expect(await commissionOf(paidPartner.orderId)).toEqual([50, 'requested'])
  await expectSuccess(closePayout(payout.id, 'send'))
  expect(await getPartner(tradepost, paidPartner.id)).toMatchObject({ available_cents: -50 })

  const refusedPartner = await partnerWithSales()
  const rejectedPayout = await requestPayout(tradepost, refusedPartner.id)
  await expectSuccess(refund(refusedPartner.orderId))
  await expectSuccess(closePayout(rejectedPayout.id, 'reject'))
  expect(await commissionOf(refusedPartner.orderId)).toEqual([0, 'reversed'])
  expect(await getPartner(tradepost, refusedPartner.id)).toMatchObject({
    available_cents: 0,
    earned_cents: 0,
  })
})

test('a commission in a payout cannot be reviewed', async () => {
  const { id, orderId } = await partnerWithSales()
  const payout = await requestPayout(tradepost, id)
  const path = `/affiliates/conversions/${orderId}/review`
  for (const state of ['requested', 'paid']) {
    const { status, json } = await tradepost.post(path, { status: 'rejected' })
    expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', state])
    if (state === 'requested') await expectSuccess(closePayout(payout.id, 'send'))
  }
})

test('a buyer who is blocked during a payout is flagged if the payout is rejected', async () => {
  const { id, orderId } = await partnerWithSales()
  const payout = await requestPayout(tradepost, id)
  const { json } = await tradepost.get(`/orders/${orderId}`)
  await expectSuccess(tradepost.post(`/customers/${json.order.customer.id}/block`, {}))
  expect((await conversionOf(tradepost, orderId)).flags).toEqual([])
  await expectSuccess(closePayout(payout.id, 'reject'))
  expect(await conversionOf(tradepost, orderId)).toMatchObject({
    status: 'flagged',
    flags: ['blocked_customer'],
    commission_state: 'pending',
  })
})

test('payouts are listed newest first, filtered by status and partner', async () => {
  const { id, code } = await partnerWithSales()
  const first = await requestPayout(tradepost, id)
  await expectSuccess(closePayout(first.id, 'send'))
  await sale(tradepost, code)
  tradepost.forward(HOLD_MS)
  const second = await requestPayout(tradepost, id)
  const listIds = async (query: string) => {
    const { json } = await tradepost.get(`/affiliates/payouts?partner_id=${id}${query}`)
    return json.payouts.map((payout: Json) => payout.id)
  }
  expect(await listIds('')).toEqual([second.id, first.id])
  expect(await listIds('&status=sent')).toEqual([first.id])
  expect(await listIds('&status=rejected')).toEqual([])
  expect(await listIds('&status=sent,requested')).toEqual([second.id, first.id])
})

const PAYOUTS = '/affiliates/payouts'

/** Returns all records that a step of a payout can change. */
async function storedRecords(id: string): Promise<unknown> {
  const { rows } = await sql`
    select earned_cents, paid_cents,
           (select json_agg(json_build_array(state, payout_id, commission_cents) order by id)
              from affiliate_conversion where partner_id = ${id}) as conversions,
           (select json_agg(json_build_array(id, status, amount_cents) order by id)
              from affiliate_payout where partner_id = ${id}) as payouts,
           (select json_agg(json_build_array(amount_cents, payout_id) order by id)
              from affiliate_adjustment where partner_id = ${id}) as adjustments,
           (select count(*) from event where type like 'affiliate.payout%') as events,
           (select count(*) from audit_event where object = 'affiliate_payout') as audit_events
      from affiliate_partner
     where id = ${id}`.execute(tradepost.db)
  return rows[0]
}

test.each(['request', 'send', 'reject'] as const)(
  'a failure at the n-th statement of a call to %s a payout changes nothing, for every n, and a repeat succeeds',
  async (name) => {
    const { id } = await partnerWithSales(2)
    const payout = name === 'request' ? undefined : await requestPayout(tradepost, id)
    const path = payout ? `${PAYOUTS}/${payout.id}/${name}` : PAYOUTS
    const body = payout ? {} : { partner_id: id, method: 'bank_transfer' }
    const readState = () => storedRecords(id)
    await expectAllOrNothing(tradepost, { path, body, readState, minStatements: 5 })
  },
)
