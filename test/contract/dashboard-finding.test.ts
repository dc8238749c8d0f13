import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import { openProgram, partner, sale } from '../affiliates.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { keysNamed, order, product } from '../build.ts'
import { createLicenseKey } from '../client-security/prepared-calls.ts'
import { createProgram, newMachine, type Program } from '../client-security/program.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// Endpoints of the dashboard that find stock keys, sessions, webhook deliveries, conversions and
// blocklist entries.

let tradepost: Tradepost
let viewer: SignedIn
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  viewer = await signedIn(tradepost, 'viewer')
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

describe('the batches of a pool of keys', () => {
  test('are listed newest first with their sold and unsold keys, and an unknown variant is 404', async () => {
    const game = await product(tradepost, { name: 'Batched' }, { keys: ['LOOSE-1'] })
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const addKeys = (keys: string[], import_id: string) => tradepost.post(path, { keys, import_id })
    await addKeys(['FIRST-1', 'FIRST-2'], 'import-first')
    await addKeys(['SECOND-1'], 'import-second')
    await order(tradepost, game.id, {
      items: [{ product_id: game.id, quantity: 2 }],
      mark_paid: true,
    })
    const query = new URLSearchParams({
      product_id: game.id,
      variant_id: String(game.variantId),
    })
    const { status, json, text } = await viewer.get(`${base}/stock-imports?${query}`)
    expect(status, text).toBe(200)
    expect(json.imports).toMatchObject([
      { import_id: 'import-second', count: 1, available: 1, sold: 0 },
      { import_id: 'import-first', count: 2, available: 1, sold: 1 },
      { import_id: null, count: 1, available: 0, sold: 1 },
    ])
    query.set('variant_id', '99999')
    expect(refusalOf(await viewer.get(`${base}/stock-imports?${query}`))).toBe('NOT_FOUND')
  })
})

describe('a stock key', () => {
  const find = (value: string, browser = viewer, storePath = base) =>
    browser.get(`${storePath}/stock-keys?${new URLSearchParams({ value })}`)

  test('is found by its whole text in every variant, sold or not, and its text is masked', async () => {
    const game = await product(tradepost, { name: 'One' }, { keys: ['TWICE-1234', 'ONCE-5678'] })
    const secondProduct = await product(tradepost, { name: 'Two' }, { keys: ['TWICE-1234'] })
    const paidOrder = await order(tradepost, game.id, { mark_paid: true })
    const { status, json, text } = await find('TWICE-1234')
    expect(status).toBe(200)
    expect(json.keys).toMatchObject([
      { product_id: secondProduct.id, product_name: 'Two', status: 'available', order_id: null },
      { product_id: game.id, product_name: 'One', status: 'sold', order_id: paidOrder.id },
    ])
    expect(json.keys[0].variant_id).toBe(secondProduct.variantId)
    expect(text).not.toContain('TWICE')
    expect((await find('ONCE-5678')).json.keys).toHaveLength(1)
    expect((await find('ONCE-567')).json.keys).toEqual([])
  })

  test('is not found in another store, and a text that cannot be a key is refused', async () => {
    await product(tradepost, {}, { keys: ['OTHERS-1'], as: tradepost.other })
    expect((await find('OTHERS-1')).json.keys).toEqual([])
    const otherPath = `/stores/${tradepost.other.id}`
    expect(refusalOf(await find('OTHERS-1', viewer, otherPath))).toBe('NOT_FOUND')
    for (const text of ['', ' ', 'x'.repeat(2_049), 'a\u0000b'])
      expect(refusalOf(await find(text)), text).toBe('VALIDATION_FAILED')
  })

  test('is found by one statement', async () => {
    await product(tradepost, {}, { keys: keysNamed('COUNTED', 1) })
    const sentStatements = await tradepost.statements(() =>
      viewer.get(`${base}/stock-keys?value=COUNTED-000001`),
    )
    expect(sentStatements.filter((text) => text.includes('stock_key'))).toHaveLength(1)
  })
})

