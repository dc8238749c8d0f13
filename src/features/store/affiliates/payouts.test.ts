import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  conversionOf,
  openProgram,
  partner,
  partnerNow,
  requested,
  sale,
} from '../../../../test/affiliates.ts'
import { expectAllOrNothing } from '../../../../test/broken-calls.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { DAY_MS } from '../../../kernel/time.ts'

/** Payouts, and what refunds do to commissions that are in one. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const HOLD_MS = 31 * DAY_MS
const request = (partner_id: string, fields: Json = {}) =>
  tradepost.post('/affiliates/payouts', { partner_id, method: 'bank_transfer', ...fields })
const act = (id: number, verb: 'send' | 'reject', body: Json = {}) =>
  tradepost.post(`/affiliates/payouts/${id}/${verb}`, body)
const refund = (id: string, amount_cents?: number) =>
  tradepost.post(`/orders/${id}/refund`, { amount_cents })
const stateOf = async (id: string) => {
  const { commission, commission_state } = await conversionOf(tradepost, id)
  return [commission, commission_state]
}

/** A partner with so many sales whose hold is over. */
async function earner(sales = 1) {
  const who = await partner(tradepost)
  const sold: string[] = []
  for (let n = 0; n < sales; n++) sold.push((await sale(tradepost, who.code)).id)
  tradepost.forward(HOLD_MS)
  return { ...who, sold }
}

test('a payout takes all that is available, and sending it pays the commissions', async () => {
  const { id, email, sold } = await earner(2)
  const held = await sale(tradepost, (await partnerNow(tradepost, id)).links[0].code)
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
  expect(await stateOf(sold[0] ?? '')).toEqual([100, 'requested'])
  expect(await stateOf(held.id)).toEqual([100, 'pending'])
  const sent = (await act(payout.id, 'send', { reference: 'Transfer 4711' })).json.payout
  expect(sent).toEqual({
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
    sent_at: sent.sent_at,
  })
  expect(await stateOf(sold[1] ?? '')).toEqual([100, 'paid'])
  expect(await partnerNow(tradepost, id)).toMatchObject({
    earned_cents: 300,
    paid_cents: 200,
    available_cents: 0,
    pending_cents: 100,
  })
  expect((await tradepost.get(`/affiliates/payouts/${payout.id}`)).json.payout).toEqual(sent)
})

test('a payout needs min_payout_cents, and something to pay', async () => {
  const { id } = await earner()
  await openProgram(tradepost, { min_payout_cents: 101 })
  const { status, json } = await request(id)
  expect([status, json.details]).toMatchObject([
    422,
    { field: 'partner_id', available_cents: 100, min_payout_cents: 101 },
  ])
  await openProgram(tradepost, { min_payout_cents: 100 })
  expect((await request(id)).json.payout.amount_cents).toBe(100)
  await openProgram(tradepost)
  const nothing = await partner(tradepost)
  expect((await request(nothing.id)).status).toBe(422)
})

test('only an approved partner gets a payout, one at a time, and an unknown one is named', async () => {
  const { id, code } = await earner()
  await tradepost.post(`/affiliates/partners/${id}/suspend`)
  const suspended = await request(id)
  expect([suspended.status, suspended.json.details.status]).toEqual([409, 'suspended'])
  await tradepost.post(`/affiliates/partners/${id}/approve`)
  await requested(tradepost, id)
  await sale(tradepost, code)
  tradepost.forward(HOLD_MS)
  const second = await request(id)
  expect([second.status, second.json.details.status]).toEqual([409, 'requested'])
  const unknown = await request('par_0000000000000000000001')
  expect([unknown.status, unknown.json.details.field]).toEqual([422, 'partner_id'])
})

test('a rejected payout makes its commissions available again', async () => {
  const { id, sold } = await earner()
  const payout = await requested(tradepost, id)
  await tradepost.events()
  const rejected = (await act(payout.id, 'reject', { note: 'Wrong account.' })).json.payout
  expect(rejected).toMatchObject({ status: 'rejected', note: 'Wrong account.', sent_at: null })
  expect(await tradepost.events()).toEqual([])
  expect(await stateOf(sold[0] ?? '')).toEqual([100, 'available'])
  expect((await requested(tradepost, id)).amount_cents).toBe(100)
})

test('a payout that was sent or rejected stays so', async () => {
  for (const last of ['send', 'reject'] as const) {
    const { id } = await earner()
    const payout = await requested(tradepost, id)
    const { status } = (await act(payout.id, last)).json.payout
    for (const verb of ['send', 'reject'] as const) {
      const again = await act(payout.id, verb)
      expect([again.status, again.json.details.status]).toEqual([409, status])
    }
  }
  expect((await act(987_654_321, 'send')).status).toBe(404)
})

