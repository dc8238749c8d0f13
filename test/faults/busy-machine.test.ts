import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { keysNamed } from '../build.ts'
import { openRaceStore, type RealServer } from '../concurrency/open-market.ts'
import { countersOf, type OnSale, putOnSale } from '../concurrency/put-on-sale.ts'
import { call } from '../process/client.ts'
import { closePostgres, openPostgres, postgresOrSkip } from '../process/real-postgres.ts'

const BUYERS = 200
const UNITS = 50
/** Burners for each core: PostgreSQL and this process get half of the machine or less. */
const BURNERS_PER_CORE = 2
/** A burner ends automatically, even if this process is killed. */
const BURN_MS = 60_000

test('on a busy machine 200 buyers of 50 units get an order or OUT_OF_STOCK, and never 503 (decision 132)', async (context) => {
  const server = await openPostgres()
  try {
    const raceStore = await openRaceStore(postgresOrSkip(context, server))
    try {
      const tradepost = await raceStore.openStoreFixture()
      const game = await putOnSale(tradepost, keysNamed('BUSY-ABCDEFGH', UNITS))
      const burners = burn()
      try {
        const answers = await Promise.all(
          Array.from({ length: BUYERS }, (_, n) => buy(tradepost, game, n)),
        )
        const counts: Record<string, number> = {}
        for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
        expect(counts).toEqual({ '201': UNITS, OUT_OF_STOCK: BUYERS - UNITS })
        expect(await countersOf(tradepost, game.variantId)).toMatchObject({
          reserved: UNITS,
          sold: 0,
        })
      } finally {
        await end(burners)
      }
    } finally {
      await raceStore.close()
    }
  } finally {
    await closePostgres(server)
  }
})

async function buy({ targets }: RealServer, { id }: OnSale, n: number): Promise<string> {
  const customer = { email: `buyer-${n}@example.com` }
  const body = { items: [{ product_id: id, quantity: 1 }], customer }
  const { status, json } = await call(targets[0], 'POST', '/orders', { body })
  return status === 201 ? '201' : status === 503 ? `503 ${json.error}` : json.code
}

function burn(): ChildProcess[] {
  const program = `const end = Date.now() + ${BURN_MS}; while (Date.now() < end);`
  const count = BURNERS_PER_CORE * availableParallelism()
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', program]))
}

/** Ends the burners of this test, each by its own id. */
const end = (burners: readonly ChildProcess[]) =>
  Promise.all(
    burners.map((burner) => {
      const ended = new Promise((resolve) => burner.once('exit', resolve))
      burner.kill('SIGKILL')
      return ended
    }),
  )
