import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES } from '../../src/features/installation/users/roles.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/time.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// Repeated changes of the dashboard, the health of webhook endpoints, and the checks of `doctor`.

let tradepost: Tradepost
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

describe('an Idempotency-Key', () => {
  const VIEW = { page: 'orders', name: 'Paid', query: 'status=paid' }
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

  test('makes every change of the dashboard repeatable, even PATCH and DELETE', async () => {
    const path = `${base}/saved-views`
    const created = await owner.post(path, VIEW, keyed('view-1'))
    const repeat = await owner.post(path, VIEW, keyed('view-1'))
    expect([repeat.status, repeat.text]).toEqual([201, created.text])
    expect(repeat.headers['idempotency-replayed']).toBe('true')
    expect((await owner.get(path)).json.saved_views).toHaveLength(1)
    const viewPath = `${path}/${created.json.saved_view.id}`
    const renamed = await owner.patch(viewPath, { name: 'First' }, keyed('view-2'))
    await owner.patch(viewPath, { name: 'Second' })
    expect((await owner.patch(viewPath, { name: 'First' }, keyed('view-2'))).text).toBe(
      renamed.text,
    )
    expect((await owner.get(path)).json.saved_views[0].name).toBe('Second')
    expect(refusalOf(await owner.patch(viewPath, { name: 'Other' }, keyed('view-2')))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
    const deleted = await owner.delete(viewPath, keyed('view-3'))
    expect((await owner.delete(viewPath, keyed('view-3'))).text).toBe(deleted.text)
    expect(refusalOf(await owner.delete(viewPath))).toBe('NOT_FOUND')
  })

  test('applies to operations of the Store API, and belongs to its user', async () => {
    const path = `${base}/v1/coupons`
    const { id } = (
      await owner.post(path, { code: 'OFF', type: 'percentage', discount_percent: 5 })
    ).json.coupon
    const firstAnswer = await owner.patch(`${path}/${id}`, { active: false }, keyed('coupon'))
    const secondAnswer = await owner.patch(`${path}/${id}`, { active: false }, keyed('coupon'))
    expect([firstAnswer.status, secondAnswer.headers['idempotency-replayed']]).toEqual([
      200,
      'true',
    ])
    const admin = await signedIn(tradepost, 'admin')
    const adminAnswer = await admin.patch(`${path}/${id}`, { active: true }, keyed('coupon'))
    expect([adminAnswer.status, adminAnswer.json.coupon.active]).toEqual([200, true])
  })
})

describe('the health of webhook endpoints', () => {
  test('includes the time at which an endpoint is disabled if no delivery succeeds (decision 14)', async () => {
    const hook = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }
    const { id } = (await owner.post(`${base}/v1/webhooks`, hook)).json.webhook
    const getHealth = async () => {
      const { endpoints } = (await owner.get(`${base}/webhook-health`)).json
      return endpoints.find((item: Json) => item.id === id)
    }
    expect(await getHealth()).toEqual({
      id,
      failures_in_row: 0,
      failures_left: 40,
      last_success_at: null,
      not_before: null,
      turns_off_at: null,
    })
    const dueAt = new Date(tradepost.app.clock.now() + HOUR_MS).toISOString()
    await sql`update webhook_endpoint set failures_in_row = 39 where public_id = ${id}`.execute(
      tradepost.db,
    )
    await sql`insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
              select store_id, 31, id, 1, ${dueAt} from webhook_endpoint where public_id = ${id}`.execute(
      tradepost.db,
    )
    expect(await getHealth()).toMatchObject({ failures_left: 1, turns_off_at: dueAt })
    await sql`update webhook_endpoint set last_success_at = ${dueAt} where public_id = ${id}`.execute(
      tradepost.db,
    )
    const health = await getHealth()
    expect(Date.parse(health.not_before)).toBe(Date.parse(dueAt) + 3 * DAY_MS)
    expect(health.turns_off_at).toBeNull()
    await sql`delete from webhook_retry where delivery_id = 31`.execute(tradepost.db)
  })
})

describe('the checks of doctor', () => {
  test('are shown to owners only, and a result is cached for a minute', async () => {
    tradepost.stopClock()
    for (const role of ROLES.filter((role) => role !== 'owner')) {
      const browser = await signedIn(tradepost, role)
      expect(refusalOf(await browser.get(`${base}/doctor`)), role).toBe('INSUFFICIENT_SCOPE')
    }
    const firstAnswer = await owner.get(`${base}/doctor`)
    expect(firstAnswer.json).toMatchObject({ success: true, running: true, findings: [] })
    const getResult = async () => (await owner.get(`${base}/doctor`)).json
    await expect.poll(async () => (await getResult()).running).toBe(false)
    const result = await getResult()
    expect(result.findings.length).toBeGreaterThan(20)
    expect(result.findings.every(({ finished }: Json) => finished)).toBe(true)
    tradepost.forward(30 * SECOND_MS)
    expect(await getResult()).toEqual(result)
    tradepost.forward(31 * SECOND_MS)
    expect(await getResult()).toEqual({ ...result, running: true })
    await expect.poll(async () => (await getResult()).running).toBe(false)
    // A clock that was set back must not keep the result for longer.
    tradepost.forward(-2 * MINUTE_MS)
    expect((await getResult()).running).toBe(true)
    await expect.poll(async () => (await getResult()).running).toBe(false)
  })
})
