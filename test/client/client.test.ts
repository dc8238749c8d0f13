import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Tradepost as Client, createClient, TradepostError } from '../../sdk/client/index.ts'
import { order, product } from '../build.ts'
import { openWalk } from '../contract/walk.ts'
import type { Tradepost } from '../harness.ts'
import { clientOf, listen } from './open-client.ts'

let tradepost: Tradepost
let url: string
let client: Client
/** Method and address of each sent call. */
const sent: string[] = []

beforeAll(async () => {
  tradepost = await openWalk()
  url = await listen(tradepost)
  client = clientOf(url, tradepost.live, {
    fetch: (address, init) => {
      sent.push(`${init?.method} ${String(address).slice(url.length)}`)
      return fetch(address, init)
    },
  })
})
afterAll(() => tradepost.close())

describe('a list', () => {
  const NAMES = Array.from({ length: 7 }, (_, n) => `Listed ${n}`)
  const named = { search: 'Listed', sort: 'name' } as const

  beforeAll(async () => {
    for (const name of NAMES) await product(tradepost, { name, type: 'service' })
  })

  test('awaited returns one page', async () => {
    const { products, pagination } = await client.products.list({ ...named, limit: 3, offset: 3 })
    expect(products.map(({ name }) => name)).toEqual(NAMES.slice(3, 6))
    expect(pagination).toEqual({ total: 7, limit: 3, offset: 3, has_more: true })
  })

  test('iterated returns every record, page by page, in the requested sort', async () => {
    const names: string[] = []
    sent.length = 0
    for await (const { name } of client.products.list({ ...named, limit: 3 })) names.push(name)
    expect(names).toEqual(NAMES)
    expect(sent).toHaveLength(3)
  })

  test('iterated without a limit requests the largest pages', async () => {
    sent.length = 0
    for await (const _ of client.products.list(named));
    expect(sent).toEqual(['GET /products?search=Listed&sort=name&limit=100'])
  })

  test('iterated up to a break fetches no further page', async () => {
    sent.length = 0
    for await (const { name } of client.products.list({ ...named, limit: 2 })) {
      if (name === NAMES[2]) break
    }
    expect(sent).toHaveLength(2)
  })

  test('begins at the given cursor', async () => {
    const names: string[] = []
    for await (const { name } of client.products.list({ ...named, limit: 2, offset: 4 })) {
      names.push(name)
    }
    expect(names).toEqual(NAMES.slice(4))
  })

  test('sends nothing until it is asked, and one call for several looks', async () => {
    sent.length = 0
    const list = client.products.list(named)
    expect(sent).toEqual([])
    const [one, other] = await Promise.all([list, list])
    expect(one).toBe(other)
    expect(sent).toHaveLength(1)
  })

  test('is a promise in every way', async () => {
    const list = client.products.list(named)
    let isOver = false
    await list.finally(() => {
      isOver = true
    })
    expect(isOver).toBe(true)
    const refused = client.products.list({ limit: 1_000 })
    await expect(refused.catch(({ field }) => field)).resolves.toBe('limit')
    await expect(async () => {
      for await (const _ of client.products.list({ limit: 1_000 }));
    }).rejects.toMatchObject({ code: 'VALIDATION_FAILED', field: 'limit' })
  })

  test('with a cursor is walked to the end of it', async () => {
    const pages: Record<string, unknown> = {
      '/v1/products?limit=100': { products: [{ id: 1 }], next_cursor: 7 },
      '/v1/products?limit=100&cursor=7': { products: [{ id: 2 }], next_cursor: null },
    }
    const paged = createClient({
      url: 'http://shop.example/v1',
      apiKey: 'sk_test',
      storeHash: 'store',
      fetch: async (address) => {
        const { pathname, search } = new URL(String(address))
        return Response.json({ success: true, ...(pages[pathname + search] as object) })
      },
    })
    const ids: unknown[] = []
    for await (const { id } of paged.products.list()) ids.push(id)
    expect(ids).toEqual([1, 2])
  })
})

