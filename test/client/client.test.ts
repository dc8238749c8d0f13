import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Tradepost as Client, createClient, TradepostError } from '../../sdk/client/index.ts'
import { order, product } from '../build.ts'
import { openUnlimited } from '../contract/prepared-calls.ts'
import type { Tradepost } from '../harness.ts'
import { clientOf, listen } from './open-client.ts'

let tradepost: Tradepost
let url: string
let client: Client
/** The method and the path of each request. */
const sentRequests: string[] = []

beforeAll(async () => {
  tradepost = await openUnlimited()
  url = await listen(tradepost)
  client = clientOf(url, tradepost.live, {
    fetch: (address, init) => {
      sentRequests.push(`${init?.method} ${String(address).slice(url.length)}`)
      return fetch(address, init)
    },
  })
})
afterAll(() => tradepost.close())

describe('a list', () => {
  const NAMES = Array.from({ length: 7 }, (_, n) => `Listed ${n}`)
  const listedProducts = { search: 'Listed', sort: 'name' } as const

  beforeAll(async () => {
    for (const name of NAMES) await product(tradepost, { name, type: 'service' })
  })

  test('that is awaited returns one page', async () => {
    const { products, pagination } = await client.products.list({
      ...listedProducts,
      limit: 3,
      offset: 3,
    })
    expect(products.map(({ name }) => name)).toEqual(NAMES.slice(3, 6))
    expect(pagination).toEqual({ total: 7, limit: 3, offset: 3, has_more: true })
  })

  test('that is iterated returns every record in the requested sort, page by page', async () => {
    const names: string[] = []
    sentRequests.length = 0
    for await (const { name } of client.products.list({ ...listedProducts, limit: 3 }))
      names.push(name)
    expect(names).toEqual(NAMES)
    expect(sentRequests).toHaveLength(3)
  })

  test('that is iterated without a limit requests pages of 100 records', async () => {
    sentRequests.length = 0
    for await (const _ of client.products.list(listedProducts));
    expect(sentRequests).toEqual(['GET /products?search=Listed&sort=name&limit=100'])
  })

  test('that is iterated up to a break requests no further page', async () => {
    sentRequests.length = 0
    for await (const { name } of client.products.list({ ...listedProducts, limit: 2 })) {
      if (name === NAMES[2]) break
    }
    expect(sentRequests).toHaveLength(2)
  })

  test('that is iterated from an offset begins there', async () => {
    const names: string[] = []
    for await (const { name } of client.products.list({ ...listedProducts, limit: 2, offset: 4 })) {
      names.push(name)
    }
    expect(names).toEqual(NAMES.slice(4))
  })

  test('of customers repeats none while others are created, also from an offset on', async () => {
    const addCustomer = (n: number) => client.customers.create({ email: `listed-${n}@example.com` })
    for (let n = 0; n < 6; n++) await addCustomer(n)
    const { customers } = await client.customers.list({ limit: 100 })
    const ids: number[] = []
    for await (const { id } of client.customers.list({ limit: 2, offset: 1 })) {
      ids.push(id)
      await addCustomer(100 + ids.length)
    }
    expect(ids).toEqual(customers.slice(1).map(({ id }) => id))
  })

  test('sends no request until it is awaited, and one request for several awaits', async () => {
    sentRequests.length = 0
    const list = client.products.list(listedProducts)
    expect(sentRequests).toEqual([])
    const [first, second] = await Promise.all([list, list])
    expect(first).toBe(second)
    expect(sentRequests).toHaveLength(1)
  })

  test('has the methods then, catch and finally of a promise', async () => {
    const list = client.products.list(listedProducts)
    let isFinallyCalled = false
    await list.finally(() => {
      isFinallyCalled = true
    })
    expect(isFinallyCalled).toBe(true)
    const refused = client.products.list({ limit: 1_000 })
    await expect(refused.catch(({ field }) => field)).resolves.toBe('limit')
    await expect(async () => {
      for await (const _ of client.products.list({ limit: 1_000 }));
    }).rejects.toMatchObject({ code: 'VALIDATION_FAILED', field: 'limit' })
  })

  test('with cursors is iterated to its end', async () => {
    const pages: Record<string, unknown> = {
      '/v1/products?limit=100': { products: [{ id: 1 }], next_cursor: 7 },
      '/v1/products?limit=100&cursor=7': { products: [{ id: 2 }], next_cursor: null },
    }
    const pagedClient = createClient({
      url: 'http://shop.example/v1',
      apiKey: 'sk_test',
      storeHash: 'store',
      fetch: async (address) => {
        const { pathname, search } = new URL(String(address))
        return Response.json({ success: true, ...(pages[pathname + search] as object) })
      },
    })
    const ids: unknown[] = []
    for await (const { id } of pagedClient.products.list()) ids.push(id)
    expect(ids).toEqual([1, 2])
  })
})

