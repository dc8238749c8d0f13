import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminCommands } from '../../src/commands.ts'
import { pruneAuditEventsJob } from '../../src/features/installation/audit/index.ts'
import { DAY_MS, iso } from '../../src/kernel/time.ts'
import { answerCommand } from '../../src/process/answer-command.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { product } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

describe('audit events at GET /account/audit-events', () => {
  const list = async (query = ''): Promise<Json> =>
    expectSuccess(tradepost.get(`/account/audit-events?limit=100${query}`))

  test('name the actor of a refund, its order, and the changes (decision 124)', async () => {
    const as = await tradepost.key({ name: 'Support desk' })
    const { id } = await product(tradepost, { type: 'service', price_cents: 1_000 })
    const body = {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
      mark_paid: true,
    }
    const { order } = (await tradepost.post('/orders', body)).json
    const refunded = await tradepost.post(
      `/orders/${order.id}/refund`,
      { amount_cents: 400 },
      { as },
    )
    expect(refunded.status, refunded.text).toBe(201)
    const { audit_events } = await list(`&object_id=${order.id}`)
    expect(audit_events.map((item: Json) => item.action)).toEqual(['order.refund', 'order.create'])
    expect(audit_events[0]).toEqual({
      id: expect.any(Number),
      created_at: expect.any(String),
      actor: { type: 'api_key', id: expect.stringMatching(/^\d+$/), name: 'Support desk' },
      address: '127.0.0.1',
      request_id: refunded.headers['x-request-id'],
      action: 'order.refund',
      object: 'order',
      object_id: order.id,
      changes: {
        amount_cents: { from: null, to: 400 },
        reason: { from: null, to: 'other' },
        restock: { from: null, to: false },
        to_balance: { from: null, to: false },
        refund_id: { from: null, to: refunded.json.refund.id },
        refunded_cents: { from: 0, to: 400 },
      },
    })
    const { refunds, payments } = (await tradepost.get(`/orders/${order.id}`)).json.order
    expect(refunds[0].actor).toEqual(audit_events[0].actor)
    expect(payments[0].actor).toEqual(audit_events[1].actor)
  })

  test('of an approved payment name the reviewer, as the payment does (decision 124)', async () => {
    const as = await tradepost.key({ name: 'Till' })
    const { id } = await product(tradepost, { type: 'service', price_cents: 1_000 })
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

  test('are filtered by actor, action and record, and read page by page, newest first (decision 124)', async () => {
    const as = await tradepost.key({ name: 'Filtered' })
    await tradepost.post('/categories', { name: 'Of another key' })
    for (const name of ['One', 'Two', 'Three'])
      await tradepost.post('/categories', { name }, { as })
    const first = (await list('&action=category.create')).audit_events[0]
    const filter = `&actor_id=${first.actor.id}&action=category.create`
    const { audit_events } = await list(filter)
    expect(audit_events.map((item: Json) => item.changes.name.to)).toEqual(['Three', 'Two', 'One'])
    const { object_id } = audit_events[1]
    const eventsOfRecord = (await list(`&object_id=${object_id}&action=category.create`))
      .audit_events
    expect(eventsOfRecord).toEqual([audit_events[1]])
    const page = await expectSuccess(tradepost.get(`/account/audit-events?limit=2${filter}`))
    expect(page.next_cursor).toBe(audit_events[1].id)
    const nextPage = await expectSuccess(
      tradepost.get(`/account/audit-events?limit=2${filter}&cursor=${page.next_cursor}`),
    )
    expect([nextPage.audit_events, nextPage.next_cursor]).toEqual([[audit_events[2]], null])
  })

  test('of an update contain the former and the new values of the changed fields', async () => {
    const { id } = await product(tradepost, { name: 'Old', price_cents: 500 })
    await tradepost.patch(`/products/${id}`, { name: 'New', price_cents: 500 })
    const [event] = (await list(`&object_id=${id}&action=product.update`)).audit_events
    expect(event.changes).toEqual({ name: { from: 'Old', to: 'New' } })
  })

  test('mask the data of a customer', async () => {
    const body = { email: 'masked@example.com', note: 'Calls at noon.' }
    const { customer } = (await tradepost.post('/customers', body)).json
    const change = { note: 'Calls at night.' }
    expect((await tradepost.patch(`/customers/${customer.id}`, change)).status).toBe(200)
    const [event] = (await list(`&object_id=${customer.id}&action=customer.update`)).audit_events
    expect(event.changes).toEqual({ note: { from: '••••', to: '••••' } })
  })

  test('name a product by its hash, also if the call named it by its number', async () => {
    const { id } = await product(tradepost, { name: 'Numbered', price_cents: 500 })
    const { rows } = await sql<{ id: number }>`
      select id from product where hash_id = ${id}`.execute(tradepost.db)
    await tradepost.patch(`/products/${rows[0]?.id}`, { name: 'By number' })
    expect((await list(`&object_id=${id}&action=product.update`)).audit_events).toHaveLength(1)
  })

  test('of another store are not listed, and those of a test side have the time of its clock (decision 124)', async () => {
    await tradepost.post('/categories', { name: 'Other store' }, { as: tradepost.other })
    const ownEvents = await list()
    const otherEvents = await expectSuccess(
      tradepost.get('/account/audit-events', { as: tradepost.other }),
    )
    expect(otherEvents.audit_events[0].changes.name.to).toBe('Other store')
    expect(ownEvents.audit_events.map((item: Json) => item.id)).not.toContain(
      otherEvents.audit_events[0].id,
    )
    const as = tradepost.test
    await answerCommand(tradepost.app, adminCommands, {
      command: 'clock advance',
      input: { store: as.id, duration: '3d' },
    })
    const { category } = (await tradepost.post('/categories', { name: 'Ahead' }, { as })).json
    const [event] = (await expectSuccess(tradepost.get('/account/audit-events', { as })))
      .audit_events
    expect(event.created_at).toBe(category.created_at)
  })

  test('of an order that is created paid name its payment and its amount', async () => {
    const { id } = await product(tradepost, { type: 'license', price_cents: 1_000 })
    const items = [{ product_id: id, quantity: 1 }]
    const body = { items, customer: { email: 'ada@example.com' }, mark_paid: true }
    const { order } = (await tradepost.post('/orders', body)).json
    const [event] = (await list(`&object_id=${order.id}`)).audit_events
    expect(event).toMatchObject({
      action: 'order.create',
      changes: {
        mark_paid: { from: null, to: true },
        status: { from: null, to: 'completed' },
        paid_cents: { from: null, to: 1_000 },
        payment_id: { from: null, to: order.payments[0].id },
      },
    })
  })

  test('of a key that the command line creates say whether it is for all stores, and name no internal number', async () => {
    const input = { store: tradepost.live.id, name: 'Till', permissions: 'orders:read' }
    await answerCommand(tradepost.app, adminCommands, { command: 'keys create', input })
    const { audit_events } = await list()
    const event = audit_events.find(({ action }: Json) => action === 'api_key.create')
    expect(event.changes).toMatchObject({ all_stores: { from: null, to: false } })
    expect(event.changes).not.toHaveProperty('store_ids')
  })

  test('are written once for a call that is repeated with its idempotency key, and not for a refused call', async () => {
    const headers = { 'idempotency-key': 'audited-once' }
    const before = await lastAuditId(tradepost)
    for (let n = 0; n < 2; n++) await tradepost.post('/categories', { name: 'Once' }, { headers })
    expect(await auditEventsSince(tradepost, before)).toHaveLength(1)
    const refused = await tradepost.post(
      '/orders/ord_0000000000000000000000/cancel',
      {},
      {
        headers: { 'idempotency-key': 'refused' },
      },
    )
    expect(refused.status).toBe(404)
    expect(await auditEventsSince(tradepost, before)).toHaveLength(1)
  })

  test('are not written by a dry run of adding stock keys or by listing them', async () => {
    const { id, variantId } = await product(tradepost, {}, { keys: ['WALK-DDDD-DDDD-0001'] })
    const before = await lastAuditId(tradepost)
    const path = `/products/${id}/variants/${variantId}/keys`
    await tradepost.post(path, { keys: ['WALK-DDDD-DDDD-0002'], dry_run: true })
    expect(await auditEventsSince(tradepost, before)).toEqual([])
    await tradepost.get(path)
    expect(await auditEventsSince(tradepost, before)).toEqual([])
  })

  test('of the download of an export name the API key that created its link (decision 124)', async () => {
    const { id, variantId } = await product(tradepost, {}, { keys: ['WALK-EXPO-RTED-0001'] })
    const { json } = await tradepost.get(`/products/${id}/variants/${variantId}/keys/export`)
    const before = await lastAuditId(tradepost)
    const url = new URL(json.export.url).pathname
    const { body } = await tradepost.server.inject({ method: 'GET', url })
    expect(body).toContain('WALK-EXPO-RTED-0001')
    const [event] = await auditEventsSince(tradepost, before)
    const [exportEvent] = (await list('&action=stock.export_keys')).audit_events
    expect(event).toMatchObject({
      action: 'stock.download_export',
      object: 'variant',
      object_id: String(variantId),
      actor_type: 'api_key',
      actor_id: exportEvent.actor.id,
    })
  })

  test('are deleted after 400 days, on a test side by its own clock (decision 124)', async () => {
    const { id: liveEventId } = (await expectSuccess(tradepost.get('/account/audit-events')))
      .audit_events[0]
    const as = tradepost.test
    await tradepost.post('/categories', { name: 'Old' }, { as })
    const [event] = (await expectSuccess(tradepost.get('/account/audit-events', { as })))
      .audit_events
    const setAge = (days: number) =>
      sql`update audit_event
             set created_at = ${iso(tradepost.app.clock.now() - days * DAY_MS)}
           where id in (${liveEventId}, ${event.id})`.execute(tradepost.db)
    const pruneAndListIds = async () => {
      await pruneAuditEventsJob.run(tradepost.app)
      const { rows } = await sql<{ id: number }>`
        select id from audit_event where id in (${liveEventId}, ${event.id}) order by id`.execute(
        tradepost.db,
      )
      return rows.map((row) => row.id)
    }
    await sql`update store set clock_offset_ms = 0`.execute(tradepost.db)
    await setAge(399)
    expect(await pruneAndListIds()).toEqual([liveEventId, event.id])
    await sql`update store set clock_offset_ms = ${2 * DAY_MS} where hash = ${as.id}`.execute(
      tradepost.db,
    )
    expect(await pruneAndListIds()).toEqual([liveEventId])
    await setAge(401)
    expect(await pruneAndListIds()).toEqual([])
  })
})
