import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderOf, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const service = (fields: Json = {}, options: CallOptions = {}) =>
  product(tradepost, { name: 'Lesson', type: 'service', ...fields }, options)
const disabledMethods = (...methods: string[]) =>
  methods.map((method) => ({ method, enabled: false }))

test('a product lists every payment method, and enables those that are connected (decision 125)', async () => {
  const liveMethods = (await service()).product.methods
  expect(liveMethods).toEqual([
    { method: 'manual', enabled: true },
    { method: 'crypto', enabled: false },
    { method: 'card', enabled: false },
    { method: 'paypal', enabled: false },
    { method: 'balance', enabled: true },
  ])
  const testMethods = (await service({}, { as: tradepost.test })).product.methods
  expect(testMethods).toEqual([...liveMethods, { method: 'test', enabled: true }])
})

describe('a payment method of an order', () => {
  const buy = (id: string, fields: Json, options: CallOptions = {}) =>
    tradepost.post('/orders', orderOf(id, fields), options)

  test.each(['crypto', 'card', 'paypal'])(
    'that is not connected is refused, and the error lists the connected ones: %s (decision 125)',
    async (payment_method) => {
      const { id } = await service({ methods: [{ method: payment_method, enabled: true }] })
      await tradepost.events()
      const { status, json } = await buy(id, { payment_method })
      expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
      expect(json.details).toMatchObject({
        field: 'payment_method',
        allowed: ['manual', 'balance'],
        errors: [{ field: 'payment_method', allowed: ['manual', 'balance'] }],
      })
      expect(json.error).toBe(
        `payment_method: The payment method ${payment_method} is not connected to this store; use one of manual, balance, or leave this out.`,
      )
      expect(await tradepost.events()).toEqual([])
    },
  )

  test('that one product does not accept is refused, and the error lists those that all accept (decision 125)', async () => {
    const acceptsAll = await service({}, { as: tradepost.test })
    const acceptsManual = await service(
      { methods: disabledMethods('balance', 'test') },
      { as: tradepost.test },
    )
    const items = [acceptsAll, acceptsManual].map(({ id }) => ({ product_id: id, quantity: 1 }))
    const fields = { items, payment_method: 'balance' }
    const { status, json } = await buy(acceptsAll.id, fields, { as: tradepost.test })
    expect(status).toBe(422)
    expect(json.details).toMatchObject({ field: 'payment_method', allowed: ['manual'] })
    expect(json.error).toContain('Lesson cannot be paid with balance')
    expect(
      (await buy(acceptsAll.id, { payment_method: 'test' }, { as: tradepost.test })).status,
    ).toBe(201)
    const acceptsNone = await service({ methods: disabledMethods('manual', 'balance') })
    const refusal = await buy(acceptsNone.id, { payment_method: 'manual' })
    expect(refusal.json.details).toMatchObject({ field: 'payment_method', allowed: [] })
  })

  test('is not checked if the order is marked as paid, or the seller records a payment (decision 125)', async () => {
    const { id } = await service({ methods: disabledMethods('manual', 'balance') })
    const markedOrder = await buy(id, { payment_method: 'card', mark_paid: true })
    expect([markedOrder.status, markedOrder.json.order?.status]).toEqual([201, 'paid'])
    const { json } = await buy(id, {})
    const payment = await tradepost.post(`/orders/${json.order.id}/manual-payments`)
    expect([payment.status, payment.json.order.status]).toEqual([201, 'paid'])
  })
})
