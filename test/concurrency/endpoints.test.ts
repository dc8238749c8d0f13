import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()

test('20 of 40 concurrent calls create a webhook endpoint, because a store has at most 20', async (context) => {
  const { targets } = await database.openStore(context)
  const body = { url: 'https://8.8.8.8/hook', events: ['*'] }
  const createWebhook = async () => (await call(targets[0], 'POST', '/webhooks', { body })).status
  const statuses = await Promise.all(Array.from({ length: 40 }, createWebhook))
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.filter((status) => status === 422)).toHaveLength(20)
})
