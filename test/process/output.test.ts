import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { call } from './client.ts'
import { openPlace, type Server } from './spawn-server.ts'

const serves = async ({ origin, live }: Server) =>
  (await call({ origin, store: live.id, key: live.api_key ?? '' }, 'GET', '/products')).status

test.runIf(process.platform === 'linux')(
  'a log on a disk that is full does not end the shop',
  async () => {
    const place = await openPlace({ LOG_LEVEL: 'trace' })
    try {
      const server = await place.start({}, 'exec >/dev/full')
      for (let n = 0; n < 3; n++) expect(await serves(server)).toBe(200)
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
      expect(server.stderr()).toBe('')
    } finally {
      await place.close()
    }
  },
  120_000,
)

test('a terminal that is closed ends the shop like Ctrl+C does', async () => {
  const place = await openPlace()
  try {
    const server = await place.start()
    server.signal('SIGHUP')
    expect(await server.ended).toBe(0)
    // It went the whole way: a process that is killed leaves its file behind.
    await expect(access(place.readyFile)).rejects.toThrow()
  } finally {
    await place.close()
  }
}, 120_000)
