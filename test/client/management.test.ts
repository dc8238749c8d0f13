import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import {
  AuthenticationError,
  ConflictError,
  createManagementClient,
  type Management,
  NotFoundError,
  TradepostError,
  ValidationError,
} from '../../sdk/client-security/management/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { securityDownloads } from '../../src/surfaces/security-api.ts'
import { BASE, type Seller, sellerAt } from '../client-security/seller.ts'
import { walked, walks } from '../client-security/walks.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
let seller: Seller
let url: string
let client: Management

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  url = `${await tradepost.server.listen({ port: 0, host: '127.0.0.1' })}${BASE}`
  client = createManagementClient({ url, apiKey: seller.key })
})
afterAll(() => tradepost.close())

const camel = (text: string) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())

const methodOf = ({ id }: Pick<Endpoint, 'id'>) => {
  const [area = '', verb = ''] = id.split('.')
  return { area: camel(area), verb: camel(verb) }
}

test('the client has every operation and nothing else', () => {
  const served = [...walked, ...securityDownloads].map(methodOf)
  const offered = Object.entries(client).flatMap(([area, methods]) =>
    Object.keys(methods).map((verb) => `${area}.${verb}`),
  )
  expect(offered.sort()).toEqual(served.map(({ area, verb }) => `${area}.${verb}`).sort())
})

const json = walked.filter((e) => walks[e.id])

test.each(json.map((e) => [e.id, e] as const))('%s answers what it promises', async (_, e) => {
  const { params = {}, body } = (await walks[e.id]?.(seller)) ?? {}
  const { area, verb } = methodOf(e)
  const ids = [...e.path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name])
  const answer = await (client as Json)[area][verb](...ids, ...(e.body ? [body] : []))
  expect(z.strictObject(e.response.shape).safeParse(answer).error).toBeUndefined()
})

test('a file is uploaded, replaced and downloaded', async () => {
  const file = new File(['first'], 'plugin.bin')
  const { serverside_file: made } = await client.serversideFiles.create({ name: 'plugin', file })
  expect(made).toMatchObject({ name: 'plugin', size_bytes: 5 })
  const next = new Blob(['second'])
  await client.serversideFiles.replaceContent(made.id, { file: next }, { version: made.version })
  const response = await client.serversideFiles.download(made.id)
  expect(await response.text()).toBe('second')
})

test('a change of another version is refused as a ConflictError', async () => {
  const { serverside_string: text } = await client.serversideStrings.create({
    name: 'greeting',
    value: 'Hello',
  })
  const body = { name: 'greeting', value: 'Bye' }
  await client.serversideStrings.replace(text.id, body, { version: text.version })
  const late = client.serversideStrings.replace(text.id, body, { version: text.version })
  const error = await late.catch((failure) => failure)
  expect(error).toBeInstanceOf(ConflictError)
  expect(error).toMatchObject({
    operation: 'serversideStrings.replace',
    status: 412,
    code: 'REFUSED',
    message: expect.stringContaining('version'),
    requestId: expect.stringMatching(/^req_/),
  })
})

test('lists are walked by pages and by cursors', async () => {
  for (const count of [1, 2, 3]) await client.licenseKeys.create({ level: count })
  const levels: number[] = []
  for await (const { level } of client.licenseKeys.list({ limit: 2 })) levels.push(level)
  expect(levels).toEqual(expect.arrayContaining([1, 2, 3]))
  const { data, status } = await client.apps.list({ limit: 1 }).raw()
  expect(data.apps).toHaveLength(1)
  expect(status).toBe(200)
})

test('a repeat with the key of the caller has one effect', async () => {
  const options = { idempotencyKey: 'launch-2026' }
  const { app } = await client.apps.create({ name: 'Editor' }, options)
  const { app: again } = await client.apps.create({ name: 'Editor' }, options)
  expect(again.id).toBe(app.id)
})

test('a refusal has a kind: unknown record, wrong field, wrong key', async () => {
  const errorOf = (call: PromiseLike<unknown>) => Promise.resolve(call).catch((error) => error)
  expect(await errorOf(client.apps.get(987_654))).toBeInstanceOf(NotFoundError)
  expect(await errorOf(client.apps.create({ name: '' }))).toBeInstanceOf(ValidationError)
  const stranger = createManagementClient({ url, apiKey: 'sec_live_no' })
  const error = await errorOf(stranger.apps.list())
  expect(error).toBeInstanceOf(AuthenticationError)
  expect(error).toBeInstanceOf(TradepostError)
})

test('a wrong address or a missing key is named', () => {
  const wrong = { url: 'https://shop.example.com/v1', apiKey: 'sec_live_1' }
  expect(() => createManagementClient(wrong)).toThrow('/security/v1')
  expect(() => createManagementClient({ url, apiKey: '' })).toThrow('"apiKey"')
})
