import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { product } from '../build.ts'
import { createSeller } from '../client-security/seller.ts'
import {
  type Answer,
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../harness.ts'
import { subscriptionProduct } from '../subscribe.ts'

// Every filter by an email address finds both forms of the address (decision 448).

const ASCII = 'ada@xn--bcher-kva.example'
const UNICODE = 'ada@bücher.example'

let tradepost: Tradepost

interface Filter {
  endpoint: Endpoint
  field: string
  isSecurity: boolean
}

const filtersOf = (endpoints: readonly Endpoint[], isSecurity: boolean): Filter[] =>
  endpoints
    .filter(({ method }) => method === 'GET')
    .flatMap((endpoint) =>
      Object.keys(endpoint.query?.shape ?? {})
        .filter((field) => field === 'search' || /(^|_)email$/.test(field))
        .map((field) => ({ endpoint, field, isSecurity })),
    )

/** These searches do not look for addresses. */
const OTHER_SEARCHES = ['products.list']
const FILTERS = [...filtersOf(storeEndpoints, false), ...filtersOf(securityEndpoints, true)].filter(
  ({ endpoint }) => !OTHER_SEARCHES.includes(endpoint.id),
)

/** Creates a record with this address in every list that has such a filter. */
async function createRecords(email: string, options: CallOptions): Promise<void> {
  const post = (path: string, body: Json) => expectSuccess(tradepost.post(path, body, options))
  const buy = async (id: string, fields: Json = {}) => {
    const items = [{ product_id: id, quantity: 1 }]
    return (await post('/orders', { items, customer: { email }, mark_paid: true, ...fields })).order
  }
  const free = await product(tradepost, { type: 'license' }, options)
  const completed = await buy(free.id)
  await post('/reviews', { order_id: completed.id, product_id: free.id, rating: 4, message: 'Ok' })
  const mug = await product(tradepost, { name: 'Mug', type: 'physical' }, options)
  const stock = `/products/${mug.id}/variants/${mug.variantId}/stock`
  await expectSuccess(tradepost.patch(stock, { quantity: 2 }, options))
  const { id, items } = await buy(mug.id)
  const lines = [{ order_item_id: items[0].id, quantity: 1, reason: 'too_small' }]
  await post('/returns', { order_id: id, items: lines })
  await buy(await subscriptionProduct(tradepost, {}, {}, options))
  await post('/tickets', { email, subject: 'Help', message: 'It does not start.' })
  await expectSuccess(tradepost.patch('/affiliates/program', { enabled: true }, options))
  await post('/affiliates/partners', { email })
  await post('/blocklist', { type: 'email', value: email })
  const seller = await createSeller(tradepost, options.as?.id)
  await expectSuccess(seller.post('/keys', { customer_email: email }))
}

beforeAll(async () => {
  tradepost = await openTradepost()
  await createRecords(ASCII, { as: tradepost.live })
  await createRecords(UNICODE, { as: tradepost.other })
})
afterAll(() => tradepost.close())

test('the filters by an address are known', () => {
  expect(FILTERS.map(({ endpoint, field }) => `${endpoint.id} ${field}`)).toEqual(
    expect.arrayContaining([
      'orders.list email',
      'orders.list search',
      'customers.list email',
      'customers.list search',
      'reviews.list email',
      'tickets.list email',
      'returns.list email',
      'subscriptions.list customer_email',
      'affiliates.list_partners search',
      'license_keys.list customer_email',
    ]),
  )
})

describe.each(FILTERS)('$endpoint.id by $field', ({ endpoint, field, isSecurity }) => {
  const find = async (side: 'live' | 'other', address: string): Promise<Json[]> => {
    const path = `${endpoint.path}?${new URLSearchParams({ [field]: address })}`
    const call: Promise<Answer> = isSecurity
      ? (await createSeller(tradepost, tradepost[side].id)).get(path)
      : tradepost.get(path, { as: tradepost[side] })
    const lists = Object.values(await expectSuccess(call)).filter(Array.isArray)
    return lists[0]?.map(({ id }: Json) => id) ?? []
  }

  test.each([
    ['live', ASCII],
    ['other', UNICODE],
  ] as const)(
    'of the store %s, which has %s, finds both forms and no other address',
    async (side, own) => {
      const records = await find(side, own)
      expect(records.length).toBeGreaterThan(0)
      for (const form of [ASCII, UNICODE, 'ADA@BÜCHER.example', 'ada@bu\u0308cher.example'])
        expect([form, await find(side, form)]).toEqual([form, records])
      for (const address of ['ida@bücher.example', 'ada@bucher.example'])
        expect([address, await find(side, address)]).toEqual([address, []])
    },
  )
})
