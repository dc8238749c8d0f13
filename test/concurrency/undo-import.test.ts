import { randomUUID } from 'node:crypto'
import { beforeEach, expect, type TestContext, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { countersOf, putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const ROUNDS = 10
const KEYS = 4

let tradepost: ServedStore

const database = sharedDatabase()
beforeEach(async (context) => {
  tradepost = await database.openStore(context as TestContext)
})

test('an import of stock keys that is undone during purchases is deleted whole, or not at all', async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const game = await putOnSale(tradepost, [])
    const path = `/products/${game.id}/variants/${game.variantId}`
    const [firstTarget, secondTarget = firstTarget] = tradepost.targets
    const body = { keys: keysNamed(`UNDO-${round}`, KEYS), import_id: 'import-of-the-race' }
    expect((await call(firstTarget, 'POST', `${path}/keys`, { body })).status).toBe(201)
    const buy = () =>
      postUntilAnswered(
        secondTarget,
        '/orders',
        orderOf(game.id, { mark_paid: true }),
        randomUUID(),
      )
    const [firstUndo, secondUndo, ...orders] = await Promise.all([
      call(firstTarget, 'DELETE', `${path}/key-imports/import-of-the-race`),
      call(secondTarget, 'DELETE', `${path}/key-imports/import-of-the-race`),
      buy(),
      buy(),
    ])
    const sold = orders.filter(({ status }) => status === 201).length
    const statuses = [firstUndo.status, secondUndo.status].sort()
    expect([
      [200, 404],
      [409, 409],
    ]).toContainEqual(statuses)
    const isDeleted = statuses[0] === 200
    expect(sold).toBe(isDeleted ? 0 : 2)
    const remainingKeys = isDeleted ? 0 : KEYS - sold
    expect(await countersOf(tradepost, game.variantId)).toEqual({
      on_hand: remainingKeys,
      reserved: 0,
      sold,
    })
  }
  await database.expectNoFaults()
})
