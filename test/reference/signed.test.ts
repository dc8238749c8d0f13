import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFile,
  createLicenseKey,
  createString,
  newName,
} from '../client-security/prepared-calls.ts'
import { createProgram, newMachine } from '../client-security/program.ts'
import { createSeller } from '../client-security/seller.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const ACCEPT_ENCODING = { 'accept-encoding': 'br, gzip' }

test('a signed answer to a program is never compressed, however large (decision 241)', async () => {
  const seller = await createSeller(tradepost)
  const program = await createProgram(tradepost, seller)
  const name = newName('large')
  await createString(seller, { app_id: program.appId, name, value: 'x'.repeat(20_000) })
  const { key } = await createLicenseKey(seller, { app_id: program.appId })
  const { session } = await program.start({ license_key: key, device: newMachine() })
  const answer = await program.call('GET', `/strings/${name}`, {
    token: session.token,
    headers: ACCEPT_ENCODING,
  })
  expect(answer.status).toBe(200)
  expect(answer.text.length).toBeGreaterThan(20_000)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.headers['service-response-signature']).toMatch(/^t=\d+,kid=/)
})

test('a text file and a range of the file are sent uncompressed (decision 241)', async () => {
  const seller = await createSeller(tradepost)
  const bytes = 'line\n'.repeat(2_000)
  const file = await createFile(seller, {}, bytes)
  const url = `/security/v1/serverside-files/${file.id}/content`
  const headers = {
    authorization: `Bearer ${seller.key}`,
    'x-store-hash': seller.store,
    ...ACCEPT_ENCODING,
  }
  const whole = await tradepost.server.inject({ method: 'GET', url, headers })
  expect([whole.statusCode, whole.headers['content-encoding']]).toEqual([200, undefined])
  expect(whole.body).toBe(bytes)
  const range = { ...headers, range: 'bytes=0-2047' }
  const part = await tradepost.server.inject({ method: 'GET', url, headers: range })
  expect([part.statusCode, part.headers['content-encoding']]).toEqual([206, undefined])
  expect(part.body).toBe(bytes.slice(0, 2048))
})
