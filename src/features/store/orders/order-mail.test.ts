import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/browser-session.ts'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type FakeSmtp, startFakeSmtp } from '../../../../test/fake-smtp.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { sendMailJob } from '../../installation/mail/index.ts'

let smtp: FakeSmtp
let tradepost: Tradepost

beforeAll(async () => {
  smtp = await startFakeSmtp()
  tradepost = await openTradepost({ env: { TRADEPOST_SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await tradepost.close()
  await smtp.close()
})

const TEST_SIDE = () => ({ as: tradepost.test })

/** Returns the mail of an order of the test side, the oldest first. */
async function mailOf({ id }: Json): Promise<Json[]> {
  const { messages } = await expectSuccess(
    tradepost.get(`/account/outbox?order_id=${id}`, TEST_SIDE()),
  )
  return messages.reverse()
}
const templatesOf = async (newOrder: Json) =>
  (await mailOf(newOrder)).map(({ template }) => template)

async function embedded(fields: Json = {}, productFields: Json = {}): Promise<Json> {
  const { id } = await product(tradepost, { type: 'service', ...productFields }, TEST_SIDE())
  return order(tradepost, id, { source: 'embed', ...fields }, TEST_SIDE())
}

const call = async (newOrder: Json, path: string, body: Json = {}): Promise<Json> =>
  expectSuccess(tradepost.post(`/orders/${newOrder.id}/${path}`, body, TEST_SIDE()))

describe('mail about an order goes out', () => {
  test('for an embedded checkout and a user of the dashboard, and for an API key if the store wants it', async () => {
    const fields = { source: 'api', payment_method: 'manual' }
    expect(await templatesOf(await embedded(fields))).toEqual([])
    expect(await templatesOf(await embedded({ payment_method: 'manual' }))).toEqual([
      'order_received',
    ])
    const setMail = (mail_api_orders: boolean) =>
      expectSuccess(tradepost.patch('/account/settings', { mail_api_orders }, TEST_SIDE()))
    await setMail(true)
    expect(await templatesOf(await embedded(fields))).toEqual(['order_received'])
    await setMail(false)
    const user: SignedIn = await signedIn(tradepost)
    const { id } = await product(tradepost, { type: 'service' }, TEST_SIDE())
    const body = {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'phone@example.com' },
      payment_method: 'manual',
    }
    const { status, json } = await user.post(`/stores/${tradepost.test.id}/v1/orders`, body)
    expect([status, json.order?.source]).toEqual([201, 'api'])
    expect(await templatesOf(json.order)).toEqual(['order_received'])
  })

  test('in the language of the order, which is that of the store by default', async () => {
    await expectSuccess(tradepost.patch('/account/settings', { language: 'de' }, TEST_SIDE()))
    const german = await embedded({ payment_method: 'manual' })
    await expectSuccess(tradepost.patch('/account/settings', { language: 'en' }, TEST_SIDE()))
    const spanish = await embedded({ payment_method: 'manual', language: 'es' })
    expect([german.language, spanish.language]).toEqual(['de', 'es'])
    await call(german, 'manual-payments')
    const subjects = (await mailOf(german)).map(({ subject }) => subject)
    expect(subjects).toEqual([
      `Wir haben Ihre Bestellung ${german.number} erhalten`,
      `Vielen Dank für Ihre Bestellung ${german.number}`,
    ])
    const [mail] = await mailOf(spanish)
    expect(mail.text).toMatch(/Total: 10,00\s€/)
    const answer = await tradepost.post('/orders', { language: 'fr' }, TEST_SIDE())
    expect(answer.status).toBe(422)
  })
})

describe('the mail of a payment', () => {
  test('is one mail if the order is delivered with it', async () => {
    const { id } = await product(tradepost, {}, { keys: keysNamed('RECEIPT', 1), ...TEST_SIDE() })
    const newOrder = await order(
      tradepost,
      id,
      { source: 'embed', mark_paid: true, customer: { email: 'ada@example.com', name: 'Ada' } },
      TEST_SIDE(),
    )
    const [mail, ...more] = await mailOf(newOrder)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ template: 'order_delivery', to: 'ada@example.com' })
    expect(mail.text).toContain('Hello Ada,')
    expect(mail.text).toContain('RECEIPT-000001')
    expect(mail.text).toContain('Total: €10.00')
  })

  test('says what is owed after a part, and that it is checked during a review', async () => {
    const newOrder = await embedded({ payment_method: 'manual' })
    await call(newOrder, 'manual-payments', { amount_cents: 400 })
    await call(newOrder, 'manual-payments', { amount_cents: 600, status: 'pending_review' })
    const mails = await mailOf(newOrder)
    expect(mails.map(({ template }) => template)).toEqual([
      'order_received',
      'payment_partial',
      'payment_review',
    ])
    expect(mails[1]?.text).toContain('€6.00 of €10.00')
    expect(mails[2]?.text).toContain('your payment of €6.00')
  })

  test('is followed by a mail for each later delivery and each refund', async () => {
    const newOrder = await embedded({ mark_paid: true })
    const [{ id: order_item_id }] = newOrder.items
    await call(newOrder, 'deliveries', { order_item_id, text: 'Monday\nat 10' })
    await call(newOrder, 'refund', { amount_cents: 300, reason: 'duplicate' })
    await call(newOrder, 'refund')
    const mails = await mailOf(newOrder)
    expect(mails.map(({ template }) => template)).toEqual([
      'order_paid',
      'order_delivery',
      'order_refunded',
      'order_refunded',
    ])
    expect(mails[1]?.text).toContain('Monday\nat 10')
    expect(mails[2]?.text).toContain('Reason: the order was paid twice.')
    expect(mails[3]?.text).toContain('refunded €7.00')
    expect(mails[3]?.text).not.toContain('Reason')
  })

  test('of an order on hold has no keys, which follow with the release', async () => {
    const { id } = await product(tradepost, {}, { keys: keysNamed('HELD', 1), ...TEST_SIDE() })
    const fields = { source: 'embed', payment_method: 'manual' }
    const newOrder = await order(tradepost, id, fields, TEST_SIDE())
    await call(newOrder, 'hold')
    await call(newOrder, 'manual-payments')
    expect(await templatesOf(newOrder)).toEqual(['order_received', 'order_paid'])
    await call(newOrder, 'release')
    const mails = await mailOf(newOrder)
    expect(mails.map(({ template }) => template)).toEqual([
      'order_received',
      'order_paid',
      'order_delivery',
    ])
    expect(mails[2]?.text).toContain('HELD-000001')
    await call(newOrder, 'hold')
    await call(newOrder, 'release')
    expect(await mailOf(newOrder)).toHaveLength(3)
  })
})