test('a refund after the payout is a negative line in the next one', async () => {
  const { id, code, sold } = await earner()
  await act((await requested(tradepost, id)).id, 'send')
  await refund(sold[0] ?? '', 400)
  expect(await stateOf(sold[0] ?? '')).toEqual([60, 'paid'])
  expect(await partnerNow(tradepost, id)).toMatchObject({ available_cents: -40, earned_cents: 60 })
  expect((await request(id)).status).toBe(422)
  await sale(tradepost, code)
  tradepost.forward(HOLD_MS)
  const next = await requested(tradepost, id)
  expect(next.amount_cents).toBe(60)
  await act(next.id, 'reject')
  expect((await partnerNow(tradepost, id)).available_cents).toBe(60)
  await act((await requested(tradepost, id)).id, 'send')
  expect(await partnerNow(tradepost, id)).toMatchObject({
    paid_cents: 160,
    earned_cents: 160,
    available_cents: 0,
  })
})

test('a refund while a payout is open lowers the next one, or the commission itself if it is rejected', async () => {
  const open = await earner()
  const payout = await requested(tradepost, open.id)
  await refund(open.sold[0] ?? '', 500)
  expect((await tradepost.get(`/affiliates/payouts/${payout.id}`)).json.payout.amount_cents).toBe(
    100,
  )
  expect(await stateOf(open.sold[0] ?? '')).toEqual([50, 'requested'])
  await act(payout.id, 'send')
  expect(await partnerNow(tradepost, open.id)).toMatchObject({ available_cents: -50 })

  const other = await earner()
  const rejected = await requested(tradepost, other.id)
  await refund(other.sold[0] ?? '')
  await act(rejected.id, 'reject')
  expect(await stateOf(other.sold[0] ?? '')).toEqual([0, 'reversed'])
  expect(await partnerNow(tradepost, other.id)).toMatchObject({
    available_cents: 0,
    earned_cents: 0,
  })
})

test('a commission that is in a payout cannot be reviewed', async () => {
  const { id, sold } = await earner()
  const payout = await requested(tradepost, id)
  const path = `/affiliates/conversions/${sold[0]}/review`
  for (const state of ['requested', 'paid']) {
    const { status, json } = await tradepost.post(path, { status: 'rejected' })
    expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', state])
    if (state === 'requested') await act(payout.id, 'send')
  }
})

test('a buyer who is blocked during a payout is flagged when the payout is rejected', async () => {
  const { id, sold } = await earner()
  const payout = await requested(tradepost, id)
  const { json } = await tradepost.get(`/orders/${sold[0]}`)
  await tradepost.post(`/customers/${json.order.customer.id}/block`, {})
  expect((await conversionOf(tradepost, sold[0] ?? '')).flags).toEqual([])
  await act(payout.id, 'reject')
  expect(await conversionOf(tradepost, sold[0] ?? '')).toMatchObject({
    status: 'flagged',
    flags: ['blocked_customer'],
    commission_state: 'pending',
  })
})

test('payouts are listed, the newest first, under status and partner', async () => {
  const { id, code } = await earner()
  const first = await requested(tradepost, id)
  await act(first.id, 'send')
  await sale(tradepost, code)
  tradepost.forward(HOLD_MS)
  const second = await requested(tradepost, id)
  const list = async (query: string) => {
    const { json } = await tradepost.get(`/affiliates/payouts?partner_id=${id}${query}`)
    return json.payouts.map((payout: Json) => payout.id)
  }
  expect(await list('')).toEqual([second.id, first.id])
  expect(await list('&status=sent')).toEqual([first.id])
  expect(await list('&status=rejected')).toEqual([])
  expect(await list('&status=sent,requested')).toEqual([second.id, first.id])
})

const PAYOUTS = '/affiliates/payouts'

/** Everything that a step of a payout may change. */
async function stored(id: string): Promise<unknown> {
  const { rows } = await sql`
    select p.earned_cents, p.paid_cents,
           (select json_agg(json_build_array(c.state, c.payout_id, c.commission_cents) order by c.id)
              from affiliate_conversion c where c.partner_id = p.id) as conversions,
           (select json_agg(json_build_array(y.id, y.status, y.amount_cents) order by y.id)
              from affiliate_payout y where y.partner_id = p.id) as payouts,
           (select json_agg(json_build_array(a.amount_cents, a.payout_id) order by a.id)
              from affiliate_adjustment a where a.partner_id = p.id) as adjustments,
           (select count(*) from event where type like 'affiliate.payout%') as events,
           (select count(*) from audit_event where object = 'affiliate_payout') as audited
      from affiliate_partner p
     where p.id = ${id}`.execute(tradepost.db)
  return rows[0]
}

test.each(['request', 'send', 'reject'] as const)(
  'a call to %s a payout that fails at its n-th statement changes nothing, for every n, and works when it is repeated',
  async (name) => {
    const { id } = await earner(2)
    const payout = name === 'request' ? undefined : await requested(tradepost, id)
    const path = payout ? `${PAYOUTS}/${payout.id}/${name}` : PAYOUTS
    const body = payout ? {} : { partner_id: id, method: 'bank_transfer' }
    const state = () => stored(id)
    await expectAllOrNothing(tradepost, { path, body, state, least: 5 })
  },
)
