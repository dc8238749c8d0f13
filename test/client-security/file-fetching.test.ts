import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createFile, createLicenseKey } from './prepared-calls.ts'
import { createProgram, newMachine, newNonce, type Program } from './program.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

const MIB = 1024 * 1024

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }
let file: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  tradepost.stopClock()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
  file = await createFile(seller, { app_id: String(program.appId) }, randomBytes(9 * MIB))
})
afterAll(() => tradepost.close())

async function startSession(ofProgram = program): Promise<string> {
  const { key } = await createLicenseKey(seller, { app_id: ofProgram.appId })
  return (await ofProgram.start({ license_key: key, device: newMachine() })).session.token
}

test('a download is counted when the last byte of the file is fetched, in any number of ranges', async () => {
  const token = await startSession()
  const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
  const fetchAndCount = async (range?: string) => {
    const path = `/files/${file.name}/content?grant=${grant}`
    await program.call('GET', path, { headers: { ...(range && { range }) } })
    await tradepost.authentication.flush()
    const { serverside_file } = await expectSuccess(seller.get(`/serverside-files/${file.id}`))
    return serverside_file.download_count
  }
  expect(await fetchAndCount('bytes=0-')).toBe(0)
  expect(await fetchAndCount(`bytes=${8 * MIB}-${9 * MIB - 2}`)).toBe(0)
  expect(await fetchAndCount(`bytes=${8 * MIB}-`)).toBe(1)
  expect(await fetchAndCount('bytes=-1')).toBe(2)
  expect(await fetchAndCount()).toBe(3)
})

test('HEAD of a file is signed as an answer without a body, and is not counted as a download', async () => {
  const smallFile = await createFile(seller, { app_id: String(program.appId) })
  const token = await startSession()
  const { grant } = (await program.call('GET', `/files/${smallFile.name}`, { token })).json
  const headAnswer = await program.call('HEAD', `/files/${smallFile.name}/content?grant=${grant}`)
  expect([headAnswer.status, headAnswer.headers['content-length']]).toEqual([
    200,
    String(smallFile.size_bytes),
  ])
  await tradepost.authentication.flush()
  const { serverside_file } = await expectSuccess(seller.get(`/serverside-files/${smallFile.id}`))
  expect(serverside_file.download_count).toBe(0)
})

/** Returns how often the work reads from storage. */
async function countReads(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(tradepost.app.storage, 'get')
  await work()
  const { length } = spy.mock.calls
  spy.mockRestore()
  return length
}

test('the bytes of a range are read from storage once, and HEAD reads none into the buffer', async () => {
  const token = await startSession()
  const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
  const path = `/files/${file.name}/content?grant=${grant}`
  const fetch = (range: string) => program.call('GET', path, { headers: { range } })
  // Together these ranges exceed the buffer of the server.
  for (const start of [0, 1, 2, 3, 4, 5]) {
    expect(await countReads(() => fetch(`bytes=${start}-${start + 8 * MIB}`))).toBe(1)
  }
  const headRequest = {
    method: 'HEAD' as const,
    headers: { 'client-nonce': newNonce(), range: 'bytes=0-' },
  }
  const url = `${BASE}/client/${program.publicId}${path}`
  for (const _ of [1, 2, 3, 4, 5]) await tradepost.server.inject({ ...headRequest, url })
  expect(await countReads(() => fetch('bytes=0-'))).toBe(1)
})

test('fetches of files count as calls of the session that got the grant', async () => {
  const limitedProgram = await createProgram(tradepost, seller, {
    rate_limits: { session_calls: 4 },
  })
  const { name } = await createFile(seller, { app_id: String(limitedProgram.appId) })
  const token = await startSession(limitedProgram)
  const getGrant = async (sessionToken: string) =>
    (await limitedProgram.call('GET', `/files/${name}`, { token: sessionToken })).json.grant
  const fetch = (grant: string) =>
    limitedProgram.call('GET', `/files/${name}/content?grant=${grant}`)
  const grants = [await getGrant(token), await getGrant(token)]
  const answers = await Promise.all([...grants, ...grants].map(fetch))
  expect(answers.map((item) => item.status).sort()).toEqual([200, 200, 429, 429])
  expect(Number((await fetch(grants[0])).headers['retry-after'])).toBeGreaterThan(0)
  expect((await limitedProgram.call('GET', '/settings', { token })).status).toBe(429)
  expect((await fetch(await getGrant(await startSession(limitedProgram)))).status).toBe(200)
  expect((await fetch(`${grants[0]}x`)).status).toBe(401)
})

test('24 unread answers with ranges of 8 MiB use less than 64 MiB of memory, and further ranges are read from storage twice', async () => {
  const token = await startSession()
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
  // The buffer is full. A range is then read twice, and a file that fits into one range only once.
  const path = `/files/${file.name}/content?grant=${grant}`
  const fetchRange = () => program.call('GET', path, { headers: { range: 'bytes=0-' } })
  expect(await countReads(fetchRange)).toBe(2)
  const smallFile = await createFile(seller, { app_id: String(program.appId) })
  const manifest = (await program.call('GET', `/files/${smallFile.name}`, { token })).json
  const contentPath = `/files/${smallFile.name}/content?grant=${manifest.grant}`
  const headers = { range: 'bytes=0-' }
  expect(await countReads(() => program.call('GET', contentPath, { headers }))).toBe(1)
  for (const answer of answers) answer.destroy()
  await expect.poll(() => countReads(fetchRange)).toBe(1)
})
