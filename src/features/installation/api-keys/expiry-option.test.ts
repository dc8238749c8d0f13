import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { keyCommands } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const createKey = (expiresAt: string): Promise<Json> => {
  const command = keyCommands.find((item) => item.name === 'keys create')
  if (!command) throw new Error('There is no such command.')
  return command.run(tradepost.app, { store: [tradepost.live.id], permissions: 'all', expiresAt })
}

test.each(['5', 'tomorrow', '2099-01-31', '2099-01-31T00:00:00', '2001-01-31T00:00:00Z'])(
  'the expiry %s is refused, because it is not a future time in ISO 8601 with its zone',
  async (expiresAt) => {
    await expect(createKey(expiresAt)).rejects.toMatchObject({ exitCode: 2 })
  },
)

test('a time with an offset is stored in UTC', async () => {
  const { expires_at } = await createKey('2099-01-31T02:00:00+02:00')
  expect(expires_at).toBe('2099-01-31T00:00:00.000Z')
})
