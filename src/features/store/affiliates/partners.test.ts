import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProgram, partner, partnerNow } from '../../../../test/affiliates.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

/** The programme, its partners and their links. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
})
afterAll(() => tradepost.close())

const act = (id: string, verb: string) => tradepost.post(`/affiliates/partners/${id}/${verb}`)

test('the programme has defaults, keeps what a change leaves out, and null clears its address', async () => {
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
  const changed = await tradepost.patch('/affiliates/program', patch, { as })
  expect(changed.json.program).toEqual({ ...defaults, ...patch })
  const cleared = await tradepost.patch('/affiliates/program', { landing_url: null }, { as })
  expect(cleared.json.program).toEqual({ ...defaults, commission_percent: 12.5 })
})

test('a bad field of the programme is named', async () => {
  for (const [field, value] of [
    ['commission_percent', 101],
    ['hold_days', 91],
    ['cookie_days', 0],
    ['min_payout_cents', -1],
    ['landing_url', 'http://shop.example'],
    ['object', 'x'],
  ] as const) {
    const { status, json } = await tradepost.patch('/affiliates/program', { [field]: value })
    expect([status, json.details?.field]).toEqual([422, field])
  }
})

test('an application waits for the seller, emits affiliate.partner_applied, and can be approved', async () => {
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
  expect((await act(id, 'approve')).json.partner.status).toBe('approved')
})

test('a programme that approves at once, or takes no applications, says so', async () => {
  await openProgram(tradepost, { auto_approve: true })
  const body = { email: 'fast@example.com', name: 'Fast' }
  const { json } = await tradepost.post('/affiliates/applications', body)
  expect(json.partner.status).toBe('approved')
  await openProgram(tradepost, { auto_approve: false, public_signup: false })
  const closed = await tradepost.post('/affiliates/applications', {
    ...body,
    email: 'b@example.com',
  })
  expect([closed.status, closed.json.code, closed.json.details.status]).toEqual([
    409,
    'INVALID_STATE',
    'closed',
  ])
  await openProgram(tradepost, { public_signup: true })
})

test('an invited partner is approved, and an address that another partner has is taken', async () => {
  await tradepost.events()
  const { id, email } = await partner(tradepost, { commission_percent: 20, note: 'VIP' })
  expect(await partnerNow(tradepost, id)).toMatchObject({
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

test('a change keeps what it leaves out, and null clears', async () => {
  const { id } = await partner(tradepost, { commission_percent: 20, note: 'VIP' })
  const path = `/affiliates/partners/${id}`
  const { json } = await tradepost.patch(path, { name: 'Ada' })
  expect(json.partner).toMatchObject({ name: 'Ada', commission_percent: 20, note: 'VIP' })
  const nothing = { name: null, commission_percent: null, note: null }
  expect((await tradepost.patch(path, nothing)).json.partner).toMatchObject(nothing)
  const bad = await tradepost.patch(path, { email: 'x@example.com' })
  expect([bad.status, bad.json.details.field]).toEqual([422, 'email'])
})

const STEPS = [
  ['applied', 'approve', 'approved'],
  ['applied', 'reject', 'rejected'],
  ['applied', 'suspend', undefined],
  ['approved', 'approve', undefined],
  ['approved', 'reject', undefined],
  ['approved', 'suspend', 'suspended'],
  ['rejected', 'approve', 'approved'],
  ['rejected', 'suspend', undefined],
  ['suspended', 'approve', 'approved'],
  ['suspended', 'reject', undefined],
] as const
const WAYS: Record<string, readonly string[]> = {
  applied: [],
  approved: ['approve'],
  rejected: ['reject'],
  suspended: ['approve', 'suspend'],
}

test.each(STEPS)('a partner who is %s, after %s: %s', async (from, verb, to) => {
  const email = `${from}-${verb}@example.com`
  const made = await tradepost.post('/affiliates/applications', { email, name: 'X' })
  const { id } = made.json.partner
  for (const step of WAYS[from] ?? []) await act(id, step)
  const { status, json } = await act(id, verb)
  if (to) expect([status, json.partner.status]).toEqual([200, to])
  else expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', from])
})

test('partners are listed, the newest first, under status and search', async () => {
  const { id } = await partner(tradepost, { email: 'needle@example.com', name: 'Hay' })
  const search = async (query: string) =>
    (await tradepost.get(`/affiliates/partners?${query}`)).json.partners.map((p: Json) => p.id)
  expect((await search('limit=1'))[0]).toBe(id)
  expect(await search('search=NEEDLE')).toEqual([id])
  expect(await search('search=needle&status=applied')).toEqual([])
  expect(await search('search=needle&status=applied,approved')).toEqual([id])
  const { json } = await tradepost.get('/affiliates/partners?status=approved&limit=1')
  expect(json.pagination).toMatchObject({ limit: 1, offset: 0, has_more: true })
})

test('a link has a code that is unique in the store, or a generated one', async () => {
  const { id, code } = await partner(tradepost)
  const path = `/affiliates/partners/${id}/links`
  const { status, json } = await tradepost.post(path, {})
  expect([status, json.link.clicks]).toEqual([201, 0])
  expect(json.link.code).toMatch(/^[a-z0-9]{10}$/)
  expect(json.link.url).toMatch(new RegExp(`/r/[a-z0-9-]+/${json.link.code}$`))
  const taken = await tradepost.post(path, { code })
  expect([taken.status, taken.json.details]).toMatchObject([
    422,
    { field: 'code', reason: 'taken' },
  ])
  const bad = await tradepost.post(path, { code: 'A b' })
  expect([bad.status, bad.json.details.field]).toEqual([422, 'code'])
  const { links } = (await tradepost.get(path)).json
  expect(links.map((link: Json) => link.code)).toEqual([code, json.link.code])
  const gone = await tradepost.delete(`/affiliates/links/${code}`)
  expect(gone.json).toEqual({ success: true, deleted: true, code })
  expect((await tradepost.delete(`/affiliates/links/${code}`)).status).toBe(404)
})

test('a partner has at most 100 links', async () => {
  const { id } = await partner(tradepost)
  const path = `/affiliates/partners/${id}/links`
  for (let n = 1; n < 100; n++) expect((await tradepost.post(path, {})).status).toBe(201)
  const { status, json } = await tradepost.post(path, {})
  expect([status, json.error]).toEqual([422, expect.stringContaining('at most 100 links')])
})

test('a customer says which partner they are', async () => {
  const { id, email } = await partner(tradepost)
  const { json } = await tradepost.post('/customers', { email })
  expect(json.customer.affiliate_partner_id).toBe(id)
})
