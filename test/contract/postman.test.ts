import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

/** The collections of Postman, which are printed from the OpenAPI documents. */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const read = async (url: string): Promise<Json> =>
  (await tradepost.server.inject({ method: 'GET', url })).json()

const FIELDS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['key', 'value'],
    properties: {
      key: { type: 'string', minLength: 1 },
      value: { type: 'string' },
      description: { type: 'string' },
      disabled: { type: 'boolean' },
    },
  },
}

/** The parts of the schema of version 2.1 that a collection of ours has. */
const COLLECTION = {
  type: 'object',
  required: ['info', 'item'],
  properties: {
    info: {
      type: 'object',
      required: ['name', 'schema'],
      properties: {
        name: { type: 'string' },
        schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      },
    },
    variable: FIELDS,
    item: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['name', 'item'],
        properties: { item: { type: 'array', minItems: 1, items: { $ref: '#/definitions/item' } } },
      },
    },
  },
  definitions: {
    item: {
      type: 'object',
      required: ['name', 'request'],
      properties: {
        response: { type: 'array' },
        request: {
          type: 'object',
          required: ['method', 'url', 'header'],
          properties: {
            method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
            description: { type: 'string' },
            header: FIELDS,
            url: {
              type: 'object',
              required: ['raw', 'host', 'path'],
              properties: {
                raw: { type: 'string' },
                host: { type: 'array', items: { type: 'string' } },
                path: { type: 'array', items: { type: 'string' } },
                query: FIELDS,
                variable: FIELDS,
              },
            },
            body: {
              type: 'object',
              required: ['mode', 'raw'],
              properties: { mode: { const: 'raw' }, raw: { type: 'string' } },
            },
          },
        },
      },
    },
  },
}

const requestsOf = ({ item }: Json): Json[] => item.flatMap((folder: Json) => folder.item)

test.each([
  ['/postman.json', '/openapi.json'],
  ['/security/postman.json', '/security/openapi.json'],
])('%s is a collection of version 2.1 with each operation once', async (url, documentUrl) => {
  const [collection, document] = [await read(url), await read(documentUrl)]
  const validate = new Ajv({ strict: false }).compile(COLLECTION)
  expect(validate(collection), JSON.stringify(validate.errors)).toBe(true)
  const printed = requestsOf(collection).map(
    ({ request }) => `${request.method} ${request.url.raw.replace('{{baseUrl}}', '')}`,
  )
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  expect(printed.sort()).toEqual(operations.sort())
})

test('a request has the path, the variables, the credentials and the example of its operation', async () => {
  const collection = await read('/postman.json')
  const keys = collection.variable.map(({ key }: Json) => key)
  expect(keys).toEqual(['baseUrl', 'apiKey', 'storeHash'])
  const request = (id: string) => requestsOf(collection).find((item) => item.id === id)?.request
  const create = request('orders.create')
  expect(create.header).toMatchObject([
    { key: 'x-api-key', value: '{{apiKey}}' },
    { key: 'x-store-hash', value: '{{storeHash}}' },
    { key: 'Idempotency-Key', disabled: true },
    { key: 'Content-Type', value: 'application/json' },
  ])
  const reply = await tradepost.post('/orders', JSON.parse(create.body.raw))
  // The example names a product that this store does not have.
  expect(reply.json.code).not.toBe('INVALID_JSON')
  expect(request('orders.get').url).toMatchObject({
    path: ['orders', ':id'],
    variable: [{ key: 'id' }],
  })
})
