import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerCommands } from '../../src/features/store/personal-data/index.ts'
import { order, product } from '../build.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { findTraces } from './traces.ts'

// Which customers an erasure reaches (decision 140): a short name, another store, and the command of the operator.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

test('the erasure also removes a name of two letters from events (decision 140)', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const { customer } = await order(tradepost, id, {
    customer: { email: 'short@example.com', name: 'Li' },
  })
  const namesOfCustomer = async () =>
    (await tradepost.payloads('customer.created'))
      .filter((item) => item.data.object.id === customer.id)
      .map((item) => item.data.object.name)
  expect(await namesOfCustomer()).toEqual(['Li'])
  expect((await tradepost.post(`/customers/${customer.id}/erase`)).status).toBe(200)
  expect(await namesOfCustomer()).toEqual(['erased'])
})

test('the erasure of a customer of another store is 404, and changes nothing (decision 140)', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const { customer } = await order(tradepost, id, { customer: { email: 'own@example.com' } })
  for (const as of [tradepost.other, tradepost.test]) {
    const { status, json } = await tradepost.post(`/customers/${customer.id}/erase`, undefined, {
      as,
    })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  }
  expect(await findTraces(tradepost, ['own@example.com'])).not.toEqual([])
})

test('the command customers erase ignores case and spaces of the address, and names the store without such a customer (decision 140)', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const { customer } = await order(tradepost, id, { customer: { email: 'cli@example.com' } })
  const [erase] = customerCommands
  const run = (email: string) => erase?.run(tradepost.app, { store: tradepost.live.id, email })
  expect(await run(' CLI@Example.com')).toEqual({
    id: customer.id,
    erased_at: expect.stringMatching(/^\d{4}-.*Z$/),
    cancelled_subscriptions: 0,
  })
  expect(await findTraces(tradepost, ['cli@example.com'])).toEqual([])
  await expect(run('cli@example.com')).rejects.toThrow(
    `${tradepost.live.id} has no customer cli@example.com`,
  )
})