describe('the sessions of a store', () => {
  let seller: Seller
  let program: Program & { appId: number }
  let secondProgram: Program & { appId: number }
  let started: Json[]

  const list = async (query = ''): Promise<Json> =>
    (await viewer.get(`${base}/client-sessions${query}`)).json
  const listIds = async (query: string): Promise<number[]> =>
    (await list(query)).sessions.map((item: Json) => item.id)

  /** Starts four sessions: an expired one, an ended one, a live one, and a live one of another app. */
  beforeAll(async () => {
    seller = await createSeller(tradepost)
    program = await createProgram(tradepost, seller)
    secondProgram = await createProgram(tradepost, seller)
    const start = async (from: Program & { appId: number }) => {
      const license = await createLicenseKey(seller, { app_id: from.appId })
      const body = { license_key: license.key, device: { ...newMachine(), name: 'Desk' } }
      const { session } = await from.start(body)
      return { license, token: session.token }
    }
    const expired = await start(program)
    tradepost.forward(HOUR_MS)
    const ended = await start(program)
    await program.call('DELETE', '/sessions/current', { token: ended.token })
    tradepost.forward(MINUTE_MS)
    const live = await start(program)
    tradepost.forward(MINUTE_MS)
    started = [expired, ended, live, await start(secondProgram)]
  })

  test('are listed with the latest lease first, with their license and device', async () => {
    const { sessions, next_cursor } = await list()
    expect(next_cursor).toBeNull()
    expect(sessions.map(({ live }: Json) => live)).toEqual([true, true, false, false])
    expect(sessions.map(({ key_id }: Json) => key_id)).toEqual(
      started.map(({ license }) => license.id).reverse(),
    )
    expect(sessions[0]).toMatchObject({
      object: 'session',
      app_id: secondProgram.appId,
      key_preview: started[3]?.license.key_preview,
      device_name: 'Desk',
      ended_at: null,
    })
    expect(sessions[2].ended_reason).toBe('left')
    expect(JSON.stringify(sessions)).not.toContain(started[3]?.license.key)
  })

  test('are filtered by state, app, license and device', async () => {
    const { sessions } = await list()
    const [fourth, third, second, first] = sessions.map(({ id }: Json) => id)
    expect(await listIds('?state=live')).toEqual([fourth, third])
    expect(await listIds('?state=ended')).toEqual([second, first])
    expect(await listIds(`?app_id=${program.appId}`)).toEqual([third, second, first])
    expect(await listIds(`?app_id=${program.appId}&state=live`)).toEqual([third])
    expect(await listIds(`?key_id=${sessions[1].key_id}`)).toEqual([third])
    expect(await listIds(`?device_id=${sessions[3].device_id}`)).toEqual([first])
    expect(await listIds(`?device_id=${sessions[3].device_id}&state=live`)).toEqual([])
  })

  test('are read page by page without gaps, and an invalid cursor is refused', async () => {
    const allIds = await listIds('')
    const listedIds: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Json = await list(`?limit=1${cursor && `&cursor=${cursor}`}`)
      listedIds.push(...page.sessions.map(({ id }: Json) => id))
      cursor = page.next_cursor
    }
    expect(listedIds).toEqual(allIds)
    for (const invalidCursor of ['1', 'x-1', '1-1-1', '99999999999999999-1'])
      expect(refusalOf(await viewer.get(`${base}/client-sessions?cursor=${invalidCursor}`))).toBe(
        'VALIDATION_FAILED',
      )
    expect((await viewer.get(`${base}/client-sessions?cursor=99999999999999-1`)).status).toBe(200)
  })

  test('are not active after the seller ended the sessions of their license', async () => {
    const live = (await list('?state=live')).sessions[0]
    const ended = await owner.delete(`${base}/security/v1/keys/${live.key_id}/sessions`)
    expect(ended.status).toBe(200)
    expect(await listIds('?state=live')).not.toContain(live.id)
    expect(await listIds('?state=ended')).toContain(live.id)
  })

  test('of another store are not listed', async () => {
    const otherOwner = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const { json } = await otherOwner.get(`/stores/${tradepost.other.id}/client-sessions`)
    expect(json.sessions).toEqual([])
  })
})

