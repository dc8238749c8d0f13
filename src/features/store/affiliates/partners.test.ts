import { afterAll, beforeAll, expect, test } from 'vitest'
import { getPartner, openProgram, partner } from '../../../../test/affiliates.ts'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

// The programme, its partners and their links.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const changeStatus = (id: string, verb: string) =>
  tradepost.post(`/affiliates/partners/${id}/${verb}`)

test('the programme has defaults, a change keeps omitted fields, and null clears the landing URL', async () => {
  const as = tradepost.other
  const defaults = {
    object: 'affiliate_program',
    enabled: false,
    commission_percent: 10,
    hold_days: 30,
    cookie_days: 30,
    min_payout_cents: 1000,
    auto_approve: false,
    public_signup: true,
    customer_discount_percent: 0,
    landing_url: null,
  }
  expect((await tradepost.get('/affiliates/program', { as })).json.program).toEqual(defaults)
  const patch = { commission_percent: 12.5, landing_url: 'https://shop.example/start' }
  const changeAnswer = await tradepost.patch('/affiliates/program', patch, { as })
  expect(changeAnswer.json.program).toEqual({ ...defaults, ...patch })
  const clearAnswer = await tradepost.patch('/affiliates/program', { landing_url: null }, { as })
  expect(clearAnswer.json.program).toEqual({ ...defaults, commission_percent: 12.5 })
})

test('a bad value in the programme is refused, and the error names the field', async () => {
  for (const [field, value] of [
    ['commission_percent', 101],
    ['hold_days', 91],
    ['cookie_days', 0],
    ['min_payout_cents', -1],
    ['landing_url', 'http://shop.example'],
    ['landing_url', 'https://-/'],
    ['object', 'x'],
  ] as const) {
    const { status, json } = await tradepost.patch('/affiliates/program', { [field]: value })
    expect([status, json.details?.field]).toEqual([422, field])
  }
})

test('an application is pending, emits affiliate.partner_applied, and can be approved', async () => {
  await tradepost.events()
  const body = { email: 'Hopper@Example.com', name: 'Hopper', note: 'I stream.', ip: '192.0.2.9' }
  const { status, json } = await tradepost.post('/affiliates/applications', body)
  expect(status).toBe(201)
  const { id, created_at } = json.partner
  expect(id).toMatch(/^par_[0-9A-Za-z]{22}$/)
  expect(json.partner).toEqual({
    id,
    object: 'affiliate_partner',
    email: 'hopper@example.com',
    name: 'Hopper',
    note: 'I stream.',
    status: 'applied',
    commission_percent: null,
    links: [],
    clicks: 0,
    conversions: 0,
    earned_cents: 0,
    available_cents: 0,
    pending_cents: 0,
    paid_cents: 0,
    created_at,
    updated_at: created_at,
  })
  expect(await tradepost.events()).toEqual(['affiliate.partner_applied'])
  const { data } = (await tradepost.payloads('affiliate.partner_applied')).at(-1) ?? {}
  const partner = { object: 'affiliate_partner', id, email: 'hopper@example.com', name: 'Hopper' }
  expect(data.object).toEqual({ ...partner, status: 'applied', created_at })
  expect((await changeStatus(id, 'approve')).json.partner.status).toBe('approved')
})

test('the programme can approve applications at once, or accept none', async () => {
  await openProgram(tradepost, { auto_approve: true })
  const body = { email: 'fast@example.com', name: 'Fast' }
  const { json } = await tradepost.post('/affiliates/applications', body)
  expect(json.partner.status).toBe('approved')
  await openProgram(tradepost, { auto_approve: false, public_signup: false })
  const refusal = await tradepost.post('/affiliates/applications', {
    ...body,
    email: 'b@example.com',
  })
  expect([refusal.status, refusal.json.code, refusal.json.details.status]).toEqual([
    409,
    'INVALID_STATE',
    'closed',
  ])
  await openProgram(tradepost, { public_signup: true })
})

test('an invited partner is approved, and an email that another partner has is refused', async () => {
  await tradepost.events()
  const { id, email } = await partner(tradepost, { commission_percent: 20, note: 'VIP' })
  expect(await getPartner(tradepost, id)).toMatchObject({
    status: 'approved',
    commission_percent: 20,
    note: 'VIP',
  })
  expect(await tradepost.events()).toEqual([])
  for (const path of ['/affiliates/partners', '/affiliates/applications']) {
    const { status, json } = await tradepost.post(path, { email: email.toUpperCase(), name: 'X' })
    expect([status, json.details]).toMatchObject([422, { field: 'email', reason: 'taken' }])
  }
})

