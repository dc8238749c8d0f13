import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import { findNamedStore } from '../stores/index.ts'
import { queueMail } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** Sells a key and queues the mail that contains it. Returns the order. */
async function sendKeyByMail(key: string, as = tradepost.live): Promise<Json> {
  const { id } = await product(tradepost, { name: 'Game' }, { keys: [key], as })
  const paidOrder = await order(tradepost, id, { mark_paid: true }, { as })
  await tradepost.post(`/orders/${paidOrder.id}/deliveries/resend`, undefined, { as })
  return paidOrder
}

const readOutbox = async (query = '', as = tradepost.live): Promise<Json> =>
  (await tradepost.get(`/account/outbox${query}`, { as })).json

test('the outbox of a test side shows mail with its text, the newest first (decision 144)', async () => {
  const keys = keysNamed('OUTBOX-TEST', 3)
  const orders = []
  for (const key of keys) orders.push(await sendKeyByMail(key, tradepost.test))
  const { messages, pagination } = await readOutbox('?limit=2', tradepost.test)
  expect(pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
  expect(messages[0]).toEqual({
    id: expect.any(Number),
    to: 'ada@example.com',
    subject: `Your order ${orders[2]?.number} is here`,
    template: 'order_delivery',
    status: 'kept',
    order_id: orders[2]?.id,
    attempts: 0,
    error: null,
    bounced_at: null,
    html: expect.stringContaining(keys[2] ?? ''),
    created_at: expect.stringMatching(/Z$/),
    sent_at: null,
    text: expect.stringContaining(keys[2] ?? ''),
  })
  expect(messages[1].text).toContain(keys[1])
  expect((await readOutbox('?limit=2&offset=2', tradepost.test)).messages[0].text).toContain(
    keys[0],
  )
})

test('the outbox of a live side shows no text, and no mail of other stores', async () => {
  const { id } = await sendKeyByMail('OUTBOX-LIVE-000001')
  const { messages, pagination } = await readOutbox()
  expect(pagination.total).toBe(1)
  expect(messages).toMatchObject([{ status: 'queued', html: null, text: null }])
  expect(JSON.stringify(messages)).not.toContain('OUTBOX-LIVE')
  expect((await readOutbox('', tradepost.other)).messages).toEqual([])
  await sql`update mail set template = null, subject = null`.execute(tradepost.db)
  expect((await readOutbox()).messages).toMatchObject([{ template: null, subject: null }])
  await tradepost.post(`/customers/${(await customerOf(id)).id}/erase`)
  expect((await readOutbox()).messages).toEqual([])
})

const customerOf = async (orderId: string): Promise<Json> =>
  (await tradepost.get(`/orders/${orderId}`)).json.order.customer

test('the outbox is filtered by order, template and status', async () => {
  const as = tradepost.test
  const { id } = await sendKeyByMail('OUTBOX-FILTER-0001', as)
  const idsOf = async (query: string) =>
    (await readOutbox(query, as)).messages.map((message: Json) => message.order_id)
  expect(await idsOf(`?order_id=${id}`)).toEqual([id])
  expect(await idsOf(`?order_id=${id}&template=order_delivery&status=kept,sent`)).toEqual([id])
  expect(await idsOf(`?order_id=${id}&template=order_paid`)).toEqual([])
  expect(await idsOf(`?order_id=${id}&status=bounced`)).toEqual([])
  const { status, json } = await tradepost.get('/account/outbox?status=lost', { as })
  expect([status, json.details.field]).toEqual([422, 'status'])
})

test('the outbox needs account:read', async () => {
  const as = await tradepost.key({ permissions: ['orders:read', 'account:write'] })
  const { status, json } = await tradepost.get('/account/outbox', { as })
  expect([status, json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

test('the outbox shows no text of a mail that contains a sign-in link', async () => {
  const { app } = tradepost
  const store = await findNamedStore(app, { store: tradepost.test.id })
  await inTransaction(app.db, (tx) =>
    queueMail(tx, storeContextOf(app, store, tx), {
      template: 'password_reset',
      recipients: ['ada@example.com'],
      values: { link: 'https://example.com/dashboard/reset-password?token=T' },
    }),
  )
  const { messages } = await readOutbox('?limit=1', tradepost.test)
  expect(messages[0]).toMatchObject({ template: 'password_reset', html: null, text: null })
})

test('the outbox shows no text to a caller who may not see the goods of orders', async () => {
  await sendKeyByMail('OUTBOX-HIDDEN-0001', tradepost.test)
  const as = await tradepost.key({ of: tradepost.test, permissions: ['account:read'] })
  const { messages } = await readOutbox('?limit=1', as)
  expect(messages).toMatchObject([{ template: 'order_delivery', text: null, html: null }])
})
