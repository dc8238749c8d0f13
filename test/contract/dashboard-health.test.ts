import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/kernel/time.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openWalk } from './walk.ts'

/** Repeated changes of the dashboard, the health of endpoints, and the checks of `doctor`. */

let tradepost: Tradepost
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openWalk()
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

describe('an Idempotency-Key', () => {
  const VIEW = { page: 'orders', name: 'Paid', query: 'status=paid' }
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

  test('makes every change of the dashboard repeatable, also PATCH and DELETE', async () => {
    const path = `${base}/saved-views`
    const created = await owner.post(path, VIEW, keyed('view-1'))
    const again = await owner.post(path, VIEW, keyed('view-1'))
    expect([again.status, again.text]).toEqual([201, created.text])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await owner.get(path)).json.saved_views).toHaveLength(1)
    const one = `${path}/${created.json.saved_view.id}`
    const renamed = await owner.patch(one, { name: 'First' }, keyed('view-2'))
    await owner.patch(one, { name: 'Second' })
    expect((await owner.patch(one, { name: 'First' }, keyed('view-2'))).text).toBe(renamed.text)
    expect((await owner.get(path)).json.saved_views[0].name).toBe('Second')
    expect(refusalOf(await owner.patch(one, { name: 'Other' }, keyed('view-2')))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
    const deleted = await owner.delete(one, keyed('view-3'))
    expect((await owner.delete(one, keyed('view-3'))).text).toBe(deleted.text)
    expect(refusalOf(await owner.delete(one))).toBe('NOT_FOUND')
  })

  test('holds for the operations of both APIs, and belongs to its user', async () => {
    const path = `${base}/v1/coupons`
    const { id } = (
      await owner.post(path, { code: 'OFF', type: 'percentage', discount_percent: 5 })
    ).json.coupon
    const first = await owner.patch(`${path}/${id}`, { active: false }, keyed('coupon'))
    const again = await owner.patch(`${path}/${id}`, { active: false }, keyed('coupon'))
    expect([first.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
    const admin = await signedIn(tradepost, 'admin')
    const other = await admin.patch(`${path}/${id}`, { active: true }, keyed('coupon'))
    expect([other.status, other.json.coupon.active]).toEqual([200, true])
  })
})

describe('the health of endpoints', () => {
  test('says when each is turned off if nothing succeeds (decision 14)', async () => {
    const hook = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
    const { id } = (await owner.post(`${base}/v1/webhooks`, hook)).json.webhook
    const shown = async () => {
      const { endpoints } = (await owner.get(`${base}/webhook-health`)).json
      return endpoints.find((item: Json) => item.id === id)
    }
    expect(await shown()).toEqual({
      id,
      failures_in_row: 0,
      failures_left: 40,
      last_success_at: null,
      not_before: null,
      turns_off_at: null,
    })
    const due = new Date(tradepost.app.clock.now() + HOUR_MS).toISOString()
    await sql`update webhook_endpoint set failures_in_row = 39 where public_id = ${id}`.execute(
      tradepost.db,
    )
    await sql`insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
              select store_id, 31, id, 1, ${due} from webhook_endpoint where public_id = ${id}`.execute(
      tradepost.db,
    )
    expect(await shown()).toMatchObject({ failures_left: 1, turns_off_at: due })
    await sql`update webhook_endpoint set last_success_at = ${due} where public_id = ${id}`.execute(
      tradepost.db,
    )
    const kept = await shown()
    expect(Date.parse(kept.not_before)).toBe(Date.parse(due) + 3 * DAY_MS)
    expect(kept.turns_off_at).toBeNull()
    await sql`delete from webhook_retry where delivery_id = 31`.execute(tradepost.db)
  })
})

describe('the checks of doctor', () => {
  test('are shown to owners; one run serves everybody for a minute', async () => {
    const admin = await signedIn(tradepost, 'admin')
    expect(refusalOf(await admin.get(`${base}/doctor`))).toBe('INSUFFICIENT_SCOPE')
    const first = await owner.get(`${base}/doctor`)
    expect(first.json).toMatchObject({ success: true, running: true, findings: [] })
    const done = async () => (await owner.get(`${base}/doctor`)).json
    await expect.poll(async () => (await done()).running, { timeout: 20_000 }).toBe(false)
    const result = await done()
    expect(result.findings.length).toBeGreaterThan(20)
    expect(result.findings.every(({ finished }: Json) => finished)).toBe(true)
    tradepost.forward(30 * SECOND_MS)
    expect(await done()).toEqual(result)
    tradepost.forward(31 * SECOND_MS)
    expect(await done()).toEqual({ ...result, running: true })
    await expect.poll(async () => (await done()).running, { timeout: 20_000 }).toBe(false)
  })
})
