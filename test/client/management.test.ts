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
import { securityDownloads, securityEndpoints } from '../../src/surfaces/security-api.ts'
import { preparedCalls } from '../client-security/prepared-calls.ts'
import { BASE, createSeller, type Seller } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
let seller: Seller
let url: string
let client: Management

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  url = `${await tradepost.server.listen({ port: 0, host: '127.0.0.1' })}${BASE}`
  client = createManagementClient({ url, apiKey: seller.key })
})
afterAll(() => tradepost.close())

const toCamelCase = (text: string) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())

const methodOf = ({ id }: Pick<Endpoint, 'id'>) => {
  const [area = '', verb = ''] = id.split('.')
  return { area: toCamelCase(area), verb: toCamelCase(verb) }
}

test('the management client has a method for every operation, and no others', () => {
  const operations = [...securityEndpoints, ...securityDownloads].map(methodOf)
  const methodNames = Object.entries(client).flatMap(([area, methods]) =>
    Object.keys(methods).map((verb) => `${area}.${verb}`),
  )
  expect(methodNames.sort()).toEqual(operations.map(({ area, verb }) => `${area}.${verb}`).sort())
})

const jsonEndpoints = securityEndpoints.filter(({ id }) => preparedCalls[id])

test.each(jsonEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s returns the declared answer',
  async (_, endpoint) => {
    const { params = {}, body } = (await preparedCalls[endpoint.id]?.(seller)) ?? {}
    const { area, verb } = methodOf(endpoint)
    const ids = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name])
    const answer = await (client as Json)[area][verb](...ids, ...(endpoint.body ? [body] : []))
    expect(z.strictObject(endpoint.response.shape).safeParse(answer).error).toBeUndefined()
  },
)

test('a file is uploaded, replaced and downloaded', async () => {
  const file = new File(['first'], 'plugin.bin')
  const { serverside_file: uploadedFile } = await client.serversideFiles.create({
    name: 'plugin',
    file,
  })
  expect(uploadedFile).toMatchObject({ name: 'plugin', size_bytes: 5 })
  const newContent = new Blob(['second'])
  await client.serversideFiles.replaceContent(
    uploadedFile.id,
    { file: newContent },
    { version: uploadedFile.version },
  )
  const response = await client.serversideFiles.download(uploadedFile.id)
  expect(await response.text()).toBe('second')
})

test('a change of an old version is refused with a ConflictError', async () => {
  const { serverside_string: text } = await client.serversideStrings.create({
    name: 'greeting',
    value: 'Hello',
  })
  const body = { name: 'greeting', value: 'Bye' }
  await client.serversideStrings.replace(text.id, body, { version: text.version })
  const secondChange = client.serversideStrings.replace(text.id, body, { version: text.version })
  const error = await secondChange.catch((failure) => failure)
  expect(error).toBeInstanceOf(ConflictError)
  expect(error).toMatchObject({
    operation: 'serversideStrings.replace',
    status: 412,
    code: 'REFUSED',
    message: expect.stringContaining('version'),
    requestId: expect.stringMatching(/^req_/),
  })
})

test('a list with a cursor is iterated to its end, and raw() returns its first page', async () => {
  for (const count of [1, 2, 3]) await client.licenseKeys.create({ level: count })
  const levels: number[] = []
  for await (const { level } of client.licenseKeys.list({ limit: 2 })) levels.push(level)
  expect(levels).toEqual(expect.arrayContaining([1, 2, 3]))
  const { data, status } = await client.apps.list({ limit: 1 }).raw()
  expect(data.apps).toHaveLength(1)
  expect(status).toBe(200)
})

test('a repeated call with an idempotency key of the caller has one effect', async () => {
  const options = { idempotencyKey: 'launch-2026' }
  const { app } = await client.apps.create({ name: 'Editor' }, options)
  const { app: repeatedApp } = await client.apps.create({ name: 'Editor' }, options)
  expect(repeatedApp.id).toBe(app.id)
})

test('the class of an error tells whether the record, a field or the key was refused', async () => {
  const errorOf = (call: PromiseLike<unknown>) => Promise.resolve(call).catch((error) => error)
  expect(await errorOf(client.apps.get(987_654))).toBeInstanceOf(NotFoundError)
  expect(await errorOf(client.apps.create({ name: '' }))).toBeInstanceOf(ValidationError)
  const unknownCaller = createManagementClient({ url, apiKey: 'sec_live_no' })
  const error = await errorOf(unknownCaller.apps.list())
  expect(error).toBeInstanceOf(AuthenticationError)
  expect(error).toBeInstanceOf(TradepostError)
})

test('the management client refuses a wrong address and a missing key, and names them', () => {
  const wrongAddress = { url: 'https://shop.example.com/v1', apiKey: 'sec_live_1' }
  expect(() => createManagementClient(wrongAddress)).toThrow('/security/v1')
  expect(() => createManagementClient({ url, apiKey: '' })).toThrow('"apiKey"')
})
