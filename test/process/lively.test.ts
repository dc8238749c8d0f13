import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './client.ts'
import { createMigratedInstallation, type Installation, type Running } from './spawn-server.ts'

let installation: Installation

beforeAll(async () => {
  installation = await createMigratedInstallation()
})
afterAll(() => installation.close())

const COMPLETE = 'The demo shop is complete'

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(50)
}

const startLively = (): Running => installation.spawn(['start', '--demo', '--lively'])

async function stop(server: Running): Promise<void> {
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}

test('the first link opens the demo shop; if its process is killed, the next start makes it anew, answers meanwhile, and makes one', async () => {
  const killed = startLively()
  await until(() => killed.stdout().includes('is open'))
  const keys = await readFile(join(installation.dataDir, 'keys.txt'), 'utf8')
  const side = /demo-shop, test side\nstore id +(\S+)\nAPI key +(\S+)/.exec(keys)
  const [, store = '', key = ''] = side ?? []
  const link = /Dashboard +(\S+)/.exec(killed.stdout())?.[1] ?? ''
  const opened = await fetch(link, { redirect: 'manual' })
  expect(opened.headers.get('location')).toBe(`/dashboard/${store}`)
  await pause(1_000)
  killed.signal('SIGKILL')
  await killed.ended

  const server = startLively()
  await until(() => server.stdout().includes('is open'))
  const origin = /Store API {2}(\S+)\/v1/.exec(server.stdout())?.[1] ?? ''
  const get = (path: string) => call({ origin, store, key }, 'GET', path)
  const account = await get('/account')
  expect([account.status, account.text]).toEqual([200, expect.stringContaining('demo-shop')])
  await until(() => server.stdout().includes(COMPLETE))
  const orders = await get('/orders')
  expect(orders.json.pagination.total).toBeGreaterThanOrEqual(400)
  expect((await get('/customers')).json.pagination.total).toBe(120)

  const doctor = await installation.run(['doctor', '--json'])
  expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true })
  const made = await installation.run(['demo', 'reset', '--json'])
  expect(JSON.parse(made.stdout).stores).toMatchObject([{ id: store, slug: 'demo-shop' }])
  expect((await get('/orders')).json.pagination.total).toBe(orders.json.pagination.total)
  await stop(server)
})
