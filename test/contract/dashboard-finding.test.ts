import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import { auditedSince, lastAuditId } from '../audited.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { keysNamed, order, product } from '../build.ts'
import { machine, type Program, programOf } from '../client-security/program.ts'
import { type Seller, sellerAt } from '../client-security/seller.ts'
import { aKey } from '../client-security/walks.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openWalk } from './walk.ts'

/** Endpoints of the dashboard that find stock keys, list sessions, and show webhook endpoints by hour. */

let tradepost: Tradepost
let viewer: SignedIn
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openWalk()
  viewer = await signedIn(tradepost, 'viewer')
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

describe('a stock key', () => {
  const find = (value: string, by = viewer, at = base) =>
    by.get(`${at}/stock-keys?${new URLSearchParams({ value })}`)

  test('is found by its whole text in every variant, sold or not, and stays masked (decision 328)', async () => {
    const game = await product(tradepost, { name: 'One' }, { keys: ['TWICE-1234', 'ONCE-5678'] })
    const other = await product(tradepost, { name: 'Two' }, { keys: ['TWICE-1234'] })
    const sold = await order(tradepost, game.id, { mark_paid: true })
    const { status, json, text } = await find('TWICE-1234')
    expect(status).toBe(200)
    expect(json.keys).toMatchObject([
      { product_id: other.id, product_name: 'Two', status: 'available', order_id: null },
      { product_id: game.id, product_name: 'One', status: 'sold', order_id: sold.id },
    ])
    expect(json.keys[0].variant_id).toBe(other.variantId)
    expect(text).not.toContain('TWICE')
    expect((await find('ONCE-5678')).json.keys).toHaveLength(1)
    expect((await find('ONCE-567')).json.keys).toEqual([])
  })

  test('is not found in another store, and a text that cannot be a key is refused', async () => {
    await product(tradepost, {}, { keys: ['OTHERS-1'], as: tradepost.other })
    expect((await find('OTHERS-1')).json.keys).toEqual([])
    const there = `/stores/${tradepost.other.id}`
    expect(refusalOf(await find('OTHERS-1', viewer, there))).toBe('NOT_FOUND')
    for (const text of ['', ' ', 'x'.repeat(2_049), 'a\u0000b'])
      expect(refusalOf(await find(text)), text).toBe('VALIDATION_FAILED')
  })
})

describe('the sessions of a store', () => {
  let seller: Seller
  let program: Program & { appId: number }
  let other: Program & { appId: number }
  let started: Json[]

  const list = async (query = '', by = viewer): Promise<Json> =>
    (await by.get(`${base}/client-sessions${query}`)).json
  const ids = async (query: string): Promise<number[]> =>
    (await list(query)).sessions.map((item: Json) => item.id)

  /** Four sessions: lapsed, ended, live, and live of another app. */
  beforeAll(async () => {
    seller = await sellerAt(tradepost)
    program = await programOf(tradepost, seller)
    other = await programOf(tradepost, seller)
    const start = async (by: Program & { appId: number }) => {
      const license = await aKey(seller, { app_id: by.appId })
      const body = { license_key: license.key, device: { ...machine(), name: 'Desk' } }
      const { session } = await by.start(body)
      return { license, token: session.token }
    }
    const lapsed = await start(program)
    tradepost.forward(HOUR_MS)
    const ended = await start(program)
    await program.call('DELETE', '/sessions/current', { token: ended.token })
    tradepost.forward(MINUTE_MS)
    const live = await start(program)
    tradepost.forward(MINUTE_MS)
    started = [lapsed, ended, live, await start(other)]
  })

  test('are listed with the latest lease first, with their license and device (decision 329)', async () => {
    const { sessions, next_cursor } = await list()
    expect(next_cursor).toBeNull()
    expect(sessions.map(({ live }: Json) => live)).toEqual([true, true, false, false])
    expect(sessions.map(({ key_id }: Json) => key_id)).toEqual(
      started.map(({ license }) => license.id).reverse(),
    )
    expect(sessions[0]).toMatchObject({
      object: 'session',
      app_id: other.appId,
      key_preview: started[3]?.license.key_preview,
      device_name: 'Desk',
      ended_at: null,
    })
    expect(sessions[2].ended_reason).toBe('left')
    expect(JSON.stringify(sessions)).not.toContain(started[3]?.license.key)
  })

  test('are filtered by state, app, license and device', async () => {
    const { sessions } = await list()
    const [four, three, two, one] = sessions.map(({ id }: Json) => id)
    expect(await ids('?state=live')).toEqual([four, three])
    expect(await ids('?state=ended')).toEqual([two, one])
    expect(await ids(`?app_id=${program.appId}`)).toEqual([three, two, one])
    expect(await ids(`?app_id=${program.appId}&state=live`)).toEqual([three])
    expect(await ids(`?key_id=${sessions[1].key_id}`)).toEqual([three])
    expect(await ids(`?device_id=${sessions[3].device_id}`)).toEqual([one])
    expect(await ids(`?device_id=${sessions[3].device_id}&state=live`)).toEqual([])
  })

  test('are read page by page without a gap', async () => {
    const all = await ids('')
    const read: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Json = await list(`?limit=1${cursor && `&cursor=${cursor}`}`)
      read.push(...page.sessions.map(({ id }: Json) => id))
      cursor = page.next_cursor
    }
    expect(read).toEqual(all)
    for (const bad of ['1', 'x-1', '1-1-1', '99999999999999999-1'])
      expect(refusalOf(await viewer.get(`${base}/client-sessions?cursor=${bad}`))).toBe(
        'VALIDATION_FAILED',
      )
    expect((await viewer.get(`${base}/client-sessions?cursor=99999999999999-1`)).status).toBe(200)
  })

  test('are no longer live once the seller ends those of a license', async () => {
    const live = (await list('?state=live')).sessions[0]
    await owner.delete(`${base}/security/v1/keys/${live.key_id}/sessions`)
    expect(await ids('?state=live')).not.toContain(live.id)
    expect(await ids('?state=ended')).toContain(live.id)
  })

  test('are those of this store only', async () => {
    const there = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const { json } = await there.get(`/stores/${tradepost.other.id}/client-sessions`)
    expect(json.sessions).toEqual([])
  })
})