test('an order of an API key without mail sends no statement for mail, and others send three', async () => {
  const count = async (source: string) => {
    const { id } = await product(tradepost, { type: 'service' }, TEST_SIDE())
    // The first order also fills caches.
    await order(tradepost, id, { source, mark_paid: true }, TEST_SIDE())
    const statements = await tradepost.statements(() =>
      order(tradepost, id, { source, mark_paid: true }, TEST_SIDE()),
    )
    const ofMail = statements.filter((text) => /mail_template|into mail\b/.test(text))
    return { all: statements.length, ofMail: ofMail.length }
  }
  const [silent, mailed] = [await count('api'), await count('embed')]
  expect([silent.ofMail, mailed.ofMail]).toEqual([0, 2])
  expect(mailed.all).toBe(silent.all + 3)
})

test('a change is reported once', async () => {
  const newOrder = await embedded({ payment_method: 'manual' })
  const insertAgain = sql`
    insert into mail (store_id, message, template, content_enc, recipient, status, due_at, created_at, order_id, cause)
    select store_id, message, template, content_enc, recipient, status, due_at, created_at, order_id, cause
      from mail where order_id = ${newOrder.id}`
  await expect(insertAgain.execute(tradepost.db)).rejects.toThrow(/mail_once/)
})

test('an order shows the permanent refusal of its last mail, until a later mail is sent or the address is corrected', async () => {
  const { id } = await product(tradepost, {}, { keys: keysNamed('BOUNCE', 1) })
  const newOrder = await order(tradepost, id, { source: 'embed', mark_paid: true })
  expect(newOrder.mail_problem).toBe(null)
  smtp.refusals.push('550 No such user here.')
  await sendMailJob.run(tradepost.app)
  const readProblem = async () =>
    (await expectSuccess(tradepost.get(`/orders/${newOrder.id}`))).order.mail_problem
  const { messages } = await expectSuccess(
    tradepost.get(`/account/outbox?order_id=${newOrder.id}&status=bounced`),
  )
  expect(messages).toMatchObject([{ attempts: 1, bounced_at: expect.any(String), sent_at: null }])
  expect(await readProblem()).toEqual({
    message_id: messages[0].id,
    at: messages[0].bounced_at,
    answer: expect.stringContaining('550 No such user here.'),
  })
  await expectSuccess(tradepost.post(`/orders/${newOrder.id}/deliveries/resend`))
  expect(await readProblem()).not.toBe(null)
  const { customer } = newOrder
  const setEmail = (email: string) =>
    expectSuccess(tradepost.patch(`/customers/${customer.id}`, { email }))
  await setEmail('corrected@example.com')
  expect(await readProblem()).toBe(null)
  await setEmail(customer.email)
  expect(await readProblem()).not.toBe(null)
  await sendMailJob.run(tradepost.app)
  expect(await readProblem()).toBe(null)
  const resent = { to: 'other@example.com' }
  await expectSuccess(tradepost.post(`/orders/${newOrder.id}/deliveries/resend`, resent))
  smtp.refusals.push('550 No such user here.')
  await sendMailJob.run(tradepost.app)
  expect(await readProblem()).not.toBe(null)
})