describe('requests', () => {
  test('several values are joined, and undefined ones are left out', async () => {
    sent.length = 0
    await client.orders.list({ status: ['paid', 'completed'], email: undefined, limit: 5 })
    expect(sent).toEqual(['GET /orders?status=paid%2Ccompleted&limit=5'])
  })

  test('a Date is a moment, and null is nothing', async () => {
    sent.length = 0
    const query = { created_from: new Date(0), email: null, limit: 5 } as never
    await client.orders.list(query)
    expect(sent).toEqual(['GET /orders?created_from=1970-01-01T00%3A00%3A00.000Z&limit=5'])
  })

  test('false is a value', async () => {
    const { id } = await product(tradepost, { name: 'Off', type: 'service', active: false })
    const { products } = await client.products.list({ active: false })
    expect(products.map((item) => item.id)).toEqual([id])
  })

  test('null clears, and undefined keeps', async () => {
    const { id } = await product(tradepost, { name: 'Notes', sku: 'A-1', delivery_note: 'Hello.' })
    await client.products.update(id, { sku: null, delivery_note: undefined, price_cents: 5 })
    const { product: read } = await client.products.get(id)
    expect(read).toMatchObject({ sku: null, delivery_note: 'Hello.', price_cents: 5 })
  })

  test('an id is never another path', async () => {
    for (const id of ['', '.', '..', undefined as never, null as never, {} as never]) {
      await expect(client.products.get(id)).rejects.toThrow(TypeError)
    }
    await expect(client.products.get('a/../../orders?x=1#y')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('an action without a body needs none', async () => {
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

  test('of a key says so', async () => {
    const reader = clientOf(url, await tradepost.key({ permissions: ['products:read'] }))
    await expect(reader.products.list()).resolves.toBeDefined()
    await expect(reader.orders.list()).rejects.toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'orders:read' },
    })
  })

  test('of a rate limit is repeated after Retry-After', async () => {
    const limited = await tradepost.key({ rate_limit: 1 })
    const waits: (string | null)[] = []
    const patient = clientOf(url, limited, {
      fetch: async (address, init) => {
        const answer = await fetch(address, init)
        if (answer.status === 429) {
          waits.push(answer.headers.get('retry-after'))
          tradepost.forward(61_000)
          answer.headers.set('retry-after', '0')
        }
        return answer
      },
    })
    await patient.account.get()
    await patient.account.get()
    expect(waits).toEqual([expect.stringMatching(/^\d+$/)])
  })
})

describe('createClient', () => {
  const right = { url: 'https://shop.example.com/v1', apiKey: 'sk_test_1', storeHash: 'aB3' }

  test('names the missing option', () => {
    for (const name of ['url', 'apiKey', 'storeHash'] as const) {
      expect(() => createClient({ ...right, [name]: undefined as never })).toThrow(`"${name}"`)
      expect(() => createClient({ ...right, [name]: '' })).toThrow(`"${name}"`)
    }
  })

  test.each([
    'https://shop.example.com',
    'https://shop.example.com/v1/products',
    'shop.example.com/v1',
    'https://user:password@shop.example.com/v1',
    'ftp://shop.example.com/v1',
    'https://a b/v1',
  ])('refuses %s as an address', (wrong) => {
    expect(() => createClient({ ...right, url: wrong })).toThrow('/v1')
  })

  test('calls the fetch it is given as a function of its own, as browsers ask for', async () => {
    const calledOn: unknown[] = []
    const bound = clientOf(url, tradepost.live, {
      fetch(this: unknown, ...args: Parameters<typeof fetch>) {
        calledOn.push(this)
        return fetch(...args)
      },
    })
    await bound.account.get()
    expect(calledOn).toEqual([undefined])
  })

  test('takes an address with a slash at its end', async () => {
    const { account } = await clientOf(`${url}/`, tradepost.live).account.get()
    expect(account.store.id).toBe(tradepost.live.id)
  })
})
