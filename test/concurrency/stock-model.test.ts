import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call, type Reply } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'
import { type OnSale, putOnSale } from './put-on-sale.ts'
import { randomBy } from './random.ts'

const ACTORS = 8
const STEPS = 40

const raceStore = sharedRaceStore()

test('keys that are added, deleted, ordered, paid and cancelled in parallel are all accounted for', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const grouping = [await putOnSale(tradepost, []), await putOnSale(tradepost, [])]
  const books = grouping.map(() => ({ loaded: 0, removed: 0, sold: 0 }))
  const seed = Math.floor(Math.random() * 2 ** 31)
  await Promise.all(
    Array.from({ length: ACTORS }, (_, n) =>
      act({ tradepost, grouping, books, actor: n, seed: seed + n }),
    ),
  )

  const rows = await Promise.all(grouping.map(({ variantId }) => rowsOf(tradepost, variantId)))
  expect(books.every(({ loaded, removed, sold }) => loaded * removed * sold > 0)).toBe(true)
  // The answers to callers add up to the rows, and so do the counters.
  for (const [at, { loaded, removed, sold }] of books.entries()) {
    expect(rows[at], `seed ${seed}`).toMatchObject({ sold, available: loaded - removed - sold })
  }
  await raceStore.expectSweepClean(`seed ${seed}`)
})

interface Book {
  loaded: number
  removed: number
  sold: number
}

interface Actor {
  tradepost: RealServer
  grouping: readonly OnSale[]
  books: readonly Book[]
  actor: number
  seed: number
}

/** One after the other, chosen by chance; acknowledged calls go into the model. */
async function act({ tradepost, grouping, books, actor, seed }: Actor): Promise<void> {
  const random = randomBy(seed)
  const mine: { id: string; lines: readonly { at: number; quantity: number }[] }[] = []
  const send = (method: string, path: string, body?: unknown) =>
    call(tradepost.targets[0], method, path, { body })
  const keysOf = ({ id, variantId }: OnSale) => `/products/${id}/variants/${variantId}/keys`

  const deeds: ((at: number, step: number) => Promise<unknown>)[] = [
    async (at, step) => {
      const keys = Array.from({ length: 5 }, (_, n) => `MODEL-${actor}-${step}-${n}`)
      const { json } = allow(await send('POST', keysOf(groupingAt(at)), { keys }), 201)
      directoryAt(at).loaded += json.added
    },
    async (at) => {
      const { json } = allow(await send('GET', `${keysOf(groupingAt(at))}?status=available`), 200)
      const key = json.keys[Math.floor(random() * json.keys.length)] as Json
      if (!key) return
      const gone = allow(await send('DELETE', `${keysOf(groupingAt(at))}/${key.id}`), 200, 404, 409)
      if (gone.status === 200) directoryAt(at).removed += 1
    },
    async (at) => {
      // Rarely all of them, or nothing would ever be left to sell.
      if (random() > 0.2) return
      const { json } = allow(await send('DELETE', keysOf(groupingAt(at))), 200)
      directoryAt(at).removed += json.count
    },
    async (at) => {
      const lines = [at, 1 - at].map((item) => ({
        at: item,
        quantity: 1 + Math.floor(random() * 2),
      }))
      const items = lines.map((line) => ({
        product_id: groupingAt(line.at).id,
        quantity: line.quantity,
      }))
      const customer = { email: `actor-${actor % 3}@example.com` }
      const made = allow(await send('POST', '/orders', { items, customer }), 201, 409)
      if (made.status === 201) mine.push({ id: made.json.order.id, lines })
    },
    async () => {
      const order = mine.shift()
      if (!order) return
      allow(await send('POST', `/orders/${order.id}/manual-payments`, {}), 201)
      for (const { at, quantity } of order.lines) directoryAt(at).sold += quantity
    },
    async () => {
      const order = mine.shift()
      if (order) allow(await send('POST', `/orders/${order.id}/cancel`, {}), 200)
    },
  ]
  const weights = [0, 0, 1, 2, 3, 3, 3, 4, 4, 5]

  for (let step = 0; step < STEPS; step++) {
    const deed = deeds[weights[Math.floor(random() * weights.length)] ?? 0]
    await deed?.(Math.floor(random() * grouping.length), step)
  }

  function groupingAt(at: number): OnSale {
    return grouping[at] as OnSale
  }
  function directoryAt(at: number): Book {
    return books[at] as Book
  }
}

function allow(reply: Reply, ...allowed: number[]): Reply {
  if (allowed.includes(reply.status)) return reply
  throw new Error(`${reply.status} instead of ${allowed}: ${reply.text}`)
}

async function rowsOf({ app }: RealServer, variantId: number) {
  const { rows } = await sql<{ sold: number; available: number }>`
    select count(*) filter (where k.status = 'sold') as sold,
           count(*) filter (where k.status = 'available') as available
      from stock_key k
     where k.variant_id = ${variantId}`.execute(app.db)
  return rows[0]
}
