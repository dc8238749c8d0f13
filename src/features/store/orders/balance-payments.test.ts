import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, orderOf, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
let service: string
let customerCount = 0

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

/** Creates a customer with this balance. */
async function customerWith(amount_cents: number): Promise<Json> {
  const email = `payer-${++customerCount}@example.com`
  const { customer } = (await tradepost.post('/customers', { email })).json
  if (amount_cents > 0) {
    const credit = { amount_cents, reason: 'A gift.' }
    await expectSuccess(tradepost.post(`/customers/${customer.id}/balance`, credit))
  }
  return customer
}

const balanceOf = async ({ id }: Json): Promise<number> =>
  (await tradepost.get(`/customers/${id}`)).json.customer.balance_cents

const entriesOf = async ({ id }: Json): Promise<Json[]> =>
  (await tradepost.get(`/customers/${id}/balance-entries`)).json.balance_entries

/** Creates an order with a total of 1000. */
const createOrder = ({ email }: Json, fields: Json = {}) =>
  order(tradepost, service, { customer: { email }, ...fields })

const pay = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/balance-payments`, body)

describe('POST /customers/{id}/balance', () => {
  test('credits and debits with a reason, returns the new balance, and emits no event', async () => {
    const customer = await customerWith(0)
    await tradepost.events()
    const changeBalance = (amount_cents: number, reason: string) =>
      tradepost.post(`/customers/${customer.id}/balance`, { amount_cents, reason })
    const { status, json } = await changeBalance(500, 'A gift.')
    expect([status, json]).toEqual([
      201,
      {
        success: true,
        balance_cents: 500,
        balance_entry: {
          id: expect.any(Number),
          object: 'balance_entry',
          customer_id: customer.id,
          amount_cents: 500,
          balance_cents: 500,
          reason: 'A gift.',
          order_id: null,
          created_at: expect.any(String),
        },
      },
    ])
    expect((await changeBalance(-500, 'Paid out.')).json.balance_cents).toBe(0)
    expect((await entriesOf(customer)).map((entry) => entry.reason)).toEqual([
      'Paid out.',
      'A gift.',
    ])
    expect(await tradepost.events()).toEqual([])
  })

  test.each([
    [300, 'The balance is 300 and cannot go below 0. Debit at most 300.'],
    [0, 'The balance is 0 and cannot go below 0. Credit it first.'],
  ])(
    'refuses to debit more than a balance of %i, and changes nothing',
    async (available, error) => {
      const customer = await customerWith(available)
      const entries = await entriesOf(customer)
      const { status, json } = await tradepost.post(`/customers/${customer.id}/balance`, {
        amount_cents: -available - 1,
        reason: 'Too much.',
      })
      expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
      expect(json.details).toMatchObject({ field: 'amount_cents', available })
      expect(json.error).toBe(`amount_cents: ${error}`)
      expect(await balanceOf(customer)).toBe(available)
      expect(await entriesOf(customer)).toEqual(entries)
    },
  )

  test.each<[string, Json, string]>([
    ['an amount of 0', { amount_cents: 0, reason: 'x' }, 'amount_cents'],
    ['an amount of half a cent', { amount_cents: 0.5, reason: 'x' }, 'amount_cents'],
    ['an amount over the maximum', { amount_cents: 100_000_000_000, reason: 'x' }, 'amount_cents'],
    ['a missing reason', { amount_cents: 5 }, 'reason'],
    ['an empty reason', { amount_cents: 5, reason: '' }, 'reason'],
  ])('refuses %s', async (_, body, field) => {
    const { id } = await customerWith(0)
    const { status, json } = await tradepost.post(`/customers/${id}/balance`, body)
    expect([status, json.details.field]).toEqual([422, field])
  })
})

describe('an order with the payment method balance', () => {
  test('takes its whole total from the balance, and is paid immediately', async () => {
    const customer = await customerWith(2_500)
    const newOrder = await createOrder(customer, { payment_method: 'balance' })
    expect(newOrder).toMatchObject({
      status: 'paid',
      payment_method: 'balance',
      paid_cents: 1_000,
      payments: [{ kind: 'balance', status: 'succeeded', amount_cents: 1_000, reviewed_at: null }],
    })
    expect(await balanceOf(customer)).toBe(1_500)
    expect((await entriesOf(customer))[0]).toMatchObject({
      amount_cents: -1_000,
      balance_cents: 1_500,
      reason: 'payment',
      order_id: newOrder.id,
    })
  })

  test('is completed and delivers its keys immediately', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('BALANCE-KEY', 2) })
    const customer = await customerWith(1_000)
    await tradepost.events()
    const fields = { customer: { email: customer.email }, payment_method: 'balance' }
    const newOrder = await order(tradepost, game.id, fields)
    expect(newOrder).toMatchObject({
      status: 'completed',
      deliveries: [{ keys: ['BALANCE-KEY-000001'] }],
    })
    expect(await tradepost.events()).toEqual(['order.created', 'order.completed'])
  })

  test('is refused if the balance is too low, and nothing is written', async () => {
    const customer = await customerWith(999)
    await tradepost.events()
    const body = orderOf(service, {
      customer: { email: customer.email },
      payment_method: 'balance',
    })
    const { status, json } = await tradepost.post('/orders', body)
    expect([status, json.details]).toMatchObject([422, { field: 'payment_method', available: 999 }])
    expect(json.error).toContain("The customer's balance is 999, and the order totals 1000.")
    expect(await balanceOf(customer)).toBe(999)
    expect(await tradepost.events()).toEqual([])
    const { pagination } = (await tradepost.get(`/customers/${customer.id}/orders`)).json
    expect(pagination.total).toBe(0)
  })

  test('takes nothing if it is marked as paid, or its total is 0', async () => {
    const customer = await customerWith(100)
    const markedOrder = await createOrder(customer, { payment_method: 'balance', mark_paid: true })
    expect(markedOrder.payments).toMatchObject([{ kind: 'manual' }])
    const freeProduct = await product(tradepost, { type: 'service', price_cents: 0 })
    const fields = { customer: { email: customer.email }, payment_method: 'balance' }
    const freeOrder = await order(tradepost, freeProduct.id, fields)
    expect(freeOrder.payments).toMatchObject([{ kind: 'free' }])
    expect(await balanceOf(customer)).toBe(100)
  })
})

describe('POST /orders/{id}/balance-payments', () => {
  test('takes the available balance by default, and the remaining amount can be paid by another method', async () => {
    const customer = await customerWith(400)
    const { id } = await createOrder(customer)
    await tradepost.events()
    const { status, json } = await pay(id)
    expect(status).toBe(201)
    expect(json.payment).toMatchObject({
      object: 'payment',
      order_id: id,
      kind: 'balance',
      status: 'succeeded',
      amount_cents: 400,
      currency: 'EUR',
    })
    expect(json.order).toMatchObject({
      status: 'partially_paid',
      payment_method: 'balance',
      paid_cents: 400,
    })
    expect(await balanceOf(customer)).toBe(0)
    expect(await tradepost.events()).toEqual([])
    const secondPayment = await tradepost.post(`/orders/${id}/manual-payments`)
    expect(secondPayment.json.order).toMatchObject({ status: 'paid', paid_cents: 1_000 })
  })

  test('takes the owed amount by default, and pays the order', async () => {
    const customer = await customerWith(5_000)
    const { id } = await createOrder(customer)
    await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 300 }))
    const { json } = await pay(id)
    expect(json.payment.amount_cents).toBe(700)
    expect(json.order).toMatchObject({ status: 'paid', paid_cents: 1_000 })
    expect(await balanceOf(customer)).toBe(4_300)
  })

  test('takes the requested amount', async () => {
    const customer = await customerWith(5_000)
    const { id } = await createOrder(customer)
    expect((await pay(id, { amount_cents: 1 })).json.order.paid_cents).toBe(1)
    expect(await balanceOf(customer)).toBe(4_999)
  })

  test.each<[string, number, Json, Json]>([
    ['more than the owed amount', 5_000, { amount_cents: 1_001 }, { owed: 1_000 }],
    ['more than the balance', 300, { amount_cents: 301 }, { available: 300 }],
    ['an empty balance', 0, {}, { available: 0 }],
    ['an amount of 0', 300, { amount_cents: 0 }, {}],
  ])('refuses %s, and changes nothing', async (_, cents, body, details) => {
    const customer = await customerWith(cents)
    const { id } = await createOrder(customer)
    const { status, json } = await pay(id, body)
    expect([status, json.details]).toMatchObject([422, { field: 'amount_cents', ...details }])
    expect(await balanceOf(customer)).toBe(cents)
    expect((await tradepost.get(`/orders/${id}`)).json.order.payments).toEqual([])
  })

  test('refuses an order that accepts no money', async () => {
    const customer = await customerWith(5_000)
    const paidOrder = await createOrder(customer, { mark_paid: true })
    const cancelledOrder = await createOrder(customer)
    await expectSuccess(tradepost.post(`/orders/${cancelledOrder.id}/cancel`))
    for (const { id } of [paidOrder, cancelledOrder]) {
      expect((await pay(id)).json.code).toBe('INVALID_STATE')
    }
    expect(await balanceOf(customer)).toBe(5_000)
  })

  test('makes a later change of the customer of the order impossible', async () => {
    const customer = await customerWith(400)
    const { id } = await createOrder(customer)
    await expectSuccess(pay(id))
    const patch = { customer_email: 'somebody.else@example.com' }
    const { status, json } = await tradepost.patch(`/orders/${id}`, patch)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(json.error).toContain('was paid from the balance')
  })
})

describe('a refund', () => {
  const refund = async (id: string, body: Json = {}) => {
    const { status, json } = await tradepost.post(`/orders/${id}/refund`, body)
    expect(status, JSON.stringify(json)).toBe(201)
  }
  /** Creates a paid order of 1000, of which 400 came from the balance. */
  async function createMixedOrder() {
    const customer = await customerWith(400)
    const { id } = await createOrder(customer)
    await expectSuccess(pay(id))
    await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`))
    return { customer, id }
  }

  test('returns the amount that was paid from the balance to the balance', async () => {
    const customer = await customerWith(1_000)
    const { id } = await createOrder(customer, { payment_method: 'balance' })
    await refund(id, { amount_cents: 300 })
    expect(await balanceOf(customer)).toBe(300)
    await refund(id)
    expect(await balanceOf(customer)).toBe(1_000)
    expect((await entriesOf(customer))[0]).toMatchObject({ reason: 'refund', amount_cents: 700 })
  })

  test('first returns the amount that was paid by another method', async () => {
    const { customer, id } = await createMixedOrder()
    await refund(id, { amount_cents: 500 })
    expect(await balanceOf(customer)).toBe(0)
    await refund(id, { amount_cents: 200 })
    expect(await balanceOf(customer)).toBe(100)
    await refund(id)
    expect(await balanceOf(customer)).toBe(400)
  })

  test('goes to the destination that the seller chooses', async () => {
    const paidOutOrder = await createMixedOrder()
    await refund(paidOutOrder.id, { to_balance: false })
    expect(await balanceOf(paidOutOrder.customer)).toBe(0)
    const creditedOrder = await createMixedOrder()
    await refund(creditedOrder.id, { to_balance: true })
    expect(await balanceOf(creditedOrder.customer)).toBe(1_000)
  })

  test('of a cancelled order returns only the money of other methods, because its credit went back (decision 180)', async () => {
    const customer = await customerWith(400)
    const { id } = await createOrder(customer)
    await expectSuccess(pay(id))
    await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 300 }))
    await expectSuccess(tradepost.post(`/orders/${id}/cancel`))
    expect(await balanceOf(customer)).toBe(400)
    await tradepost.events()
    await refund(id)
    expect(await balanceOf(customer)).toBe(400)
    expect((await tradepost.get(`/orders/${id}`)).json.order).toMatchObject({
      refund_status: 'full',
      refunded_cents: 700,
    })
    expect(await tradepost.events()).toEqual(['order.refunded'])
  })
})