describe('in a request,', () => {
  test('several values of a parameter are joined, and undefined parameters are omitted', async () => {
    sentRequests.length = 0
    await client.orders.list({ status: ['paid', 'completed'], email: undefined, limit: 5 })
    expect(sentRequests).toEqual(['GET /orders?status=paid%2Ccompleted&limit=5'])
  })

  test('a Date is sent as a timestamp, and a parameter that is null is omitted', async () => {
    sentRequests.length = 0
    const query = { created_from: new Date(0), email: null, limit: 5 } as never
    await client.orders.list(query)
    expect(sentRequests).toEqual(['GET /orders?created_from=1970-01-01T00%3A00%3A00.000Z&limit=5'])
  })

  test('false is sent as a value', async () => {
    const { id } = await product(tradepost, { name: 'Off', type: 'service', active: false })
    const { products } = await client.products.list({ active: false })
    expect(products.map((item) => item.id)).toEqual([id])
  })

  test('null clears a field, and undefined does not change it', async () => {
    const { id } = await product(tradepost, { name: 'Notes', sku: 'A-1', delivery_note: 'Hello.' })
    await client.products.update(id, { sku: null, delivery_note: undefined, price_cents: 5 })
    const { product: changedProduct } = await client.products.get(id)
    expect(changedProduct).toMatchObject({ sku: null, delivery_note: 'Hello.', price_cents: 5 })
  })

  test('an id cannot change the path', async () => {
    for (const id of ['', '.', '..', undefined as never, null as never, {} as never]) {
      await expect(client.products.get(id)).rejects.toThrow(TypeError)
    }
    await expect(client.products.get('a/../../orders?x=1#y')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('a body whose fields are all optional can be omitted', async () => {
    const { id } = await product(tradepost, { name: 'Advice', type: 'service' })
    const { id: orderId } = await order(tradepost, id)
    await expect(client.orders.cancel(orderId)).resolves.toMatchObject({
      order: { id: orderId, status: 'cancelled' },
    })
  })
})

describe('a refusal', () => {
  test('has its code, its field, its details and the id of the request', async () => {
    const { id } = await product(tradepost, { name: 'Empty' })
    const failure: unknown = await client.orders
      .create({ items: [{ product_id: id, quantity: 2 }], customer: { email: 'ada@example.com' } })
      .catch((error) => error)
    expect(failure).toBeInstanceOf(TradepostError)
    expect(failure).toMatchObject({
      name: 'ConflictError',
      operation: 'orders.create',
      status: 409,
      code: 'OUT_OF_STOCK',
      details: { product_id: id, available: 0 },
      field: undefined,
      requestId: expect.stringMatching(/^req_\w{22}$/),
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('for a missing permission has the permission in its details', async () => {
    const reader = clientOf(url, await tradepost.key({ permissions: ['products:read'] }))
    await expect(reader.products.list()).resolves.toBeDefined()
    await expect(reader.orders.list()).rejects.toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'orders:read' },
    })
  })

  test('by a rate limit is followed by another attempt after Retry-After', async () => {
    const limitedKey = await tradepost.key({ rate_limit: 1 })
    const retryAfters: (string | null)[] = []
    const limitedClient = clientOf(url, limitedKey, {
      fetch: async (address, init) => {
        const answer = await fetch(address, init)
        if (answer.status === 429) {
          retryAfters.push(answer.headers.get('retry-after'))
          tradepost.forward(61_000)
          answer.headers.set('retry-after', '0')
        }
        return answer
      },
    })
    await limitedClient.account.get()
    await limitedClient.account.get()
    expect(retryAfters).toEqual([expect.stringMatching(/^\d+$/)])
  })
})

describe('createClient', () => {
  const validOptions = { url: 'https://shop.example.com/v1', apiKey: 'sk_test_1', storeHash: 'aB3' }

  test('refuses a missing option, and names it', () => {
    for (const name of ['url', 'apiKey', 'storeHash'] as const) {
      expect(() => createClient({ ...validOptions, [name]: undefined as never })).toThrow(
        `"${name}"`,
      )
      expect(() => createClient({ ...validOptions, [name]: '' })).toThrow(`"${name}"`)
    }
  })

  test.each([
    'https://shop.example.com',
    'https://shop.example.com/v1/products',
    'shop.example.com/v1',
    'https://user:password@shop.example.com/v1',
    'ftp://shop.example.com/v1',
    'https://a b/v1',
  ])('refuses %s as an address', (invalidUrl) => {
    expect(() => createClient({ ...validOptions, url: invalidUrl })).toThrow('/v1')
  })

  test('calls the given fetch as a plain function, as browsers require', async () => {
    const thisValues: unknown[] = []
    const clientWithFetch = clientOf(url, tradepost.live, {
      fetch(this: unknown, ...args: Parameters<typeof fetch>) {
        thisValues.push(this)
        return fetch(...args)
      },
    })
    await clientWithFetch.account.get()
    expect(thisValues).toEqual([undefined])
  })

  test('accepts an address with a trailing slash', async () => {
    const { account } = await clientOf(`${url}/`, tradepost.live).account.get()
    expect(account.store.id).toBe(tradepost.live.id)
  })
})
