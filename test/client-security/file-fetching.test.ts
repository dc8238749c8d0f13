import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, newNonce, type Program, programOf } from './program.ts'
import { BASE, made, type Seller, sellerAt } from './seller.ts'
import { aFile, aKey } from './walks.ts'

const MIB = 1024 * 1024

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }
let file: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
  const bytes = randomBytes(9 * MIB) as unknown as string
  file = await aFile(seller, { app_id: String(program.appId) }, bytes)
})
afterAll(() => tradepost.close())

async function newToken(of = program): Promise<string> {
  const { key } = await aKey(seller, { app_id: of.appId })
  return (await of.start({ license_key: key, device: machine() })).session.token
}

test('a download counts once, in any number of ranges', async () => {
  const token = await newToken()
  const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
  const counted = async (range?: string) => {
    const path = `/files/${file.name}/content?grant=${grant}`
    await program.call('GET', path, { headers: { ...(range && { range }) } })
    await tradepost.authentication.flush()
    const { serverside_file } = await made(seller.get(`/serverside-files/${file.id}`))
    return serverside_file.download_count
  }
  expect(await counted('bytes=0-')).toBe(0)
  expect(await counted(`bytes=${8 * MIB}-${9 * MIB - 2}`)).toBe(0)
  expect(await counted(`bytes=${8 * MIB}-`)).toBe(1)
  expect(await counted('bytes=-1')).toBe(2)
  expect(await counted()).toBe(3)
})

test('the head of a file is signed as an answer without bytes, and is no download', async () => {
  const fresh = await aFile(seller, { app_id: String(program.appId) })
  const token = await newToken()
  const { grant } = (await program.call('GET', `/files/${fresh.name}`, { token })).json
  const head = await program.call('HEAD', `/files/${fresh.name}/content?grant=${grant}`)
  expect([head.status, head.headers['content-length']]).toEqual([200, String(fresh.size_bytes)])
  await tradepost.authentication.flush()
  const { serverside_file } = await made(seller.get(`/serverside-files/${fresh.id}`))
  expect(serverside_file.download_count).toBe(0)
})

/** The number of storage reads during the work. */
async function reads(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(tradepost.app.storage, 'get')
  await work()
  const { length } = spy.mock.calls
  spy.mockRestore()
  return length
}

test('the bytes of a range are read once', async () => {
  const token = await newToken()
  const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
  const path = `/files/${file.name}/content?grant=${grant}`
  const fetch = (range: string) => program.call('GET', path, { headers: { range } })
  // Together these exceed the buffer.
  for (const at of [0, 1, 2, 3, 4, 5]) {
    expect(await reads(() => fetch(`bytes=${at}-${at + 8 * MIB}`))).toBe(1)
  }
  const asked = {
    method: 'HEAD' as const,
    headers: { 'client-nonce': newNonce(), range: 'bytes=0-' },
  }
  const url = `${BASE}/client/${program.publicId}${path}`
  for (const _ of [1, 2, 3, 4, 5]) await tradepost.server.inject({ ...asked, url })
  expect(await reads(() => fetch('bytes=0-'))).toBe(1)
})

test('fetches are calls of the session that was granted them, and of no other', async () => {
  const strict = await programOf(tradepost, seller, { rate_limits: { session_calls: 4 } })
  const { name } = await aFile(seller, { app_id: String(strict.appId) })
  const token = await newToken(strict)
  const grantOf = async (own: string) =>
    (await strict.call('GET', `/files/${name}`, { token: own })).json.grant
  const fetch = (grant: string) => strict.call('GET', `/files/${name}/content?grant=${grant}`)
  const grants = [await grantOf(token), await grantOf(token)]
  const answers = await Promise.all([...grants, ...grants].map(fetch))
  expect(answers.map((item) => item.status).sort()).toEqual([200, 200, 429, 429])
  expect(Number((await fetch(grants[0])).headers['retry-after'])).toBeGreaterThan(0)
  expect((await strict.call('GET', '/settings', { token })).status).toBe(429)
  expect((await fetch(await grantOf(await newToken(strict)))).status).toBe(200)
  expect((await fetch(`${grants[0]}x`)).status).toBe(401)
})

test('unread ranges take little memory', async () => {
  const token = await newToken()
  const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
  const origin = await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
  const url = `${origin}${BASE}/client/${program.publicId}/files/${file.name}/content?grant=${grant}`
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'client-nonce': newNonce(), range: 'bytes=0-' }
      get(url, { headers }, resolve).on('error', reject)
    })
  const before = process.memoryUsage().arrayBuffers
  const answers = await Promise.all(Array.from({ length: 24 }, open))
  expect(answers.map((item) => item.statusCode)).toEqual(Array(24).fill(206))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MIB)
  // The buffer is full, and a whole file needs no buffer.
  const path = `/files/${file.name}/content?grant=${grant}`
  const part = () => program.call('GET', path, { headers: { range: 'bytes=0-' } })
  expect(await reads(part)).toBe(2)
  const small = await aFile(seller, { app_id: String(program.appId) })
  const given = (await program.call('GET', `/files/${small.name}`, { token })).json
  const whole = `/files/${small.name}/content?grant=${given.grant}`
  const headers = { range: 'bytes=0-' }
  expect(await reads(() => program.call('GET', whole, { headers }))).toBe(1)
  for (const answer of answers) answer.destroy()
  await expect.poll(() => reads(part)).toBe(1)
})
