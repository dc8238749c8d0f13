import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/browser-session.ts'
import { createLicenseKey, createString } from '../../../../test/client-security/prepared-calls.ts'
import {
  createProgram,
  newMachine,
  type Program,
} from '../../../../test/client-security/program.ts'
import { createSeller, type Seller } from '../../../../test/client-security/seller.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }
let owner: SignedIn

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
  owner = await signedIn(tradepost)
})
afterAll(() => tradepost.close())

async function listReaders(kind: string, id: number): Promise<Json[]> {
  await tradepost.authentication.flush()
  const query = `kind=${kind}&record_id=${id}`
  const { status, json } = await owner.get(`/stores/${tradepost.live.id}/record-readers?${query}`)
  expect(status).toBe(200)
  return json.readers
}

async function startProgram() {
  const { key, id } = await createLicenseKey(seller, { app_id: program.appId })
  const { session } = await program.start({ license_key: key, device: newMachine() })
  return { id, token: session.token as string, preview: key.slice(-5) }
}

test('the readers of a string are the license keys that read it, latest read first', async () => {
  const { name, id } = await createString(seller, { app_id: program.appId })
  const [first, second] = [await startProgram(), await startProgram()]
  const read = async (token: string) => {
    expect((await program.call('GET', `/strings/${name}`, { token })).status).toBe(200)
  }
  await read(first.token)
  await read(first.token)
  expect(await listReaders('string', id)).toMatchObject([{ key_id: first.id, reads: 2 }])
  await read(second.token)
  expect(await listReaders('string', id)).toMatchObject([
    { key_id: second.id, key_preview: second.preview, reads: 1, device_id: expect.any(Number) },
    { key_id: first.id, reads: 2 },
  ])
})

test('the readers of the settings of an app include programs without a license key', async () => {
  const { token, id } = await startProgram()
  expect((await program.call('GET', '/settings', { token })).status).toBe(200)
  expect((await program.call('GET', '/settings')).status).toBe(200)
  const readers = await listReaders('settings', program.appId)
  expect(readers.map(({ key_id }) => key_id).toSorted()).toEqual([id, null].toSorted())
})

test('a record that no program read has no readers', async () => {
  const { id } = await createString(seller, { app_id: program.appId })
  expect(await listReaders('string', id)).toEqual([])
})

test('each change of a string adds a version, and the versions are listed newest first', async () => {
  const { id, name } = await createString(seller, { app_id: program.appId, value: 'one' })
  const change = (value: string) =>
    expectSuccess(seller.put(`/serverside-strings/${id}`, { name, value }))
  await change('two')
  await expectSuccess(seller.patch(`/serverside-strings/${id}`, { status: 'inactive' }))
  await change('one')
  const path = `/stores/${tradepost.live.id}/strings/${id}/versions?reveal=true`
  const { status, json } = await owner.get(path)
  expect(status).toBe(200)
  expect(json.versions.map((item: Json) => [item.version, item.value, item.status])).toEqual([
    [4, 'one', 'inactive'],
    [3, 'two', 'inactive'],
    [2, 'two', 'active'],
    [1, 'one', 'active'],
  ])
})

test('the list of versions of a deleted string answers 404', async () => {
  const { id } = await createString(seller, { app_id: program.appId })
  await expectSuccess(seller.put(`/serverside-strings/${id}`, { name: 'renamed', value: 'x' }))
  await expectSuccess(seller.delete(`/serverside-strings/${id}`))
  const { status, json } = await owner.get(`/stores/${tradepost.live.id}/strings/${id}/versions`)
  expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
})