test('a change of a partner keeps omitted fields, and null clears a field', async () => {
  const { id } = await partner(tradepost, { commission_percent: 20, note: 'VIP' })
  const path = `/affiliates/partners/${id}`
  const { json } = await tradepost.patch(path, { name: 'Ada' })
  expect(json.partner).toMatchObject({ name: 'Ada', commission_percent: 20, note: 'VIP' })
  const clearedFields = { name: null, commission_percent: null, note: null }
  expect((await tradepost.patch(path, clearedFields)).json.partner).toMatchObject(clearedFields)
  const changedEmail = await tradepost.patch(path, { email: 'x@example.com' })
  expect([changedEmail.status, changedEmail.json.details.field]).toEqual([422, 'email'])
})

const TRANSITIONS = [
  ['applied', 'approve', 'approved'],
  ['applied', 'reject', 'rejected'],
  ['applied', 'suspend', 'a refusal'],
  ['approved', 'approve', 'a refusal'],
  ['approved', 'reject', 'a refusal'],
  ['approved', 'suspend', 'suspended'],
  ['rejected', 'approve', 'approved'],
  ['rejected', 'suspend', 'a refusal'],
  ['suspended', 'approve', 'approved'],
  ['suspended', 'reject', 'a refusal'],
] as const
const STEPS_TO: Record<string, readonly string[]> = {
  applied: [],
  approved: ['approve'],
  rejected: ['reject'],
  suspended: ['approve', 'suspend'],
}

test.each(TRANSITIONS)(
  'for a partner with the status %s, the call %s leads to %s',
  async (from, verb, result) => {
    const email = `${from}-${verb}@example.com`
    const application = await tradepost.post('/affiliates/applications', { email, name: 'X' })
    const { id } = application.json.partner
    for (const step of STEPS_TO[from] ?? []) await expectSuccess(changeStatus(id, step))
    const { status, json } = await changeStatus(id, verb)
    if (result === 'a refusal') {
      expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', from])
    } else expect([status, json.partner.status]).toEqual([200, result])
  },
)

test('partners are listed newest first, filtered by status and search', async () => {
  const { id } = await partner(tradepost, { email: 'needle@example.com', name: 'Hay' })
  const listIds = async (query: string) =>
    (await tradepost.get(`/affiliates/partners?${query}`)).json.partners.map(
      (item: Json) => item.id,
    )
  expect((await listIds('limit=1'))[0]).toBe(id)
  expect(await listIds('search=NEEDLE')).toEqual([id])
  expect(await listIds('search=needle&status=applied')).toEqual([])
  expect(await listIds('search=needle&status=applied,approved')).toEqual([id])
  const { json } = await tradepost.get('/affiliates/partners?status=approved&limit=1')
  expect(json.pagination).toMatchObject({ limit: 1, offset: 0, has_more: true })
})

test('a link has a generated code or a requested one, which no other link of the store has', async () => {
  const { id, code } = await partner(tradepost)
  const path = `/affiliates/partners/${id}/links`
  const { status, json } = await tradepost.post(path, {})
  expect([status, json.link.clicks]).toEqual([201, 0])
  expect(json.link.code).toMatch(/^[a-z0-9]{10}$/)
  expect(json.link.url).toMatch(new RegExp(`/r/[a-z0-9-]+/${json.link.code}$`))
  const duplicate = await tradepost.post(path, { code })
  expect([duplicate.status, duplicate.json.details]).toMatchObject([
    422,
    { field: 'code', reason: 'taken' },
  ])
  const badCode = await tradepost.post(path, { code: 'A b' })
  expect([badCode.status, badCode.json.details.field]).toEqual([422, 'code'])
  const { links } = (await tradepost.get(path)).json
  expect(links.map((link: Json) => link.code)).toEqual([code, json.link.code])
  const deletion = await tradepost.delete(`/affiliates/links/${code}`)
  expect(deletion.json).toEqual({ success: true, deleted: true, code })
  expect((await tradepost.delete(`/affiliates/links/${code}`)).status).toBe(404)
})

test('a partner has at most 100 links', async () => {
  const { id } = await partner(tradepost)
  const path = `/affiliates/partners/${id}/links`
  for (let n = 1; n < 100; n++) expect((await tradepost.post(path, {})).status).toBe(201)
  const { status, json } = await tradepost.post(path, {})
  expect([status, json.error]).toEqual([422, expect.stringContaining('at most 100 links')])
})

test('a customer with the email of a partner has the id of that partner', async () => {
  const { id, email } = await partner(tradepost)
  const { json } = await tradepost.post('/customers', { email })
  expect(json.customer.affiliate_partner_id).toBe(id)
})

test.each([{}, { code: 'grace-audited' }])(
  'the audit event of a new link with the body %j names its code',
  async (body) => {
    const { id } = await partner(tradepost)
    const before = await lastAuditId(tradepost)
    const { link } = (await tradepost.post(`/affiliates/partners/${id}/links`, body)).json
    expect(await auditEventsSince(tradepost, before)).toMatchObject([
      { action: 'affiliate.create_link', changes: { code: { to: link.code } } },
    ])
  },
)
