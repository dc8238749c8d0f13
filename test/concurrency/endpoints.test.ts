import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'

const raceStore = sharedRaceStore()

test('a store has at most 20 endpoints, however many are made at once', async (context) => {
  const { targets } = await raceStore.openStoreFixture(context)
  const body = { url: 'https://8.8.8.8/hook', events: ['*'] }
  const make = async () => (await call(targets[0], 'POST', '/webhooks', { body })).status
  const answers = await Promise.all(Array.from({ length: 40 }, make))
  expect(answers.filter((status) => status === 201)).toHaveLength(20)
  expect(answers.filter((status) => status === 422)).toHaveLength(20)
})