describe('webhook endpoints', () => {
  const hook = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
  const createEndpoint = async (): Promise<string> => {
    await owner.post('/step-up', { password: PASSWORD })
    return (await owner.post(`${base}/v1/webhooks`, hook)).json.webhook.id
  }

  test('show their deliveries of the last 168 hours, including results that are not yet added to their hour, by one statement', async () => {
    const [id, unusedId] = [await createEndpoint(), await createEndpoint()]
    const now = Date.parse((await viewer.get(`${base}/counts`)).json.store_time)
    const hour = new Date(Math.floor(now / HOUR_MS) * HOUR_MS)
    const hoursAgo = (hours: number) => new Date(hour.getTime() - hours * HOUR_MS).toISOString()
    const ofEndpoint = sql`from webhook_endpoint where public_id = ${id}`
    for (const [hours, succeeded, failed] of [
      [0, 3, 1],
      [167, 2, 0],
      [168, 9, 9],
    ] as const) {
      await sql`
        insert into webhook_stat_hour (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
        select store_id, id, ${hoursAgo(hours)}, ${succeeded}, ${failed}, 10, ${hoursAgo(hours)} ${ofEndpoint}`.execute(
        tradepost.db,
      )
    }
    // A manual attempt turned a failure into a success, which is not added to its hour yet.
    await sql`
      insert into webhook_stat_delta (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
      select array[store_id], array[id], array[${hoursAgo(0)}::timestamptz], array[1], array[-1], array[5],
             array[${hoursAgo(0)}::timestamptz] ${ofEndpoint}`.execute(tradepost.db)
    const statements = await tradepost.statements(() => viewer.get(`${base}/webhook-hours`))
    expect(statements.filter((text) => text.includes('webhook_stat'))).toHaveLength(1)
    const { json } = await viewer.get(`${base}/webhook-hours`)
    expect(json.from).toBe(hoursAgo(167))
    const hoursOfEndpoint = json.endpoints.find((item: Json) => item.id === id)
    const hourCounts = (first: number, last: number) => [first, ...Array(166).fill(0), last]
    expect(hoursOfEndpoint).toEqual({ id, succeeded: hourCounts(2, 4), failed: hourCounts(0, 0) })
    const hoursOfUnused = json.endpoints.find((item: Json) => item.id === unusedId)
    expect(hoursOfUnused).toEqual({
      id: unusedId,
      succeeded: hourCounts(0, 0),
      failed: hourCounts(0, 0),
    })
    const otherOwner = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const otherHours = await otherOwner.get(`/stores/${tradepost.other.id}/webhook-hours`)
    expect(otherHours.json.endpoints).toEqual([])
    await sql`delete from webhook_stat_hour`.execute(tradepost.db)
    await sql`delete from webhook_stat_delta`.execute(tradepost.db)
  })

  test('show the deliveries of one record that are not sent yet', async () => {
    await createEndpoint()
    const game = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, game.id)
    await order(tradepost, game.id)
    const list = async (id: string, browser = viewer, storePath = base): Promise<Json> =>
      (await browser.get(`${storePath}/object-deliveries?object_id=${id}`)).json
    const { deliveries, pagination } = await list(newOrder.id)
    expect(deliveries.length).toBeGreaterThan(0)
    expect(pagination.total).toBe(deliveries.length)
    for (const { event, status } of deliveries) {
      expect(event).toMatchObject({ object_id: newOrder.id, type: 'order.created' })
      expect(status).toBe('pending')
    }
    expect((await list('ord_none')).deliveries).toEqual([])
    const otherOwner = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    expect(
      (await list(newOrder.id, otherOwner, `/stores/${tradepost.other.id}`)).deliveries,
    ).toEqual([])
    expect(refusalOf(await viewer.get(`${base}/object-deliveries`))).toBe('VALIDATION_FAILED')
  })

  test('have a switch for the headers of Standard Webhooks, whose changes are audited', async () => {
    const path = `${base}/webhooks/${await createEndpoint()}/headers`
    expect((await viewer.get(path)).json).toEqual({
      success: true,
      headers: { standard_headers: false },
    })
    expect(refusalOf(await viewer.patch(path, { standard_headers: true }))).toBe(
      'INSUFFICIENT_SCOPE',
    )
    const before = await lastAuditId(tradepost)
    const { status, json } = await owner.patch(path, { standard_headers: true })
    expect([status, json]).toEqual([200, { success: true, headers: { standard_headers: true } }])
    expect((await viewer.get(path)).json.headers).toEqual({ standard_headers: true })
    const events = await auditEventsSince(tradepost, before)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ actor_type: 'user', action: 'webhook.update' })
    expect(refusalOf(await owner.patch(path, {}))).toBe('VALIDATION_FAILED')
    const missing = `${base}/webhooks/we_${'0'.repeat(22)}/headers`
    expect(refusalOf(await viewer.get(missing))).toBe('NOT_FOUND')
    expect(refusalOf(await owner.patch(missing, { standard_headers: true }))).toBe('NOT_FOUND')
  })
})

