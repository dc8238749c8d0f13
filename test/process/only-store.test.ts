import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInstallation } from './spawn-server.ts'

/** Options of the command line that may be left out, or that replace a variable (running.md). */

test('--port and --data-dir stand for PORT and DATA_DIR, and --store may be left out where there is one store', async () => {
  const installation = await createInstallation({ DATA_DIR: '/nowhere', PORT: 'wrong' })
  const dataDir = join(installation.dataDir, 'given')
  const run = async (line: string) => {
    const words = [...line.split(' '), '--data-dir', dataDir, '--port', '0', '--json']
    const { code, stdout, stderr } = await installation.run(words)
    return { code, stderr, value: stdout ? JSON.parse(stdout) : stderr }
  }
  try {
    const { live, test: side } = (await run('stores create --name Alone')).value
    expect(await run('stores list')).toMatchObject({
      code: 0,
      value: [
        { id: live.id, name: 'Alone', livemode: true, plan: 'self_hosted' },
        { id: side.id, livemode: false },
      ],
    })
    expect((await run('keys create --permissions all')).value.key).toMatch(/^sk_live_/)
    expect((await run('keys create --permissions all --test')).value.key).toMatch(/^sk_test_/)
    expect((await run('clock advance 1h --test')).value.id).toBe(side.id)
    expect((await run('webhooks list')).value).toEqual([])
    await run('stores create --name Second')
    const refused = await run('keys list')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('--store is missing, and there are several stores')
    expect(refused.stderr).toContain(live.id)
  } finally {
    await installation.close()
  }
})
