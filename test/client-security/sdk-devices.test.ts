import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClientSecurity,
  deviceSigner,
  newDeviceKey,
  RefusedError,
} from '../../sdk/client-security/index.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createClients, fetchFrom } from './clients.ts'
import { createFile, createLicenseKey } from './prepared-calls.ts'
import { newMachine } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let app: Json
let createClient: (options?: Json) => ClientSecurity

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  ;({ app, createClient } = await createClients(tradepost, seller))
})
afterAll(() => tradepost.close())

const createKey = (fields: Json = {}) => createLicenseKey(seller, { app_id: app.id, ...fields })
const ban = (id: number) => expectSuccess(seller.post(`/keys/${id}/ban`, { reason: 'Test' }))

/** Starts a program on a new machine, and returns its client. */
async function startOnNewMachine(key: string, options: Json = {}): Promise<ClientSecurity> {
  const client = createClient(options)
  expect((await client.start(key)).code).toBe('VALID')
  return client
}

describe('a validation by the client', () => {
  test('is for its own machine, so it has the code with which a start would be refused', async () => {
    const { key } = await createKey({ max_devices: 1 })
    const first = await startOnNewMachine(key)
    const second = createClient()
    expect((await first.validate(key)).code).toBe('VALID')
    expect((await second.validate(key)).code).toBe('DEVICE_LIMIT_REACHED')
    expect((await second.start(key)).code).toBe('DEVICE_LIMIT_REACHED')
  })

  test('names its device key, without which the machine would be refused', async () => {
    const { key } = await createKey()
    const { fingerprint } = newMachine()
    const device = await deviceSigner(await newDeviceKey())
    const client = await startOnNewMachine(key, { fingerprint, device })
    expect((await client.validate(key)).code).toBe('VALID')
    expect((await createClient({ fingerprint }).validate(key)).code).toBe('DEVICE_KEY_MISMATCH')
  })

  test('sends the components of the last start, and others if it has them', async () => {
    const policy = { required: true, match: 'most', key_required: false }
    const clients = await createClients(tradepost, seller, { device_policy: policy })
    const { key } = await createLicenseKey(seller, { app_id: clients.app.id })
    const client = clients.createClient()
    const device = { components: { board: 'board-1', disk: 'disk-1', cpu: 'cpu-1' } }
    expect((await client.start(key, { device })).code).toBe('VALID')
    expect((await client.validate(key)).code).toBe('VALID')
    const changed = { components: { board: 'board-2', disk: 'disk-2', cpu: 'cpu-2' } }
    expect((await client.validate(key, { device: changed })).code).toBe('DEVICE_MISMATCH')
  })

  test('is NOT_ACTIVATED before the first start, activates no device and gives no lease', async () => {
    const { key, id } = await createKey({ max_devices: 1 })
    const client = createClient()
    expect((await client.validate(key)).code).toBe('NOT_ACTIVATED')
    expect((await expectSuccess(seller.get(`/keys/${id}`))).key.devices_count).toBe(0)
    await client.start(key)
    await client.end()
    expect(await client.validate(key)).toMatchObject({
      code: 'VALID',
      device: { registered: true },
    })
    expect(client.mayRun()).toBe(false)
  })

  test('ends the lease if its answer is a signed refusal', async () => {
    const { key, id } = await createKey()
    const client = await startOnNewMachine(key)
    expect((await client.validate(key)).code).toBe('VALID')
    expect(client.mayRun()).toBe(true)
    await ban(id)
    expect((await client.validate(key)).code).toBe('BANNED')
    expect(client.mayRun()).toBe(false)
    await expectSuccess(seller.post(`/keys/${id}/unban`))
    expect((await client.validate(key)).code).toBe('VALID')
    expect(client.mayRun()).toBe(false)
    await client.start(key)
    expect(client.mayRun()).toBe(true)
  })

  test('does not end the lease if the server is busy', async () => {
    let isBusy = false
    const realFetch = fetchFrom(tradepost)
    const fetch: typeof realFetch = async (...call) =>
      isBusy
        ? new Response('', { status: 503, headers: { 'retry-after': '60' } })
        : realFetch(...call)
    const { key } = await createKey()
    const client = await startOnNewMachine(key, { fetch })
    isBusy = true
    await expect(client.validate(key)).rejects.toThrow('The server is busy or down (503).')
    expect(client.mayRun()).toBe(true)
  })
})

