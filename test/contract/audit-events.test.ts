import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminCommands } from '../../src/commands.ts'
import { pruneAuditEventsJob } from '../../src/features/installation/audit/index.ts'
import { DAY_MS, iso } from '../../src/kernel/time.ts'
import { answerCommand } from '../../src/process/answer-command.ts'
import { auditedSince, lastAuditId } from '../audited.ts'
import { product } from '../build.ts'
import { made } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

describe('GET /account/audit-events', () => {
  const list = async (query = ''): Promise<Json> =>
    made(tradepost.get(`/account/audit-events?limit=100${query}`))

  test('names the actor of a refund, its order, and the changes (decision 124)', async () => {
    const as = await tradepost.key({ name: 'Support desk' })
    const { id } = (await product(tradepost, { type: 'service', price_cents: 1_000 })) as Json
    const body = {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
      mark_paid: true,
    }
    const { order } = (await tradepost.post('/orders', body)).json
    const answer = await tradepost.post(`/orders/${order.id}/refund`, { amount_cents: 400 }, { as })
    const { audit_events } = await list(`&object_id=${order.id}`)
    expect(audit_events.map((item: Json) => item.action)).toEqual(['order.refund', 'order.create'])
    expect(audit_events[0]).toEqual({
      id: expect.any(Number),
      created_at: expect.any(String),
      actor: { type: 'api_key', id: expect.stringMatching(/^\d+$/), name: 'Support desk' },
      address: '127.0.0.1',
      request_id: answer.headers['x-request-id'],
      action: 'order.refund',
      object: 'order',
      object_id: order.id,
      changes: {
        amount_cents: { from: null, to: 400 },
        reason: { from: null, to: 'other' },
        restock: { from: null, to: false },
        to_balance: { from: null, to: false },
        refund_id: { from: null, to: answer.json.refund.id },
        refunded_cents: { from: 0, to: 400 },
      },
    })
    const { refunds, payments } = (await tradepost.get(`/orders/${order.id}`)).json.order
    expect(refunds[0].actor).toEqual(audit_events[0].actor)
    expect(payments[0].actor).toEqual(audit_events[1].actor)
  })

  test('names the reviewer of a payment, and so does the payment (decision 124)', async () => {
    const as = await tradepost.key({ name: 'Till' })
    const { id } = (await product(tradepost, { type: 'service', price_cents: 1_000 })) as Json
    const customer = { email: 'ada@example.com' }
    const body = { items: [{ product_id: id, quantity: 1 }], customer }
    const { order } = (await tradepost.post('/orders', body)).json
    const path = `/orders/${order.id}/manual-payments`
    const { payment } = (await tradepost.post(path, { status: 'pending_review' })).json
    const approved = await tradepost.post(`${path}/${payment.id}/approve`, {}, { as })
    expect(approved.json.payment.reviewed_by.name).toBe('Till')
    expect(approved.json.payment.actor).toEqual(payment.actor)
    const [event] = (await list(`&object_id=${order.id}`)).audit_events
    expect(event).toMatchObject({
      action: 'order.approve_manual_payment',
      actor: { name: 'Till' },
      changes: {
        payment_id: { to: payment.id },
        status: { from: 'manual_review', to: 'paid' },
        paid_cents: { from: 0, to: 1_000 },
      },
    })
  })

  test('is filtered by actor and action, and read page by page, newest first (decision 124)', async () => {
    const as = await tradepost.key({ name: 'Filtered' })
    for (const name of ['One', 'Two', 'Three'])
      await tradepost.post('/categories', { name }, { as })
    const first = (await list('&action=category.create')).audit_events[0]
    const filter = `&actor_id=${first.actor.id}&action=category.create`
    const { audit_events } = await list(filter)
    expect(audit_events.map((item: Json) => item.changes.name.to)).toEqual(['Three', 'Two', 'One'])
    const page = await made(tradepost.get(`/account/audit-events?limit=2${filter}`))
    expect(page.next_cursor).toBe(audit_events[1].id)
    const rest = await made(
      tradepost.get(`/account/audit-events?limit=2${filter}&cursor=${page.next_cursor}`),
    )
    expect([rest.audit_events, rest.next_cursor]).toEqual([[audit_events[2]], null])
  })

  test("compares an update with the values before, and masks secrets and customers' data", async () => {
    const { id } = await product(tradepost, { name: 'Old', price_cents: 500 })
    await tradepost.patch(`/products/${id}`, { name: 'New', price_cents: 500 })
    const [event] = (await list(`&object_id=${id}&action=product.update`)).audit_events
    expect(event.changes).toEqual({ name: { from: 'Old', to: 'New' } })
  })

  test('names a product by its hash, also where its number was sent', async () => {
    const { id } = await product(tradepost, { name: 'Numbered', price_cents: 500 })
    const { rows: found } = await sql<{ id: number }>`
      select id from product where hash_id = ${id}`.execute(tradepost.db)
    await tradepost.patch(`/products/${found[0]?.id}`, { name: 'By number' })
    expect((await list(`&object_id=${id}&action=product.update`)).audit_events).toHaveLength(1)
  })

  test('shows nothing of a store next door, and a test side by its own clock (decision 124)', async () => {
    await tradepost.post('/categories', { name: 'Next door' }, { as: tradepost.other })
    const mine = await list()
    const theirs = await made(tradepost.get('/account/audit-events', { as: tradepost.other }))
    expect(theirs.audit_events[0].changes.name.to).toBe('Next door')
    expect(mine.audit_events.map((item: Json) => item.id)).not.toContain(theirs.audit_events[0].id)
    const as = tradepost.test
    await answerCommand(tradepost.app, adminCommands, {
      command: 'clock advance',
      input: { store: as.id, duration: '3d' },
    })
    const { category } = (await tradepost.post('/categories', { name: 'Ahead' }, { as })).json
    const [event] = (await made(tradepost.get('/account/audit-events', { as }))).audit_events
    expect(event.created_at).toBe(category.created_at)
  })

  test('an order refused under an idempotency key leaves no event, and a repeat leaves one', async () => {
    const headers = { 'idempotency-key': 'audited-once' }
    const before = await lastAuditId(tradepost)
    for (let n = 0; n < 2; n++) await tradepost.post('/categories', { name: 'Once' }, { headers })
    expect(await auditedSince(tradepost, before)).toHaveLength(1)
    const refused = await tradepost.post(
      '/orders/ord_0000000000000000000000/cancel',
      {},
      {
        headers: { 'idempotency-key': 'refused' },
      },
    )
    expect(refused.status).toBe(404)
    expect(await auditedSince(tradepost, before)).toHaveLength(1)
  })

  test('a dry run of adding keys changes nothing, so it writes no event', async () => {
    const { id, variantId } = await product(tradepost, {}, { keys: ['WALK-DDDD-DDDD-0001'] })
    const before = await lastAuditId(tradepost)
    const path = `/products/${id}/variants/${variantId}/keys`
    await tradepost.post(path, { keys: ['WALK-DDDD-DDDD-0002'], dry_run: true })
    expect(await auditedSince(tradepost, before)).toEqual([])
    await tradepost.get(path)
    expect(await auditedSince(tradepost, before)).toEqual([])
  })

  test('every download of an export is an act of the key that made its link (decision 124)', async () => {
    const { id, variantId } = await product(tradepost, {}, { keys: ['WALK-EXPO-RTED-0001'] })
    const { json } = await tradepost.get(`/products/${id}/variants/${variantId}/keys/export`)
    const before = await lastAuditId(tradepost)
    const url = new URL(json.export.url).pathname
    const { body } = await tradepost.server.inject({ method: 'GET', url })
    expect(body).toContain('WALK-EXPO-RTED-0001')
    const [event] = await auditedSince(tradepost, before)
    const [made] = (await list('&action=stock.export_keys')).audit_events
    expect(event).toMatchObject({
      action: 'stock.download_export',
      object: 'variant',
      object_id: String(variantId),
      actor_type: 'api_key',
      actor_id: made.actor.id,
    })
  })

  test('are deleted after 400 days, on a test side by its own clock (decision 124)', async () => {
    const { id: live } = (await made(tradepost.get('/account/audit-events'))).audit_events[0]
    const as = tradepost.test
    await tradepost.post('/categories', { name: 'Old' }, { as })
    const [event] = (await made(tradepost.get('/account/audit-events', { as }))).audit_events
    const agedTo = (days: number) =>
      sql`update audit_event
             set created_at = ${iso(tradepost.app.clock.now() - days * DAY_MS)}
           where id in (${live}, ${event.id})`.execute(tradepost.db)
    const kept = async () => {
      await pruneAuditEventsJob.run(tradepost.app)
      const { rows } = await sql<{ id: number }>`
        select id from audit_event where id in (${live}, ${event.id}) order by id`.execute(
        tradepost.db,
      )
      return rows.map((row) => row.id)
    }
    await sql`update store set clock_offset_ms = 0`.execute(tradepost.db)
    await agedTo(399)
    expect(await kept()).toEqual([live, event.id])
    await sql`update store set clock_offset_ms = ${2 * DAY_MS} where hash = ${as.id}`.execute(
      tradepost.db,
    )
    expect(await kept()).toEqual([live])
    await agedTo(401)
    expect(await kept()).toEqual([])
  })
})
