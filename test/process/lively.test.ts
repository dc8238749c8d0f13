import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { elapse, until } from '../until.ts'
import { call } from './client.ts'
import { createMigratedInstallation, type Installation, type Running } from './spawn-server.ts'

let installation: Installation

beforeAll(async () => {
  installation = await createMigratedInstallation()
})
afterAll(() => installation.close())

const COMPLETE = 'The demo shop is complete'
/** The demo shop takes a minute on a busy machine. */
const PRINTED_MAX_MS = 240_000

/** Waits until the server has printed the text. Throws if the server ends first. */
async function untilPrinted(server: Running, text: string): Promise<void> {
  let hasEnded = false
  void server.ended.finally(() => {
    hasEnded = true
  })
  const isPrinted = () => server.stdout().includes(text)
  await until(() => {
    if (hasEnded && !isPrinted())
      throw new Error(`The server ended:\n${server.stdout()}${server.stderr()}`)
    return isPrinted()
  }, PRINTED_MAX_MS)
}

const startLively = (): Running => installation.spawn(['start', '--demo', '--lively'])

async function stop(server: Running): Promise<void> {
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}

test('a start completes a demo store whose creation was interrupted, and answers calls meanwhile', async () => {
  const interrupted = startLively()
  await untilPrinted(interrupted, 'is running')
  const keys = await readFile(join(installation.dataDir, 'keys.txt'), 'utf8')
  const side = /demo-shop, test side\nstore id +(\S+)\nAPI key +(\S+)/.exec(keys)
  const [, store = '', key = ''] = side ?? []
  const link = /Dashboard +(\S+)/.exec(interrupted.stdout())?.[1] ?? ''
  const signIn = await fetch(link, { redirect: 'manual' })
  expect(signIn.headers.get('location')).toBe(`/dashboard/${store}`)
  // In this time some of the records are created.
  await elapse(1_000)
  interrupted.signal('SIGKILL')
  await interrupted.ended
  expect(interrupted.stdout()).not.toContain(COMPLETE)

  const server = startLively()
  await untilPrinted(server, 'is running')
  const origin = /Store API {2}(\S+)\/v1/.exec(server.stdout())?.[1] ?? ''
  const get = (path: string) => call({ origin, store, key }, 'GET', path)
  const account = await get('/account')
  expect([account.status, account.text]).toEqual([200, expect.stringContaining('demo-shop')])
  await untilPrinted(server, COMPLETE)
  const orders = await get('/orders')
  expect(orders.json.pagination.total).toBeGreaterThanOrEqual(400)
  expect((await get('/customers')).json.pagination.total).toBe(120)
  const deliveries = await get('/events/deliveries')
  expect(deliveries.json.pagination.total).toBeGreaterThan(0)

  const doctor = await installation.run(['doctor', '--json'])
  expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true })
  const reset = await installation.run(['demo', 'reset', '--json'])
  expect(JSON.parse(reset.stdout).stores).toMatchObject([{ id: store, slug: 'demo-shop' }])
  expect((await get('/orders')).json.pagination.total).toBe(orders.json.pagination.total)
  await stop(server)
})
