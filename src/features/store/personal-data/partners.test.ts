import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProgram, partner, partnerNow, requested, sale } from '../../../../test/affiliates.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

/** A person who is an affiliate partner: their export and their erasure (decision 140). */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost, { hold_days: 0 })
})
afterAll(() => tradepost.close())

const EMAIL = 'grace.hopper@example.com'
const IBAN = 'DE02 1203 0000 0000 2020 51'

test('an export shows the partner, and an erasure removes them and keeps their earnings', async () => {
  const headers = { 'idempotency-key': 'apply-once' }
  const body = { email: EMAIL, name: 'Grace Hopper', note: 'I stream.', ip: '192.0.2.50' }
  const applied = await tradepost.post('/affiliates/applications', body, { headers })
  const { id } = applied.json.partner
  await tradepost.post(`/affiliates/partners/${id}/approve`)
  await tradepost.post(`/affiliates/partners/${id}/links`, { code: 'hopper' })
  const sold = await sale(tradepost, 'hopper')
  const payout = await requested(tradepost, id)
  expect(payout.destination).toBe(IBAN)
  const { customer } = (await tradepost.post('/customers', { email: EMAIL, name: 'Grace Hopper' }))
    .json
  const exported = (await tradepost.get(`/customers/${customer.id}/export`)).json
  expect(exported.affiliate_partners).toEqual([await partnerNow(tradepost, id)])

  expect((await tradepost.post(`/customers/${customer.id}/erase`)).status).toBe(200)
  const erased = await partnerNow(tradepost, id)
  expect(erased).toMatchObject({
    email: `erased-${id.toLowerCase()}@erased.invalid`,
    name: null,
    note: null,
    status: 'approved',
    earned_cents: 100,
  })
  const { json } = await tradepost.get(`/affiliates/payouts/${payout.id}`)
  expect(json.payout).toMatchObject({ amount_cents: 100, destination: null })
  for (const type of ['partner_applied', 'conversion', 'payout_requested']) {
    const payloads = await tradepost.payloads(`affiliate.${type}`)
    expect(payloads).toHaveLength(1)
    expect(JSON.stringify(payloads)).not.toMatch(/hopper@|Grace Hopper/)
  }
  const replayed = await tradepost.post('/affiliates/applications', body, { headers })
  expect(JSON.stringify(replayed.json)).not.toContain(EMAIL)
  const { rows } = await sql<{ applied_ip: string | null; traces: number }>`
    select applied_ip,
           (select count(*)::int from audit_event
             where changes::text like '%hopper@%' or changes::text like '%Grace Hopper%'
                or changes::text like ${`%${IBAN}%`} or changes::text like '%192.0.2.50%') as traces
      from affiliate_partner where id = ${id}`.execute(tradepost.db)
  expect(rows).toEqual([{ applied_ip: null, traces: 0 }])
  const conversions = (await tradepost.get('/affiliates/conversions')).json.conversions
  expect(conversions.map((item: Json) => item.invoice_id)).toEqual([sold.id])
})

test('the erasure of a buyer removes notes of reviews of their orders', async () => {
  const { code } = await partner(tradepost)
  const sold = await sale(tradepost, code)
  const note = `Asked ${sold.customer.email} about it.`
  await tradepost.post(`/affiliates/conversions/${sold.id}/review`, { status: 'valid', note })
  await tradepost.post(`/customers/${sold.customer.id}/erase`)
  const { rows } = await sql<{ note: string | null; traces: number }>`
    select c.note, (select count(*)::int from audit_event
                     where changes::text like ${`%${sold.customer.email}%`}) as traces
      from affiliate_conversion c where c.order_id = ${sold.id}`.execute(tradepost.db)
  expect(rows).toEqual([{ note: null, traces: 0 }])
})
