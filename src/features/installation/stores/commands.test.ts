import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { storeCommands, storeNamed } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

test('stores list shows each side of each store', async () => {
  const list = storeCommands.find(({ name }) => name === 'stores list')
  const { id, slug } = tradepost.live
  expect(await list?.run(tradepost.app, {})).toContainEqual({
    id,
    slug,
    name: 'Here',
    livemode: true,
    currency: 'EUR',
    plan: 'self_hosted',
  })
})

test('where there are several stores, a command without --store names them and exits 2', async () => {
  await expect(storeNamed(tradepost.app, {})).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${tradepost.live.id} (${tradepost.live.slug})`),
  })
})

test('--test is refused if the store has a live side, and changes nothing if it has a test side', async () => {
  await expect(
    storeNamed(tradepost.app, { store: tradepost.live.id, test: true }),
  ).rejects.toMatchObject({
    exitCode: 2,
  })
  const { hash } = await storeNamed(tradepost.app, { store: tradepost.test.id, test: true })
  expect(hash).toBe(tradepost.test.id)
})
