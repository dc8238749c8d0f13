import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createMigratedInstallation } from './spawn-server.ts'

const FAULT = fileURLToPath(new URL('fault.mjs', import.meta.url))

test.each(['rejection', 'exception'])(
  'an uncaught error (%s) is logged, and the process drains and exits 1',
  async (kind) => {
    const installation = await createMigratedInstallation({
      NODE_OPTIONS: `--import ${FAULT}`,
      FAULT: kind,
    })
    try {
      const server = await installation.start()
      server.signal('SIGUSR2')
      expect(await server.ended).toBe(1)
      const lines = server
        .stdout()
        .split('\n')
        .filter((line) => line.startsWith('{'))
      const faults = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 60)
      expect(faults).toMatchObject([
        { msg: 'Unexpected error; the process stops', err: { message: 'fault of a test' } },
      ])
      expect(server.stderr()).toBe('')
      // The process ended as after SIGTERM.
      expect(existsSync(installation.readyFile)).toBe(false)
      expect((await installation.run(['doctor'])).code).toBe(0)
    } finally {
      await installation.close()
    }
  },
)
