import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInstallation } from './spawn-server.ts'

test('--port and --data-dir replace PORT and DATA_DIR, and --store is optional if there is one store', async () => {
  const installation = await createInstallation({ DATA_DIR: '/nowhere', PORT: 'invalid' })
  const dataDir = join(installation.dataDir, 'option')
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
    expect((await run('clock advance 1h')).value.id).toBe(side.id)
    expect((await run('webhooks list')).value).toEqual([])
    const second = (await run('stores create --name Second')).value
    const clock = await run('clock advance 1h')
    expect(clock.code).toBe(2)
    expect(clock.stderr).toContain(`${side.id} (alone), ${second.test.id} (second)`)
    const withoutStore = await run('keys list')
    expect(withoutStore.code).toBe(2)
    expect(withoutStore.stderr).toContain('--store is missing, and there are several stores')
    expect(withoutStore.stderr).toContain(live.id)
  } finally {
    await installation.close()
  }
})
