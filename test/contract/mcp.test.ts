import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { order, product } from '../build.ts'
import { listen } from '../client/open-client.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

/** The server of the Model Context Protocol at /mcp, called by the official client, and with single messages. */

let tradepost: Tradepost
let origin: string

beforeAll(async () => {
  tradepost = await openTradepost()
  origin = new URL(await listen(tradepost)).origin
})
afterAll(() => tradepost.close())

type Side = Tradepost['live']

const headersOf = (side: Side) => ({ 'x-api-key': side.api_key ?? '', 'x-store-hash': side.id })

async function connect(side: Side, query = ''): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const options = { requestInit: { headers: headersOf(side) } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp${query}`), options))
  onTestFinished(() => client.close())
  return client
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort()

/** Calls a tool, and returns its text as JSON or as a sentence. */
async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [{ text = '' } = {}] = content as { text?: string }[]
  return { isError, text, json: text.startsWith('{') ? (JSON.parse(text) as Json) : undefined }
}

/** Sends a message as it is. */
async function send(message: unknown, headers: Record<string, string> = {}, query = '') {
  const response = await tradepost.server.inject({
    method: 'POST',
    url: `/mcp${query}`,
    headers: { ...headersOf(tradepost.live), 'content-type': 'application/json', ...headers },
    payload: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const { statusCode: status, body, headers: answered } = response
  return { status, headers: answered, json: body ? (JSON.parse(body) as Json) : undefined }
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const toolNamesWith = (test: (endpoint: (typeof storeEndpoints)[number]) => boolean) =>
  storeEndpoints
    .filter((item) => test(item) && item.feature !== 'affiliates')
    .map(({ id }) => id.replace('.', '_'))
    .sort()

test('the official client gets a tool for each operation that reads, and with ?write=true for each operation', async () => {
  expect(await namesOf(await connect(tradepost.live))).toEqual(
    toolNamesWith(({ method }) => method === 'GET'),
  )
  expect(await namesOf(await connect(tradepost.live, '?write=true'))).toEqual(
    toolNamesWith(() => true),
  )
})

test('a key sees only the tools that it may call, and calls others with the refusal of the API', async () => {
  const side = await tradepost.key({ permissions: ['orders:read'] })
  const client = await connect(side, '?write=true')
  expect(await namesOf(client)).toEqual(
    toolNamesWith(({ permission }) => permission === 'orders:read'),
  )
  const refused = await callTool(client, 'products_list')
  expect(refused).toMatchObject({ isError: true, json: { code: 'INSUFFICIENT_SCOPE' } })
})

test('each tool has the schema of its operation, without a name twice, and no reference out of it', async () => {
  const { tools } = await (await connect(tradepost.live, '?write=true')).listTools()
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { name, inputSchema, annotations, description } of tools) {
    expect(name).toMatch(/^[a-z_]{1,64}$/)
    expect(() => ajv.compile(inputSchema), name).not.toThrow()
    expect(JSON.stringify(inputSchema), name).not.toContain('#/components')
    const endpoint = storeEndpoints.find((item) => item.id.replace('.', '_') === name)
    expect(annotations?.readOnlyHint, name).toBe(endpoint?.method === 'GET')
    expect(description, name).toContain(endpoint?.permission)
    const required = Object.keys(endpoint?.params?.shape ?? {})
    expect(inputSchema.required ?? [], name).toEqual(expect.arrayContaining(required))
  }
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
})

test('a tool reads lists and records with the arguments of its path and its query', async () => {
  const { id } = await product(tradepost, { name: 'Editor', type: 'service' })
  const created = await order(tradepost, id)
  const client = await connect(tradepost.live)
  const listed = await callTool(client, 'orders_list', { status: ['pending', 'paid'], limit: 1 })
  expect(listed.json).toMatchObject({ success: true, orders: [{ id: created.id }] })
  expect((await callTool(client, 'orders_get', { id: created.id })).json?.order.id).toBe(created.id)
  expect(await callTool(client, 'orders_get', { id: 'ord_none' })).toMatchObject({
    isError: true,
    json: { code: 'NOT_FOUND' },
  })
})

test('a tool changes data only with ?write=true, and once with an idempotency key', async () => {
  const body = { name: 'Made by a model', price_cents: 500 }
  const reading = await callTool(await connect(tradepost.live), 'products_create', { body })
  expect(reading).toMatchObject({ isError: true, text: expect.stringContaining('?write=true') })
  const client = await connect(tradepost.live, '?write=true')
  const args = { body, idempotency_key: 'once' }
  const first = await callTool(client, 'products_create', args)
  const second = await callTool(client, 'products_create', args)
  expect(first.json?.product.id).toBe(second.json?.product.id)
  const invalid = await callTool(client, 'products_create', { body: { name: 5 } })
  expect(invalid).toMatchObject({ isError: true, json: { code: 'VALIDATION_FAILED' } })
})

test.each([
  ['an unknown argument', 'orders_list', { state: 'paid' }, /state: .* It has: .*status/],
  ['a missing id', 'orders_get', {}, /^id: /],
  ['an object in a query', 'orders_list', { status: {} }, /^status: /],
  ['an object in place of an id', 'orders_get', { id: { toString: 'x' } }, /^id: write an id/],
  ['a list in place of an id', 'orders_get', { id: ['a', 'b'] }, /^id: write an id/],
  ['an id that no request can carry', 'orders_get', { id: 'x'.repeat(16_500) }, /at most 8000/],
])('%s is named', async (_, name, args, message) => {
  const { isError, text } = await callTool(await connect(tradepost.live), name, args)
  expect([isError, text]).toEqual([true, expect.stringMatching(message)])
})

test('an id cannot lead to another path', async () => {
  const client = await connect(tradepost.live)
  for (const id of ['..', '.']) {
    const { isError, text } = await callTool(client, 'orders_get', { id })
    expect([isError, text]).toEqual([true, 'id: write an id, which is a text or a number.'])
  }
  for (const id of ['../account', 'a/b', 'x?limit=1']) {
    expect((await callTool(client, 'orders_get', { id })).json?.code).toBe('NOT_FOUND')
  }
})

test('each message counts once towards the rate limit of the key, and the refusal is the result of a tool', async () => {
  const side = await tradepost.key({ permissions: ['orders:read'], rate_limit: 3 })
  const call = { ...LIST, method: 'tools/call', params: { name: 'orders_list' } }
  const statuses: unknown[] = []
  for (const message of [
    LIST,
    call,
    { ...call, params: { name: 'orders_list', arguments: { x: 1 } } },
  ])
    statuses.push((await send(message, headersOf(side))).status)
  expect(statuses).toEqual([200, 200, 200])
  const refused = await send(call, headersOf(side))
  expect(JSON.parse(refused.json?.result.content[0].text)).toMatchObject({ code: 'RATE_LIMITED' })
  expect(await send(LIST, headersOf(side))).toMatchObject({
    status: 429,
    json: { id: LIST.id, error: { code: -32_000, data: { code: 'RATE_LIMITED' } } },
  })
})

test('a message that names no tool counts too, and a refused call says how long to wait', async () => {
  const side = await tradepost.key({ permissions: ['orders:read'], rate_limit: 2 })
  const callOf = (params: Json) => ({ ...LIST, method: 'tools/call', params })
  for (const params of [{ name: 'orders_fly' }, { name: 'orders_list', arguments: 5 }])
    expect((await send(callOf(params), headersOf(side))).json?.error.code).toBe(-32_602)
  expect((await send(callOf({ name: 'orders_fly' }), headersOf(side))).status).toBe(429)
  const refused = await send(callOf({ name: 'orders_list' }), headersOf(side))
  expect(refused.json?.result.content[1].text).toMatch(/^Wait \d+ seconds before the next call\.$/)
})

test.each<[string, unknown, Record<string, string>, [number, string, number?]]>([
  ['without a key', LIST, { 'x-api-key': '' }, [401, 'MISSING_API_KEY']],
  ['with an unknown key', LIST, { 'x-api-key': 'sk_live_x' }, [401, 'INVALID_API_KEY']],
  [
    'from a page of another origin',
    LIST,
    { origin: 'https://evil.example' },
    [403, 'ORIGIN_NOT_ALLOWED'],
  ],
  [
    'as text, which pages may send',
    LIST,
    { 'content-type': 'text/plain' },
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
  ],
  ['as a form', LIST, { 'content-type': 'multipart/form-data' }, [415, 'UNSUPPORTED_MEDIA_TYPE']],
  ['that is a batch', [LIST], {}, [422, 'VALIDATION_FAILED', -32_600]],
  ['without a method', { jsonrpc: '2.0', id: 'a' }, {}, [422, 'VALIDATION_FAILED', -32_600]],
  ['with an id of another type', { ...LIST, id: [1] }, {}, [422, 'VALIDATION_FAILED', -32_600]],
  [
    'with an id past 2^53',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    {},
    [422, 'VALIDATION_FAILED', -32_600],
  ],
  ['that is not JSON', '{', {}, [400, 'INVALID_JSON', -32_700]],
  ['of another JSON-RPC', { ...LIST, jsonrpc: '1.0' }, {}, [422, 'VALIDATION_FAILED', -32_600]],
  [
    'of an unknown protocol',
    LIST,
    { 'mcp-protocol-version': '1999-01-01' },
    [422, 'VALIDATION_FAILED', -32_600],
  ],
  ['of more than 1 MiB', `{"a":"${'x'.repeat(1024 * 1024)}"}`, {}, [413, 'PAYLOAD_TOO_LARGE']],
])(
  'a message %s is refused in the form of JSON-RPC, with its id',
  async (name, message, headers, refusal) => {
    const [status, code, rpcCode = -32_000] = refusal
    const data = { code, request_id: expect.stringMatching(/^req_/) }
    expect(await send(message, headers)).toMatchObject({
      status,
      json: {
        jsonrpc: '2.0',
        id: UNREAD.includes(name) ? null : readableIdOf(message),
        error: { code: rpcCode, message: expect.any(String), data },
      },
    })
  },
)

test('a page of this server may call it, unknown methods and tools are named, and a notification has no answer', async () => {
  const own = { origin: new URL(tradepost.app.config.publicUrl).origin }
  expect((await send({ ...LIST, method: 'ping' }, own)).json?.result).toEqual({})
  const unknown = await send({ ...LIST, method: 'resources/list' })
  expect(unknown.json).toMatchObject({ id: 1, error: { code: -32_601 } })
  const noTool = await send({ ...LIST, method: 'tools/call', params: { name: 'orders_fly' } })
  expect(noTool.json).toMatchObject({ id: 1, error: { code: -32_602 } })
  const notified = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect([notified.status, notified.json]).toEqual([202, undefined])
})

/** The messages that are not read to their end. */
const UNREAD = ['as a form', 'of more than 1 MiB']

/** The id that a refusal repeats; null if the message has none that can be read. */
function readableIdOf(message: unknown): string | number | null {
  const { id } = Object(message)
  return typeof id === 'object' ? null : (id ?? null)
}

test('a refusal after the message was read has its id too', async () => {
  const side = await tradepost.key({ rate_limit: 1 })
  const ping = { jsonrpc: '2.0', id: 'ping-7', method: 'ping' }
  expect((await send(ping, headersOf(side))).status).toBe(200)
  expect(await send(ping, headersOf(side))).toMatchObject({
    status: 429,
    json: { id: 'ping-7', error: { data: { code: 'RATE_LIMITED' } } },
  })
})

test.each([
  ['a repeated key', '"a":1,"a":2', 400],
  ['the key __proto__', '"params":{"__proto__":{}}', 422],
  ['deep nesting', `"params":${'['.repeat(40)}${']'.repeat(40)}`, 400],
])('a message with %s is refused with its id', async (_, fields, status) => {
  const answer = await send(`{"jsonrpc":"2.0","id":"m-1","method":"ping",${fields}}`)
  expect([answer.status, answer.json?.id]).toEqual([status, 'm-1'])
})

test.each(['5', '"x"', 'null', 'true', '[]'])('the message %s is no object', async (message) => {
  expect(await send(message)).toMatchObject({
    status: 422,
    json: { id: null, error: { code: -32_600, data: { details: { field: 'body' } } } },
  })
})

test('a refused caller gets the id of a small message, and a large one is not read', async () => {
  const headers = { 'x-api-key': 'sk_live_x' }
  const large = { ...LIST, params: { text: 'x'.repeat(17 * 1024) } }
  expect((await send(LIST, headers)).json?.id).toBe(LIST.id)
  expect(await send(large, headers)).toMatchObject({ status: 401, json: { id: null } })
})

test('HEAD is refused without a body', async () => {
  const response = await tradepost.server.inject({ method: 'HEAD', url: '/mcp' })
  expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST'])
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE', 'MKCOL'])(
  '%s is refused as a message of the protocol, because there are no sessions',
  async (method) => {
    const response = await tradepost.server.inject({ method: method as 'GET', url: '/mcp' })
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST'])
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(response.body)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32_000,
        message: expect.stringContaining('POST'),
        data: { code: 'METHOD_NOT_ALLOWED', request_id: response.headers['x-request-id'] },
      },
    })
  },
)

test('calls of tools are in the request log with the address and the program of the caller', async () => {
  const client = await connect(tradepost.live)
  await callTool(client, 'account_get')
  await tradepost.authentication.flush()
  const { calls } = (await tradepost.get('/account/calls')).json
  expect(calls).toContainEqual(
    expect.objectContaining({ path: '/v1/account', status: 200, address: '127.0.0.1' }),
  )
})