describe('the conversion of an order', () => {
  test('is shown with its commission and flags, even while the programme is disabled', async () => {
    await openProgram(tradepost)
    const { code, id } = await partner(tradepost)
    const paidOrder = await sale(tradepost, code)
    const getConversion = async (orderId: string) =>
      (await viewer.get(`${base}/order-conversions/${orderId}`)).json.conversion
    const { conversions } = (await tradepost.get('/affiliates/conversions')).json
    expect(await getConversion(paidOrder.id)).toEqual(conversions[0])
    expect(await getConversion(paidOrder.id)).toMatchObject({
      invoice_id: paidOrder.id,
      partner: { id },
      flags: [],
    })
    await openProgram(tradepost, { enabled: false })
    expect(await getConversion(paidOrder.id)).toMatchObject({ invoice_id: paidOrder.id })
  })

  test('is null for an order without a partner and for an order of another store, and 404 for an invalid id', async () => {
    const game = await product(tradepost, { type: 'service' })
    const { id } = await order(tradepost, game.id)
    const path = `${base}/order-conversions`
    expect((await viewer.get(`${path}/${id}`)).json).toEqual({ success: true, conversion: null })
    const options = { as: tradepost.other }
    await openProgram(tradepost, {}, options)
    const { code } = await partner(tradepost, {}, options)
    const otherOrder = await sale(tradepost, code, {}, options)
    const otherAnswer = await viewer.get(`${path}/${otherOrder.id}`)
    expect(otherAnswer.json).toEqual({ success: true, conversion: null })
    expect(refusalOf(await viewer.get(`${path}/ord_1`))).toBe('NOT_FOUND')
  })
})

test('the totals of the approved partners are the sums of the list, in one statement', async () => {
  await openProgram(tradepost)
  const partners = [await partner(tradepost), await partner(tradepost), await partner(tradepost)]
  for (const { code } of partners) await sale(tradepost, code)
  const [first, , third] = partners
  // An amount below 0 after a refund of a paid commission cannot be requested.
  await sql`update affiliate_partner set adjusted_cents = -99999 where id = ${first?.id}`.execute(
    tradepost.db,
  )
  await tradepost.post(`/affiliates/partners/${third?.id}/suspend`)
  const approved = (await tradepost.get('/affiliates/partners?status=approved&limit=100')).json
    .partners as Json[]
  const sum = (amountOf: (item: Json) => number) =>
    approved.reduce((total, item) => total + amountOf(item), 0)
  const path = `${base}/partner-totals`
  expect((await viewer.get(path)).json.totals).toEqual({
    partners: approved.length,
    links: sum(({ links }) => links.length),
    pending_cents: sum(({ pending_cents }) => pending_cents),
    available_cents: sum(({ available_cents }) => Math.max(0, available_cents)),
  })
  expect(sum(({ pending_cents }) => pending_cents)).toBeGreaterThan(0)
  const statements = await tradepost.statements(() => viewer.get(path))
  expect(statements.filter((text) => text.includes('affiliate_partner'))).toHaveLength(1)
})

describe('the blocklist entries that match a buyer', () => {
  const match = (query: Record<string, string>) =>
    viewer.get(`${base}/blocklist-matches?${new URLSearchParams(query)}`)
  const matchingValues = async (query: Record<string, string>) =>
    (await match(query)).json.blocklist_entries.map((entry: Json) => entry.value)

  test('are listed by email address and IP address, and the search does not count as a hit', async () => {
    for (const [type, value] of [
      ['email', '*@stopped.example'],
      ['ip', '203.0.113.0/24'],
      ['ip', '2001:db8::/32'],
    ]) {
      await tradepost.post('/blocklist', { type, value })
    }
    const otherEntry = { type: 'email', value: 'bob@stopped.example' }
    await tradepost.post('/blocklist', otherEntry, { as: tradepost.other })
    expect(await matchingValues({ email: 'Bob@Stopped.example' })).toEqual(['*@stopped.example'])
    expect(await matchingValues({ ip: '203.0.113.9' })).toEqual(['203.0.113.0/24'])
    expect(await matchingValues({ ip: '2001:db8::1' })).toEqual(['2001:db8::/32'])
    const both = { email: 'bob@stopped.example', ip: '203.0.113.9' }
    expect(await matchingValues(both)).toEqual(['*@stopped.example', '203.0.113.0/24'])
    expect(await matchingValues({ email: 'bob@free.example', ip: '198.51.100.1' })).toEqual([])
    const { blocklist_entries } = (await match(both)).json
    expect(blocklist_entries.map(({ hits }: Json) => hits)).toEqual([0, 0])
  })

  test('are refused without a valid email address or IP address', async () => {
    for (const query of [{}, { email: 'bob' }, { ip: '203.0.113.0/24' }]) {
      expect(refusalOf(await match(query as never)), JSON.stringify(query)).toBe(
        'VALIDATION_FAILED',
      )
    }
  })
})
