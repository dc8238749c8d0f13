import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  getPartner,
  openProgram,
  partner,
  requestPayout,
  sale,
} from '../../../../test/affiliates.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

// A person who is an affiliate partner: their export and their erasure (decision 140).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost, { hold_days: 0 })
})
afterAll(() => tradepost.close())

const EMAIL = 'grace.hopper@example.com'
const IBAN = 'DE02 1203 0000 0000 2020 51'

test('an export contains the partner, and an erasure removes them and keeps their earnings', async () => {
  const headers = { 'idempotency-key': 'apply-once' }
  const body = { email: EMAIL, name: 'Grace Hopper', note: 'I stream.', ip: '192.0.2.50' }
  const application = await tradepost.post('/affiliates/applications', body, { headers })
  const { id } = application.json.partner
  await expectSuccess(tradepost.post(`/affiliates/partners/${id}/approve`))
  await expectSuccess(tradepost.post(`/affiliates/partners/${id}/links`, { code: 'hopper' }))
  const soldOrder = await sale(tradepost, 'hopper')
  const payout = await requestPayout(tradepost, id)
  expect(payout.destination).toBe(IBAN)
  const { customer } = (await tradepost.post('/customers', { email: EMAIL, name: 'Grace Hopper' }))
    .json
  const customerExport = (await tradepost.get(`/customers/${customer.id}/export`)).json
  expect(customerExport.affiliate_partners).toEqual([await getPartner(tradepost, id)])

  expect((await tradepost.post(`/customers/${customer.id}/erase`)).status).toBe(200)
  const erasedPartner = await getPartner(tradepost, id)
  expect(erasedPartner).toMatchObject({
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
  const repeatedApplication = await tradepost.post('/affiliates/applications', body, { headers })
  expect(JSON.stringify(repeatedApplication.json)).not.toContain(EMAIL)
  const { rows } = await sql<{ applied_ip: string | null; traces: number }>`
    select applied_ip,
           (select count(*)::int from audit_event
             where changes::text like '%hopper@%' or changes::text like '%Grace Hopper%'
                or changes::text like ${`%${IBAN}%`} or changes::text like '%192.0.2.50%') as traces
      from affiliate_partner where id = ${id}`.execute(tradepost.db)
  expect(rows).toEqual([{ applied_ip: null, traces: 0 }])
  const conversions = (await tradepost.get('/affiliates/conversions')).json.conversions
  expect(conversions.map((item: Json) => item.invoice_id)).toEqual([soldOrder.id])
})

test('the erasure of a buyer deletes the review notes of their orders', async () => {
  const { code } = await partner(tradepost)
  const soldOrder = await sale(tradepost, code)
  const note = `Asked ${soldOrder.customer.email} about it.`
  await expectSuccess(
    tradepost.post(`/affiliates/conversions/${soldOrder.id}/review`, { status: 'valid', note }),
  )
  await expectSuccess(tradepost.post(`/customers/${soldOrder.customer.id}/erase`))
  const { rows } = await sql<{ note: string | null; traces: number }>`
    select c.note, (select count(*)::int from audit_event
                     where changes::text like ${`%${soldOrder.customer.email}%`}) as traces
      from affiliate_conversion c where c.order_id = ${soldOrder.id}`.execute(tradepost.db)
  expect(rows).toEqual([{ note: null, traces: 0 }])
})
