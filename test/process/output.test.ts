import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { call, targetOf } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const FULL_DISK = process.platform === 'linux' ? '/dev/full' : '/dev/null'

test('a process whose log cannot be written continues, and SIGHUP ends the process normally', async () => {
  const installation = await createMigratedInstallation({ LOG_LEVEL: 'debug' })
  try {
    const server = await installation.start({}, `exec >${FULL_DISK}`)

    for (let n = 0; n < 3; n++) {
      expect((await call(targetOf(server), 'GET', '/products')).status).toBe(200)
    }
    server.signal('SIGHUP')
    expect(await server.ended).toBe(0)
    expect(server.stderr()).toBe('')
    // The process ended normally: a killed process leaves its ready file.
    await expect(access(installation.readyFile)).rejects.toThrow()
  } finally {
    await installation.close()
  }
})
