import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call, type Reply } from '../process/client.ts'
import { marketForAll } from './market-for-all.ts'
import type { RealShop } from './open-market.ts'
import { randomBy } from './random.ts'
import { type OnSale, putOnSale } from './shelf.ts'

const ACTORS = 8
const STEPS = 40

const market = marketForAll()

test('keys that are added, deleted, ordered, paid and cancelled in parallel are all accounted for', async (context) => {
  const shop = await market.openShop(context)
  const shelf = [await putOnSale(shop, []), await putOnSale(shop, [])]
  const books = shelf.map(() => ({ loaded: 0, removed: 0, sold: 0 }))
  const seed = Math.floor(Math.random() * 2 ** 31)
  await Promise.all(
    Array.from({ length: ACTORS }, (_, n) => act({ shop, shelf, books, actor: n, seed: seed + n })),
  )

  const rows = await Promise.all(shelf.map(({ variantId }) => rowsOf(shop, variantId)))
  expect(books.every(({ loaded, removed, sold }) => loaded * removed * sold > 0)).toBe(true)
  // What callers were told adds up to the rows, and the counters say the same.
  for (const [at, { loaded, removed, sold }] of books.entries()) {
    expect(rows[at], `seed ${seed}`).toMatchObject({ sold, available: loaded - removed - sold })
  }
  await market.expectSweepClean(`seed ${seed}`)
}, 60_000)

interface Book {
  loaded: number
  removed: number
  sold: number
}

interface Actor {
  shop: RealShop
  shelf: readonly OnSale[]
  books: readonly Book[]
  actor: number
  seed: number
}

/** One after the other, chosen by chance; what is acknowledged goes into the books. */
async function act({ shop, shelf, books, actor, seed }: Actor): Promise<void> {
  const random = randomBy(seed)
  const mine: { id: string; lines: readonly { at: number; quantity: number }[] }[] = []
  const send = (method: string, path: string, body?: unknown) =>
    call(shop.doors[0], method, path, { body })
  const keysOf = ({ id, variantId }: OnSale) => `/products/${id}/variants/${variantId}/keys`

  const deeds: ((at: number, step: number) => Promise<unknown>)[] = [
    async (at, step) => {
      const keys = Array.from({ length: 5 }, (_, n) => `MODEL-${actor}-${step}-${n}`)
      const { json } = told(await send('POST', keysOf(shelfAt(at)), { keys }), 201)
      bookAt(at).loaded += json.added
    },
    async (at) => {
      const { json } = told(await send('GET', `${keysOf(shelfAt(at))}?status=available`), 200)
      const key = json.keys[Math.floor(random() * json.keys.length)] as Json
      if (!key) return
      const gone = told(await send('DELETE', `${keysOf(shelfAt(at))}/${key.id}`), 200, 404, 409)
      if (gone.status === 200) bookAt(at).removed += 1
    },
    async (at) => {
      // Rarely all of them, or nothing would ever be left to sell.
      if (random() > 0.2) return
      const { json } = told(await send('DELETE', keysOf(shelfAt(at))), 200)
      bookAt(at).removed += json.count
    },
    async (at) => {
      const lines = [at, 1 - at].map((one) => ({ at: one, quantity: 1 + Math.floor(random() * 2) }))
      const items = lines.map((line) => ({
        product_id: shelfAt(line.at).id,
        quantity: line.quantity,
      }))
      const customer = { email: `actor-${actor % 3}@example.com` }
      const made = told(await send('POST', '/orders', { items, customer }), 201, 409)
      if (made.status === 201) mine.push({ id: made.json.order.id, lines })
    },
    async () => {
      const order = mine.shift()
      if (!order) return
      told(await send('POST', `/orders/${order.id}/manual-payments`, {}), 201)
      for (const { at, quantity } of order.lines) bookAt(at).sold += quantity
    },
    async () => {
      const order = mine.shift()
      if (order) told(await send('POST', `/orders/${order.id}/cancel`, {}), 200)
    },
  ]
  const weights = [0, 0, 1, 2, 3, 3, 3, 4, 4, 5]

  for (let step = 0; step < STEPS; step++) {
    const deed = deeds[weights[Math.floor(random() * weights.length)] ?? 0]
    await deed?.(Math.floor(random() * shelf.length), step)
  }

  function shelfAt(at: number): OnSale {
    return shelf[at] as OnSale
  }
  function bookAt(at: number): Book {
    return books[at] as Book
  }
}

function told(reply: Reply, ...allowed: number[]): Reply {
  if (allowed.includes(reply.status)) return reply
  throw new Error(`${reply.status} instead of ${allowed}: ${reply.text}`)
}

async function rowsOf({ app }: RealShop, variantId: number) {
  const { rows } = await sql<{ sold: number; available: number }>`
    select count(*) filter (where k.status = 'sold') as sold,
           count(*) filter (where k.status = 'available') as available
      from stock_key k
     where k.variant_id = ${variantId}`.execute(app.db)
  return rows[0]
}
