import { randomUUID } from 'node:crypto'
import { beforeEach, expect, type TestContext, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'
import { countersOf, putOnSale } from './put-on-sale.ts'

const ROUNDS = 10
const KEYS = 4

let tradepost: RealServer

const raceStore = sharedRaceStore()
beforeEach(async (context) => {
  tradepost = await raceStore.openStoreFixture(context as TestContext)
})

test('an import that is undone while it is bought is deleted whole, or sold and kept whole (decision 321)', async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const game = await putOnSale(tradepost, [])
    const path = `/products/${game.id}/variants/${game.variantId}`
    const [first, second = first] = tradepost.targets
    const body = { keys: keysNamed(`UNDO-${round}`, KEYS), import_id: 'import-of-the-race' }
    expect((await call(first, 'POST', `${path}/keys`, { body })).status).toBe(201)
    const buy = () => insist(second, '/orders', orderOf(game.id, { mark_paid: true }), randomUUID())
    const [undone, other, ...orders] = await Promise.all([
      call(first, 'DELETE', `${path}/key-imports/import-of-the-race`),
      call(second, 'DELETE', `${path}/key-imports/import-of-the-race`),
      buy(),
      buy(),
    ])
    const sold = orders.filter(({ status }) => status === 201).length
    const statuses = [undone.status, other.status].sort()
    expect([[200, 404].join(), [409, 409].join()]).toContain(statuses.join())
    const isGone = statuses[0] === 200
    expect(sold).toBe(isGone ? 0 : 2)
    const left = isGone ? 0 : KEYS - sold
    expect(await countersOf(tradepost, game.variantId)).toEqual({
      on_hand: left,
      reserved: 0,
      sold,
    })
  }
  await raceStore.expectSweepClean()
})
