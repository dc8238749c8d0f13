import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { endChild } from '../postgres/workplace.ts'
import { until } from '../until.ts'
import { IS_WHOLE } from '../walks.ts'
import { ROOT } from './build-once.ts'
import { call, type Target } from './client.ts'
import {
  createMigratedInstallation,
  follow,
  type Installation,
  type Running,
  type Server,
} from './spawn-server.ts'

const EXAMPLE = join(ROOT, 'examples', 'first-sale.mjs')
const run = promisify(execFile)

let installation: Installation
let server: Server
let target: Target
/** The keys of the store before the example ran. */
let keys: Json[]

beforeAll(async () => {
  installation = await createMigratedInstallation()
  server = await installation.start()
  const { origin, test: side } = server
  target = { origin, store: side.id, key: side.api_key ?? '' }
  keys = await listKeys()
})
afterAll(() => installation.close())

async function stop(program: Running): Promise<void> {
  program.signal('SIGTERM')
  await program.ended
}

async function listKeys(): Promise<Json[]> {
  const { stdout } = await installation.run(['keys', 'list', '--store', target.store, '--json'])
  return JSON.parse(stdout)
}

test('examples/first-sale.mjs sells a product on the test side, verifies a webhook, and deletes its webhook endpoint', async () => {
  const env = { PATH: process.env.PATH, TRADEPOST_READY_FILE: installation.readyFile }
  const { stdout } = await run(process.execPath, [EXAMPLE], { env })
  expect(stdout).toMatch(/^7 {2}webhook evt_\w+ received, signature verified\n/m)
  expect((await call(target, 'GET', '/webhooks')).json.webhooks).toEqual([])
  expect((await call(target, 'GET', '/orders')).json.orders).toMatchObject([
    { status: 'completed', total_cents: 3998 },
  ])
})

test('examples/first-sale.mjs finds the server that was started in its folder, and revokes the key that it created', async () => {
  // After another start, the ready file has no keys.
  await stop(server)
  server = await installation.start()
  target = { ...target, origin: server.origin }
  const { stdout, stderr } = await run(process.execPath, [EXAMPLE], {
    env: { PATH: process.env.PATH },
    cwd: dirname(installation.dataDir),
  })
  expect([stdout, stderr]).toEqual([expect.stringContaining('The first sale is complete.'), ''])
  const added = (await listKeys()).filter(({ id }) => !keys.some((key) => key.id === id))
  expect(added).toMatchObject([{ name: 'First sale', revoked_at: expect.any(String) }])
})

// It installs the packages of the clone, which takes minutes.
if (IS_WHOLE)
  test('a new clone starts and sells with the commands in README', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tradepost-clone-'))
    const clone = join(folder, 'tradepost')
    const dataDir = join(folder, 'data')
    await run('git', ['clone', '--quiet', ROOT, clone])
    const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
    const inClone = { cwd: clone, env: { ...env, TRADEPOST_METRICS_ADDRESS: 'off' } }
    // No package needs its install script (decision 25).
    await run('npm', ['ci', '--ignore-scripts', '--engine-strict'], inClone)
    const child = spawn('npm', ['start'], { ...inClone, stdio: ['ignore', 'pipe', 'pipe'] })
    try {
      const start = follow(child)
      await until(() => start.stdout().includes('Press Ctrl+C to stop.'))
      for (const example of ['first-sale.mjs', 'client.mjs'])
        await run(process.execPath, [join('examples', example)], inClone)
      await run(process.execPath, [join('bin', 'tradepost.mjs'), 'doctor'], inClone)
      const { pid } = JSON.parse(await readFile(join(dataDir, 'ready.json'), 'utf8'))
      process.kill(pid, 'SIGTERM')
      // npm ends with the exit code of the program.
      expect(await start.ended).toBe(0)
    } finally {
      await endChild(child, 'SIGTERM')
      await rm(folder, { recursive: true })
    }
  })
