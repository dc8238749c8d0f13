import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from './build-once.ts'
import { call, targetOf } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const EXAMPLE = join(ROOT, 'examples', 'first-sale.mjs')
const run = promisify(execFile)

test('examples/first-sale.mjs sells a product, verifies a webhook, and deletes its webhook endpoint', async () => {
  const installation = await createMigratedInstallation()
  try {
    const server = await installation.start()
    const env = { PATH: process.env.PATH, TRADEPOST_READY_FILE: installation.readyFile }
    const { stdout } = await run(process.execPath, [EXAMPLE], { env })
    expect(stdout).toMatch(/^7 {2}webhook evt_\w+ received, signature verified\n/m)
    const target = targetOf(server)
    expect((await call(target, 'GET', '/webhooks')).json.webhooks).toEqual([])
    expect((await call(target, 'GET', '/orders')).json.orders).toMatchObject([
      { status: 'completed', total_cents: 3998 },
    ])
  } finally {
    await installation.close()
  }
})
