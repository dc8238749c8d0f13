import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { mailsTo } from '../../../../test/mails.ts'
import type { StoreSide } from '../account/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const resend = (id: string, options = {}, body?: Json) =>
  tradepost.post(`/orders/${id}/deliveries/resend`, body, options)

async function createSoldOrder(
  email: string,
  quantity: number,
  as: StoreSide = tradepost.live,
): Promise<Json> {
  const { id } = await product(tradepost, {}, { keys: keysNamed(email, quantity), as })
  const items = [{ product_id: id, quantity }]
  return order(tradepost, id, { items, customer: { email }, mark_paid: true }, { as })
}

test('delivered items are mailed to the customer, and no event is emitted', async () => {
  const newOrder = await createSoldOrder('keys@example.com', 2)
  await tradepost.events()
  const { status, json } = await resend(newOrder.id)
  expect([status, json.order]).toEqual([200, newOrder])
  const [mail, ...more] = await mailsTo(tradepost, 'keys@example.com')
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    status: 'queued',
    subject: `Your order ${newOrder.number} is here`,
  })
  expect(mail.text).toContain('2 × Game\nkeys@example.com-000001\nkeys@example.com-000002\n\n')
  expect(mail.html).toContain('keys@example.com-000001<br>keys@example.com-000002')
  expect(await tradepost.events()).toEqual([])
})

test('replaced keys are not mailed, and an order without deliveries or with a refund is refused', async () => {
  const newOrder = await createSoldOrder('gone@example.com', 1)
  const { id } = await product(tradepost, { type: 'service' })
  const waitingOrder = await order(tradepost, id, {
    mark_paid: true,
    customer: { email: 'gone@example.com' },
  })
  expect((await resend(waitingOrder.id)).json).toMatchObject({
    code: 'INVALID_STATE',
    details: { status: 'paid' },
  })
  const [delivery] = newOrder.deliveries
  const variantPath = `/products/${delivery.product_id}/variants/${delivery.variant_id}`
  await expectSuccess(tradepost.post(`${variantPath}/keys`, { keys: ['FRESH-KEY-000001'] }))
  await expectSuccess(tradepost.post(`/orders/${newOrder.id}/deliveries/${delivery.id}/replace`))
  expect((await resend(newOrder.id)).status).toBe(200)
  const [mail] = await mailsTo(tradepost, 'gone@example.com')
  expect(mail.text).toContain('FRESH-KEY-000001')
  expect(mail.text).not.toContain('gone@example.com-000001')
  await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`))
  expect((await resend(newOrder.id)).json.details).toEqual({ status: 'refunded' })
  expect(await mailsTo(tradepost, 'gone@example.com')).toHaveLength(1)
})

test('a repeat with the same idempotency key mails once', async () => {
  const newOrder = await createSoldOrder('test@example.com', 1, tradepost.test)
  const options = { as: tradepost.test, headers: { 'idempotency-key': 'again' } }
  const first = await resend(newOrder.id, options)
  const second = await resend(newOrder.id, options)
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.text).toBe(first.text)
  expect(await mailsTo(tradepost, 'test@example.com')).toHaveLength(1)
})

test('the mail of a test side is stored and not sent, and its order answers 404 to the live side', async () => {
  const newOrder = await createSoldOrder('stored@example.com', 1, tradepost.test)
  expect((await resend(newOrder.id, { as: tradepost.test })).status).toBe(200)
  expect(await mailsTo(tradepost, 'stored@example.com')).toMatchObject([{ status: 'kept' }])
  expect((await resend(newOrder.id)).status).toBe(404)
})

test('the mail goes to the present address of the customer, and the order keeps its own (decision 183)', async () => {
  const newOrder = await createSoldOrder('typo@example.con', 1)
  const path = `/customers/${newOrder.customer.id}`
  await expectSuccess(tradepost.patch(path, { email: 'Right@Example.com' }))
  const { order: sentOrder } = await expectSuccess(resend(newOrder.id))
  expect(sentOrder.customer.email).toBe('typo@example.con')
  expect(await mailsTo(tradepost, 'typo@example.con')).toEqual([])
  expect(await mailsTo(tradepost, 'right@example.com')).toHaveLength(1)
})

test('the mail goes to the customer into whom the buyer was merged (decision 183)', async () => {
  const newOrder = await createSoldOrder('former@example.com', 1)
  const { customer } = await createSoldOrder('merged@example.com', 1)
  const mergePath = `/customers/${newOrder.customer.id}/merge`
  await expectSuccess(tradepost.post(mergePath, { into: customer.id }))
  await expectSuccess(resend(newOrder.id))
  expect(await mailsTo(tradepost, 'former@example.com')).toEqual([])
  expect(await mailsTo(tradepost, 'merged@example.com')).toHaveLength(1)
})

test('the mail goes to the address in `to` once, and the trail does not have the address (decision 183)', async () => {
  const newOrder = await createSoldOrder('usual@example.com', 1)
  const before = await lastAuditId(tradepost)
  const body = { to: 'Once@Example.com' }
  const { order: sentOrder } = await expectSuccess(resend(newOrder.id, {}, body))
  expect(sentOrder).toEqual(newOrder)
  expect(await mailsTo(tradepost, 'once@example.com')).toHaveLength(1)
  const [event] = await auditEventsSince(tradepost, before)
  expect(event).toMatchObject({ object_id: newOrder.id, changes: { to: { to: '••••' } } })
  await expectSuccess(resend(newOrder.id))
  expect(await mailsTo(tradepost, 'usual@example.com')).toHaveLength(1)
  const refused = await resend(newOrder.id, {}, { to: 'nobody' })
  expect([refused.status, refused.json.details.field]).toEqual([422, 'to'])
})
