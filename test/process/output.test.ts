import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { call } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const FULL_DISK = process.platform === 'linux' ? '/dev/full' : '/dev/null'

test('a log on a full disk does not end the shop, and a terminal that closes ends it like Ctrl+C', async () => {
  const installation = await createMigratedInstallation({ LOG_LEVEL: 'debug' })
  try {
    const server = await installation.start({}, `exec >${FULL_DISK}`)
    const target = { origin: server.origin, store: server.live.id, key: server.live.api_key ?? '' }
    for (let n = 0; n < 3; n++) {
      expect((await call(target, 'GET', '/products')).status).toBe(200)
    }
    server.signal('SIGHUP')
    expect(await server.ended).toBe(0)
    expect(server.stderr()).toBe('')
    // It went the whole way: a process that is killed leaves its file behind.
    await expect(access(installation.readyFile)).rejects.toThrow()
  } finally {
    await installation.close()
  }
})