test('the client ends its lease if the grant of a file is refused, because its session has ended', async () => {
  const { key, id } = await createKey()
  const file = await createFile(seller, { app_id: String(app.id) })
  const realFetch = fetchFrom(tradepost)
  const fetch: typeof realFetch = async (input, init) => {
    if (String(input).includes('/content')) await ban(id)
    return realFetch(input, init)
  }
  const client = await startOnNewMachine(key, { fetch })
  await expect(client.file(file.name)).rejects.toThrow(RefusedError)
  expect(client.mayRun()).toBe(false)
})

describe('the client', () => {
  test('lists the devices of the license, newest first, and marks its own', async () => {
    const { key } = await createKey()
    const client = createClient()
    await client.start(key, { device: { name: 'Studio', platform: 'linux' } })
    const laptop = await startOnNewMachine(key)
    const [newest, oldest] = await client.devices()
    expect(oldest).toMatchObject({ name: 'Studio', platform: 'linux', current: true })
    expect(newest).toMatchObject({ name: null, platform: null, current: false })
    expect((await laptop.devices()).map(({ current }) => current)).toEqual([true, false])
  })

  test('frees a lost machine, whose next call is refused, and another one takes its place', async () => {
    const { key } = await createKey({ max_devices: 2 })
    const client = await startOnNewMachine(key)
    const lost = await startOnNewMachine(key)
    const other = (await client.devices()).find(({ current }) => !current)
    await client.freeDevice(other?.id ?? 0)
    await expect(lost.heartbeat()).rejects.toThrow(RefusedError)
    expect(lost.mayRun()).toBe(false)
    expect(client.mayRun()).toBe(true)
    const third = await startOnNewMachine(key)
    const thirdDevice = (await third.devices()).find(({ current }) => current)
    const early = client.freeDevice(thirdDevice?.id ?? 0)
    await expect(early).rejects.toMatchObject({ name: 'RefusedError', status: 409 })
    await expect(client.freeDevice(999_999_999)).rejects.toMatchObject({ status: 404 })
    expect(client.mayRun()).toBe(true)
  })

  test('ends its lease when it frees its own machine, in either way', async () => {
    const { key } = await createKey({ max_devices: 1 })
    const first = await startOnNewMachine(key)
    await first.deactivate()
    expect(first.mayRun()).toBe(false)
    await expect(first.heartbeat()).rejects.toThrow('There is no session. Call start first.')
    const second = createClient()
    const { device } = await second.start(key)
    await second.freeDevice(device?.id ?? 0)
    expect(second.mayRun()).toBe(false)
    await expect(second.heartbeat()).rejects.toThrow('There is no session. Call start first.')
    expect((await startOnNewMachine(key)).mayRun()).toBe(true)
  })

  test('keeps its session if the license allows no further change of devices', async () => {
    const { key } = await createKey({ max_device_changes: 0 })
    const client = await startOnNewMachine(key)
    await expect(client.deactivate()).rejects.toMatchObject({ name: 'RefusedError', status: 409 })
    expect(client.mayRun()).toBe(true)
    expect((await client.heartbeat()).code).toBe('VALID')
  })

  test('deactivates its machine once, also if the answer is lost', async () => {
    const sentMethods: string[] = []
    let isLost = false
    const realFetch = fetchFrom(tradepost)
    const fetch: typeof realFetch = async (input, init = {}) => {
      const answer = await realFetch(input, init)
      sentMethods.push(`${init.method} ${String(input).split('/').at(-1)}`)
      if (isLost) throw new Error('The connection broke.')
      return answer
    }
    const { key, id } = await createKey()
    const client = await startOnNewMachine(key, { fetch })
    isLost = true
    await expect(client.deactivate()).rejects.toThrow('The server could not be reached.')
    expect(sentMethods).toEqual(['POST sessions', 'POST deactivate'])
    expect((await expectSuccess(seller.get(`/keys/${id}`))).key.devices_count).toBe(0)
  })
})
