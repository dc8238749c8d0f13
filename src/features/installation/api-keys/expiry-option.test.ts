import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { keyCommands } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const create = (expiresAt: string): Promise<Json> => {
  const command = keyCommands.find((item) => item.name === 'keys create')
  if (!command) throw new Error('There is no such command.')
  return command.run(tradepost.app, { store: [tradepost.live.id], permissions: 'all', expiresAt })
}

test.each(['5', 'tomorrow', '2099-01-31', '2099-01-31T00:00:00', '2001-01-31T00:00:00Z'])(
  'a key cannot expire at %s: a time to come, in ISO 8601 with its zone, is asked for',
  async (expiresAt) => {
    await expect(create(expiresAt)).rejects.toMatchObject({ exitCode: 2 })
  },
)

test('a time with an offset is kept in UTC', async () => {
  const { expires_at } = await create('2099-01-31T02:00:00+02:00')
  expect(expires_at).toBe('2099-01-31T00:00:00.000Z')
})
