import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customerCommands } from '../../src/features/store/personal-data/index.ts'
import { conversionOf, openProgram, partner } from '../affiliates.ts'
import { coupon, order, orderOf, product } from '../build.ts'
import { findTraces } from '../client-security/traces.ts'
import { expectNoFindings } from '../findings.ts'
import { type Answer, expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'

// Two forms of an address are one address (decision 448).

let tradepost: Tradepost
let serviceId: string

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
  serviceId = (await product(tradepost, { type: 'service' })).id
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

let count = 0
const DOMAINS = ['bücher.example', 'xn--bcher-kva.example'] as const

const buy = (email: string, fields: Json = {}) =>
  order(tradepost, serviceId, { customer: { email }, ...fields })
const codeOf = ({ status, json }: Answer) => [status, json.code, json.details]
const createCustomer = async (email: string): Promise<Json> =>
  (await expectSuccess(tradepost.post('/customers', { email }))).customer
const getCustomer = async (id: number): Promise<Json> =>
  (await expectSuccess(tradepost.get(`/customers/${id}`))).customer

describe.each([
  [DOMAINS[0], DOMAINS[1]],
  [DOMAINS[1], DOMAINS[0]],
])('an address at %s, and then at %s (decision 448)', (firstDomain, secondDomain) => {
  /** Returns both forms of a new address. */
  const newAddress = (): [first: string, second: string] => {
    count += 1
    return [`ada${count}@${firstDomain}`, `ada${count}@${secondDomain}`]
  }

  test('is one customer, order after order', async () => {
    const [first, second] = newAddress()
    await tradepost.events()
    const { customer } = await buy(first)
    expect(customer.email).toBe(first)
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
    const next = await buy(second)
    expect(next.customer).toMatchObject({ id: customer.id, email: first })
    expect(await tradepost.events()).toEqual(['order.created'])
    const other = await buy(`else-${second}`)
    expect(other.customer).toMatchObject({ email: `else-${second}` })
    const moved = await expectSuccess(
      tradepost.patch(`/orders/${other.id}`, { customer_email: second }),
    )
    expect(moved.order.customer.id).toBe(customer.id)
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  })

  test('is taken for POST and PATCH of customers, and may be written in the other form', async () => {
    const [first, second] = newAddress()
    const { id } = await createCustomer(first)
    await tradepost.events()
    const repeated = await tradepost.post('/customers', { email: second })
    expect(codeOf(repeated)).toEqual([
      422,
      'VALIDATION_FAILED',
      expect.objectContaining({ field: 'email', reason: 'taken' }),
    ])
    const other = await createCustomer(`other${count}@example.com`)
    const path = `/customers/${other.id}`
    expect(codeOf(await tradepost.patch(path, { email: second }))).toEqual([
      409,
      'INVALID_STATE',
      { status: 'taken', customer_id: id },
    ])
    expect((await getCustomer(other.id)).email).toBe(`other${count}@example.com`)
    await expectSuccess(tradepost.patch(`/customers/${id}`, { email: second }))
    expect((await getCustomer(id)).email).toBe(second)
    expect((await buy(first)).customer.id).toBe(id)
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  })

  test('is blocked in both forms, and unblocked in both', async () => {
    const [first, second] = newAddress()
    const { id } = await createCustomer(first)
    const entry = (
      await expectSuccess(tradepost.post('/blocklist', { type: 'email', value: second }))
    ).blocklist_entry
    expect((await getCustomer(id)).blocked).toBe(true)
    for (const email of [first, second]) {
      const answer = await tradepost.post('/orders', orderOf(serviceId, { customer: { email } }))
      expect([answer.status, answer.json.code]).toEqual([403, 'CUSTOMER_BLOCKED'])
    }
    await expectSuccess(tradepost.patch(`/customers/${id}`, { email: second }))
    expect(await getCustomer(id)).toMatchObject({ email: second, blocked: true })
    await expectSuccess(tradepost.delete(`/blocklist/${entry.id}`))
    expect((await getCustomer(id)).blocked).toBe(false)
    await expectSuccess(tradepost.post(`/customers/${id}/block`, {}))
    expect((await getCustomer(id)).blocked).toBe(true)
    await expectSuccess(tradepost.post(`/customers/${id}/unblock`, {}))
    expect((await buy(first)).customer.id).toBe(id)
  })

  test('has the limits of a coupon once, and is allowed in both forms', async () => {
    const [first, second] = newAddress()
    const { code } = await coupon(tradepost, {
      code: `EQUAL${count}`,
      max_uses_per_customer: 1,
      allowed_emails: [second],
    })
    const movedOrder = await buy(second, { coupon_code: code })
    expect((await buy(first)).customer.id).toBe(movedOrder.customer.id)
    const items = [{ product_id: serviceId, quantity: 1 }]
    for (const email of [first, second])
      expect(
        await expectSuccess(tradepost.post('/coupons/validate', { code, items, email })),
      ).toMatchObject({ valid: false, reason: 'max_uses_per_customer' })

    const open = await coupon(tradepost, { code: `MOVED${count}` })
    const foreign = await buy(`foreign${count}@example.com`, { coupon_code: open.code })
    await expectSuccess(tradepost.patch(`/coupons/${open.id}`, { allowed_emails: [second] }))
    const moved = await tradepost.patch(`/orders/${foreign.id}`, { customer_email: first })
    expect([moved.status, moved.json.order.customer.id]).toEqual([200, movedOrder.customer.id])
  })

  test('is one partner, who is the partner of the customer and does not earn from their own orders', async () => {
    const [first, second] = newAddress()
    const { id, code } = await partner(tradepost, { email: first })
    await tradepost.events()
    for (const path of ['/affiliates/partners', '/affiliates/applications'])
      expect(codeOf(await tradepost.post(path, { email: second, name: 'Grace' }))).toEqual([
        422,
        'VALIDATION_FAILED',
        expect.objectContaining({ field: 'email', reason: 'taken' }),
      ])
    expect(await tradepost.events()).toEqual([])
    const soldOrder = await buy(second, { affiliate_code: code, mark_paid: true })
    expect((await conversionOf(tradepost, soldOrder.id)).flags).toEqual(['self_referral'])
    expect((await getCustomer(soldOrder.customer.id)).affiliate_partner_id).toBe(id)
    // The customer keeps the form of the partner, with whom the address is compared.
    await expectSuccess(tradepost.patch(`/customers/${soldOrder.customer.id}`, { email: second }))
    expect(await getCustomer(soldOrder.customer.id)).toMatchObject({
      email: first,
      affiliate_partner_id: id,
    })
  })

  test('is the customer of a ticket', async () => {
    const [first, second] = newAddress()
    const { id } = await createCustomer(first)
    const body = { email: second, subject: 'Help', message: 'It does not start.' }
    const { ticket } = await expectSuccess(tradepost.post('/tickets', body))
    expect(ticket.customer.id).toBe(id)
    const [laterFirst, laterSecond] = newAddress()
    const early = await expectSuccess(tradepost.post('/tickets', { ...body, email: laterFirst }))
    const customer = await createCustomer(laterSecond)
    const { json } = await tradepost.get(`/tickets/${early.ticket.id}`)
    expect(json.ticket.customer.id).toBe(customer.id)
  })

  test('signs up for a product once', async () => {
    const [first, second] = newAddress()
    const path = `/products/${serviceId}/stock-alerts`
    const alert = (await expectSuccess(tradepost.post(path, { email: first }))).stock_alert
    const repeated = (await expectSuccess(tradepost.post(path, { email: second }))).stock_alert
    expect(repeated).toEqual(alert)
  })

  test('is exported and erased in both forms', async () => {
    const [first, second] = newAddress()
    const { id } = await createCustomer(first)
    const question = { product_id: serviceId, customer_email: second, body: 'Does it read RAW?' }
    const asked = (await expectSuccess(tradepost.post('/questions', question))).question
    const alerts = `/products/${serviceId}/stock-alerts`
    await expectSuccess(tradepost.post(alerts, { email: second }))
    const listed = await coupon(tradepost, { code: `LISTED${count}`, allowed_emails: [second] })
    const exported = await expectSuccess(tradepost.get(`/customers/${id}/export`))
    expect(exported.stock_alerts).toHaveLength(1)
    const [erase] = customerCommands
    await erase?.run(tradepost.app, { store: tradepost.live.id, email: second })
    expect((await getCustomer(id)).erased_at).not.toBe(null)
    expect(await findTraces(tradepost, [first, second])).toEqual([])
    const { json } = await tradepost.get(`/questions/${asked.id}`)
    expect(json.question.customer_email).toBe(`erased-${id}@erased.invalid`)
    const { json: left } = await tradepost.get(`/coupons/${listed.id}`)
    expect(left.coupon.allowed_emails).toEqual([`erased-${id}@erased.invalid`])
    expect((await buy(second)).customer.id).not.toBe(id)
  })
})

test('an ordinary address costs no statement more, and one in two forms two more', async () => {
  const statementsOf = (email: string) => tradepost.statements(() => buy(email))
  const ordinary = await statementsOf('plain@example.com')
  expect(ordinary.join('\n')).not.toMatch(/advisory/)
  expect(await statementsOf('plain@bücher.example')).toHaveLength(ordinary.length + 2)
})

test('a domain is stored in its canonical form, and one in ASCII as it was typed', async () => {
  expect((await createCustomer('Eve@BU\u0308CHER。Example')).email).toBe('eve@bücher.example')
  expect((await createCustomer('Eve2@XN--BCHER-KVA.example')).email).toBe(
    'eve2@xn--bcher-kva.example',
  )
})