describe('webhook endpoints', () => {
  const hook = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
  const made = async (): Promise<string> =>
    (await owner.post(`${base}/v1/webhooks`, hook)).json.webhook.id

  test('show their deliveries of 168 hours, folded or not, in one statement (decision 330)', async () => {
    const [id, quiet] = [await made(), await made()]
    const now = Date.parse((await viewer.get(`${base}/counts`)).json.store_time)
    const hour = new Date(Math.floor(now / HOUR_MS) * HOUR_MS)
    const at = (hours: number) => new Date(hour.getTime() - hours * HOUR_MS).toISOString()
    const ofEndpoint = sql`from webhook_endpoint where public_id = ${id}`
    for (const [hours, succeeded, failed] of [
      [0, 3, 1],
      [167, 2, 0],
      [168, 9, 9],
    ] as const) {
      await sql`
        insert into webhook_stat_hour (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
        select store_id, id, ${at(hours)}, ${succeeded}, ${failed}, 10, ${at(hours)} ${ofEndpoint}`.execute(
        tradepost.db,
      )
    }
    // A failure that a manual attempt turned into a success, not folded yet.
    await sql`
      insert into webhook_stat_delta (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
      select array[store_id], array[id], array[${at(0)}::timestamptz], array[1], array[-1], array[5],
             array[${at(0)}::timestamptz] ${ofEndpoint}`.execute(tradepost.db)
    const statements = await tradepost.statements(() => viewer.get(`${base}/webhook-hours`))
    expect(statements.filter((text) => text.includes('webhook_stat'))).toHaveLength(1)
    const { json } = await viewer.get(`${base}/webhook-hours`)
    expect(json.from).toBe(at(167))
    const shown = json.endpoints.find((item: Json) => item.id === id)
    const hours = (first: number, last: number) => [first, ...Array(166).fill(0), last]
    expect(shown).toEqual({ id, succeeded: hours(2, 4), failed: hours(0, 0) })
    const silent = json.endpoints.find((item: Json) => item.id === quiet)
    expect(silent).toEqual({ id: quiet, succeeded: hours(0, 0), failed: hours(0, 0) })
    const there = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const others = await there.get(`/stores/${tradepost.other.id}/webhook-hours`)
    expect(others.json.endpoints).toEqual([])
    await sql`delete from webhook_stat_hour`.execute(tradepost.db)
    await sql`delete from webhook_stat_delta`.execute(tradepost.db)
  })

  test('show the deliveries of one record, sent or not (decision 330)', async () => {
    await made()
    const game = await product(tradepost, { type: 'service' })
    const one = await order(tradepost, game.id)
    await order(tradepost, game.id)
    const list = async (id: string, by = viewer, at = base): Promise<Json> =>
      (await by.get(`${at}/object-deliveries?object_id=${id}`)).json
    const { deliveries, pagination } = await list(one.id)
    expect(deliveries.length).toBeGreaterThan(0)
    expect(pagination.total).toBe(deliveries.length)
    for (const { event, status } of deliveries) {
      expect(event).toMatchObject({ object_id: one.id, type: 'order.created' })
      expect(status).toBe('pending')
    }
    expect((await list('ord_none')).deliveries).toEqual([])
    const there = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    expect((await list(one.id, there, `/stores/${tradepost.other.id}`)).deliveries).toEqual([])
    expect(refusalOf(await viewer.get(`${base}/object-deliveries`))).toBe('VALIDATION_FAILED')
  })

  test('get the headers of Standard Webhooks by one switch, which is audited (decision 331)', async () => {
    const path = `${base}/webhooks/${await made()}/headers`
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
    const events = await auditedSince(tradepost, before)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ actor_type: 'user', action: 'webhook.update' })
    expect(refusalOf(await owner.patch(path, {}))).toBe('VALIDATION_FAILED')
    const missing = `${base}/webhooks/we_${'0'.repeat(22)}/headers`
    expect(refusalOf(await viewer.get(missing))).toBe('NOT_FOUND')
    expect(refusalOf(await owner.patch(missing, { standard_headers: true }))).toBe('NOT_FOUND')
  })
})

test('a stock key is found in one statement', async () => {
  await product(tradepost, {}, { keys: keysNamed('COUNTED', 1) })
  const sent = await tradepost.statements(() =>
    viewer.get(`${base}/stock-keys?value=COUNTED-000001`),
  )
  expect(sent.filter((text) => text.includes('stock_key'))).toHaveLength(1)
})
