import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import type { OpenedSide } from '../account/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const resend = (id: string, options = {}) =>
  tradepost.post(`/orders/${id}/deliveries/resend`, undefined, options)

/** Mail to an address, opened. */
async function mailsTo(email: string): Promise<Json[]> {
  const { rows } = await sql<{
    store_id: number
    message: string
    content_enc: Buffer
    status: string
    subject: string
  }>`select store_id, message, content_enc, status, subject from mail where recipient = ${email}`.execute(
    tradepost.db,
  )
  return rows.map(({ store_id, message, content_enc, ...rest }) => {
    const sealContext = { column: 'mail.content', storeId: store_id, row: message }
    return { ...rest, ...JSON.parse(tradepost.app.vault.open(sealContext, content_enc).toString()) }
  })
}

async function sold(
  email: string,
  quantity: number,
  as: OpenedSide = tradepost.live,
): Promise<Json> {
  const { id } = await product(tradepost, {}, { keys: keysNamed(email, quantity), as })
  const items = [{ product_id: id, quantity }]
  return order(tradepost, id, { items, customer: { email }, mark_paid: true }, { as })
}

test('delivered items are mailed to the customer, and no event is emitted', async () => {
  const made = await sold('keys@example.com', 2)
  await tradepost.events()
  const { status, json } = await resend(made.id)
  expect([status, json.order]).toEqual([200, made])
  const [mail, ...more] = await mailsTo('keys@example.com')
  expect(more).toEqual([])
  expect(mail).toMatchObject({ status: 'queued', subject: `Your order ${made.number}` })
  expect(mail.text).toBe(
    [
      'This is what you bought at Here:',
      '2 x Game (Default)\nkeys@example.com-000001\nkeys@example.com-000002',
    ].join('\n\n'),
  )
  expect(await tradepost.events()).toEqual([])
})

test('a replaced key is not mailed, and nothing of a refunded or unpaid order', async () => {
  const made = await sold('gone@example.com', 1)
  const { id } = await product(tradepost, { type: 'service' })
  const waits = await order(tradepost, id, {
    mark_paid: true,
    customer: { email: 'gone@example.com' },
  })
  expect((await resend(waits.id)).json).toMatchObject({
    code: 'INVALID_STATE',
    details: { status: 'paid' },
  })
  const [delivery] = made.deliveries
  const variant = `/products/${delivery.product_id}/variants/${delivery.variant_id}`
  await tradepost.post(`${variant}/keys`, { keys: ['FRESH-KEY-000001'] })
  await tradepost.post(`/orders/${made.id}/deliveries/${delivery.id}/replace`)
  expect((await resend(made.id)).status).toBe(200)
  const [mail] = await mailsTo('gone@example.com')
  expect(mail.text).toContain('FRESH-KEY-000001')
  expect(mail.text).not.toContain('gone@example.com-000001')
  await tradepost.post(`/orders/${made.id}/refund`)
  expect((await resend(made.id)).json.details).toEqual({ status: 'refunded' })
  expect(await mailsTo('gone@example.com')).toHaveLength(1)
})

test('a repeat under one key mails once, and a test side keeps its mail', async () => {
  const made = await sold('test@example.com', 1, tradepost.test)
  const options = { as: tradepost.test, headers: { 'idempotency-key': 'again' } }
  const [one, two] = [await resend(made.id, options), await resend(made.id, options)]
  expect(two.text).toBe(one.text)
  expect(await mailsTo('test@example.com')).toMatchObject([{ status: 'kept' }])
  expect((await resend(made.id)).status).toBe(404)
})
