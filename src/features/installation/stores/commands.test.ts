import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { findNamedStore, storeCommands } from './index.ts'

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

test('a command without --store names the stores and exits 2 if there are several', async () => {
  await expect(findNamedStore(tradepost.app, {})).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${tradepost.live.id} (${tradepost.live.slug})`),
  })
})

test.each([
  ['shipping=on,shipping=off', '"shipping" is named twice. Name it once.'],
  ['', '<switches> is missing.'],
])('features set %j is refused, and exits 2', async (switches, message) => {
  const set = storeCommands.find(({ name }) => name === 'features set')
  const input = { store: tradepost.live.id, switches }
  await expect(set?.run(tradepost.app, input)).rejects.toMatchObject({ exitCode: 2, message })
})

test('--test is refused with the id of a live side, and changes nothing with the id of a test side', async () => {
  const refused = findNamedStore(tradepost.app, { store: tradepost.live.id, test: true })
  await expect(refused).rejects.toMatchObject({ exitCode: 2 })
  const { hash } = await findNamedStore(tradepost.app, { store: tradepost.test.id, test: true })
  expect(hash).toBe(tradepost.test.id)
})
