import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, orderOf, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { simulate, startedOrder } from '../../../../test/provider-payments.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const PATH = '/account/payment-providers'
const asTest = () => ({ as: tradepost.test })
const listed = async (options = asTest()): Promise<Json[]> =>
  (await tradepost.get(PATH, options)).json.payment_providers.filter(
    ({ provider }: Json) => provider === 'test',
  )
const connect = () => tradepost.put(`${PATH}/test`, {}, asTest())
const disconnect = (query = '') => tradepost.delete(`${PATH}/test${query}`, asTest())

describe('the provider test', () => {
  test('is connected to a test side from the start, and does not exist on the live side', async () => {
    expect(await listed()).toEqual([
      {
        object: 'payment_provider',
        provider: 'test',
        status: 'connected',
        methods: ['test'],
        callback_url: expect.stringMatching(`/callbacks/test/${tradepost.test.id}$`),
        account: null,
        livemode: false,
        last_checked_at: null,
        last_callback_at: null,
        last_error: null,
      },
    ])
    expect(await listed({ as: tradepost.live })).toEqual([])
    expect((await tradepost.put(`${PATH}/test`, {})).status).toBe(404)
  })

  test('can be disconnected and connected again, and its method follows', async () => {
    const { id } = await product(tradepost, { type: 'service' }, asTest())
    const body = orderOf(id, { payment_method: 'test' })
    const { status, json } = await disconnect()
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: 'test' }])
    expect(await listed()).toMatchObject([{ status: null }])
    expect((await disconnect()).status).toBe(404)
    const refused = await tradepost.post('/orders', body, asTest())
    expect(refused.json).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'payment_method', allowed: ['manual', 'balance'] },
    })

    const connected = await connect()
    expect(connected.json.payment_provider).toMatchObject({
      status: 'connected',
      last_checked_at: expect.any(String),
    })
    expect(await listed()).toEqual([connected.json.payment_provider])
    expect((await connect()).status).toBe(200)
    expect((await tradepost.post('/orders', body, asTest())).status).toBe(201)
  })

  test('is not disconnected while one of its payments is open, unless it is forced', async () => {
    const { payment } = await startedOrder(tradepost)
    const refused = await disconnect()
    expect(refused.json).toMatchObject({ code: 'INVALID_STATE', details: { status: 'pending' } })
    await simulate(tradepost, payment, { do: 'process' })
    expect((await disconnect()).status).toBe(409)
    expect(await listed()).toMatchObject([{ status: 'connected' }])
    expect((await disconnect('?force=true')).status).toBe(200)
    await connect()
    await simulate(tradepost, payment, { do: 'pay' })
    expect((await disconnect()).status).toBe(200)
    await connect()
  })

  test('has no fields to connect with, and no other provider is built', async () => {
    const withSecret = await tradepost.put(`${PATH}/test`, { secret_key: 'sk' }, asTest())
    expect(withSecret.status).toBe(422)
    expect((await tradepost.put(`${PATH}/nobody`, {}, asTest())).status).toBe(404)
    expect((await tradepost.delete(`${PATH}/nobody`, asTest())).status).toBe(404)
  })
})

test('a payment that was started before its provider was disconnected can still be asked about', async () => {
  const { order: unpaid, payment } = await startedOrder(tradepost)
  await simulate(tradepost, payment, { do: 'pay', callback: 'never' })
  await disconnect('?force=true')
  const path = `/orders/${unpaid.id}/payments/${payment.id}/refresh`
  expect((await tradepost.post(path, undefined, asTest())).json.order.status).toBe('paid')
  await connect()
  // Its callbacks are not accepted, and the job that asks providers notices the money.
  const second = await startedOrder(tradepost)
  const third = await startedOrder(tradepost)
  await simulate(tradepost, third.payment, { do: 'pay', callback: 'late' })
  await disconnect('?force=true')
  const silent = await simulate(tradepost, second.payment, { do: 'pay' })
  expect([silent.status, silent.json.payment.status]).toEqual([200, 'pending'])
  const moved = await tradepost.post('/account/test-clock', { advance: '6m' }, asTest())
  expect(moved.status).toBe(200)
  for (const { order: paid } of [second, third])
    expect((await tradepost.get(`/orders/${paid.id}`, asTest())).json.order.status).toBe('paid')
  await connect()
  const { id } = await product(tradepost, { type: 'service' }, asTest())
  expect((await order(tradepost, id, { payment_method: 'test' }, asTest())).status).toBe('pending')
})
