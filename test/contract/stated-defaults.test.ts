import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { callEndpoint, preparedCalls } from '../client-security/prepared-calls.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import type { Answer, Json, Tradepost } from '../harness.ts'
import { openUnlimited, prepare, send } from './prepared-calls.ts'

// The documents say what each field of a body is if it is left out, and the server does that.

const PATHS = { store: '/openapi.json', security: '/security/openapi.json' } as const
/** Begins the sentence about a default that depends on something else. */
const DEFAULT_SENTENCE = /(?:^|\. )Default: /
const KEPT_SENTENCE = /fields that are left out keep their value/i

let tradepost: Tradepost
let seller: Seller
const documents = {} as Record<keyof typeof PATHS, Json>

beforeAll(async () => {
  tradepost = await openUnlimited()
  seller = await createSeller(tradepost)
  for (const [name, url] of Object.entries(PATHS)) {
    const { payload } = await tradepost.server.inject({ method: 'GET', url })
    documents[name as keyof typeof PATHS] = JSON.parse(payload)
  }
})
afterAll(() => tradepost.close())

const operationsOf = ({ paths }: Json): Json[] =>
  Object.values<Json>(paths).flatMap((methods) => Object.values<Json>(methods))

/** Returns a schema with its component, if it refers to one. */
function resolve(document: Json, schema: Json): Json {
  if (!schema.$ref) return schema
  const component = document.components.schemas[schema.$ref.split('/').at(-1)]
  const description = [component.description, schema.description].filter(Boolean).join(' ')
  return { ...component, ...schema, $ref: undefined, description }
}

interface Walk {
  document: Json
  seen: Set<unknown>
  isKept: boolean
}

/** Returns the optional fields within a body that do not say what they are if they are left out. */
function silentFields(walk: Walk, schema: Json, where: string): string[] {
  const { document, seen } = walk
  const name = schema.$ref ?? schema
  if (seen.has(name)) return []
  const resolved = resolve(document, schema)
  const { properties = {}, required = [], description = '' } = resolved
  const isKept = walk.isKept || KEPT_SENTENCE.test(description)
  const inner = { document, seen: new Set([...seen, name]), isKept: false }
  const parts: Json[] = [
    ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => resolved[keyword] ?? []),
    ...['items', 'additionalProperties'].flatMap((keyword) => resolved[keyword] ?? []),
  ].filter((part) => typeof part === 'object')
  return [
    ...Object.entries<Json>(properties).flatMap(([field, property]) => {
      const path = `${where}.${field}`
      const text = resolve(document, property).description ?? ''
      const isStated =
        isKept ||
        required.includes(field) ||
        'default' in resolve(document, property) ||
        DEFAULT_SENTENCE.test(text)
      return [...(isStated ? [] : [path]), ...silentFields(inner, property, path)]
    }),
    ...parts.flatMap((part) => silentFields({ ...inner, isKept }, part, `${where}[]`)),
  ]
}

describe.each(['store', 'security'] as const)('in the document of the %s API', (name) => {
  test('each optional field of a body has a default, or a sentence about it', () => {
    const document = documents[name]
    let count = 0
    const silent = operationsOf(document).flatMap(({ operationId, requestBody }) =>
      Object.values<Json>(requestBody?.content ?? {}).flatMap(({ schema }) => {
        count += 1
        const isKept = KEPT_SENTENCE.test(requestBody.description ?? '')
        return silentFields({ document, seen: new Set(), isKept }, schema, operationId)
      }),
    )
    expect(count).toBeGreaterThan(20)
    expect([...new Set(silent)]).toEqual([])
  })
})

/** Returns the value with no optional field. */
function leastOf(document: Json, schema: Json, value: Json): Json {
  const { properties, required = [], items } = resolve(document, schema)
  if (Array.isArray(value))
    return items ? value.map((item) => leastOf(document, items, item)) : value
  if (!properties || value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
    .filter(([field]) => required.includes(field))
    .map(([field, item]) => [field, leastOf(document, properties[field] ?? {}, item)])
  return Object.fromEntries(entries)
}

/** Returns the stated value of a field, in a list of one, if the field states a value. */
function statedValue(document: Json, property: Json): unknown[] {
  const { default: value, description = '' } = resolve(document, property)
  if (value !== undefined) return [value]
  const [, text] = /(?:^|\. )Default: `([^`]+)`\.?$/.exec(description) ?? []
  if (text !== undefined) return [/^(true|false|\d+)$/.test(text) ? JSON.parse(text) : text]
  return /(?:^|\. )Default: none\b/.test(description) ? [null] : []
}

const isObject = (value: Json): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

interface Comparison {
  document: Json
  counted: { fields: number }
}

/** Compares the omitted fields of a body with those of the records in the answer. */
function wrongDefaults(
  { document, counted }: Comparison,
  schema: Json,
  { sent, records, where }: { sent: Json; records: Json[]; where: string },
): string[] {
  const { properties = {}, items } = resolve(document, schema)
  if (Array.isArray(sent)) {
    const lists = records.filter((record) => Array.isArray(record) && record.length > 0)
    const inner = { sent: sent[0], records: lists.map(([first]) => first), where: `${where}[0]` }
    return items && sent.length === 1 ? wrongDefaults({ document, counted }, items, inner) : []
  }
  if (!isObject(sent)) return []
  return Object.entries<Json>(properties).flatMap(([field, property]) => {
    const path = `${where}.${field}`
    const answers = records.filter((record) => isObject(record) && field in record)
    const values = answers.map((record) => record[field])
    if (sent[field] !== undefined)
      return wrongDefaults({ document, counted }, property, {
        sent: sent[field],
        records: values,
        where: path,
      })
    const stated = statedValue(document, property)
    if (values.length === 0 || stated.length === 0) return []
    counted.fields += 1
    const isEqual = values.some((value) => JSON.stringify([value]) === JSON.stringify(stated))
    return isEqual ? [] : [`${path} is ${JSON.stringify(values)}, not ${JSON.stringify(stated)}`]
  })
}

/** Returns the records of an answer: the answer itself and the objects in it. */
const recordsOf = ({ json }: Answer): Json[] => [
  json,
  ...Object.values<Json>(json).flatMap((value) => (isObject(value) ? [value] : [])),
]

interface Caller {
  api: keyof typeof PATHS
  input(): Promise<{ body?: Json }>
  call(input: Json): Promise<Answer>
}

/** Sends the least body of an endpoint, or else the prepared body without one field at a time. */
async function compareDefaults(endpoint: Endpoint, caller: Caller, counted: { fields: number }) {
  const document = documents[caller.api]
  const operation = operationsOf(document).find(({ operationId }) => operationId === endpoint.id)
  const schema = operation?.requestBody?.content['application/json']?.schema
  if (!schema) return []
  const full = await caller.input()
  if (full.body === undefined) return []
  const { properties = {}, required = [] } = resolve(document, schema)
  const optionalNames = Object.keys(properties).filter((field) => !required.includes(field))
  const without = (body: Json, field: string) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
  const attempts: ((body: Json) => Json)[] = [
    (body) => leastOf(document, schema, body),
    (body) => body,
    ...optionalNames.map((field) => (body: Json) => without(body, field)),
  ]
  const faults: string[] = []
  for (const [index, change] of attempts.entries()) {
    const input = index === 0 ? full : await caller.input()
    const sent = change(input.body)
    const answer = await caller.call({ ...input, body: sent })
    if (answer.status >= 300) continue
    const where = endpoint.id
    const records = recordsOf(answer)
    faults.push(...wrongDefaults({ document, counted }, schema, { sent, records, where }))
    if (index === 0) break
  }
  return faults
}

const bodiesOf = (endpoints: readonly Endpoint[]) =>
  endpoints.filter(({ method, body }) => body && (method === 'POST' || method === 'PUT'))

test('an omitted field of the Store API has the value that the document states', {
  timeout: 120_000,
}, async () => {
  const counted = { fields: 0 }
  const faults: string[] = []
  for (const endpoint of bodiesOf(storeEndpoints)) {
    const caller: Caller = {
      api: 'store',
      input: () => prepare(tradepost, endpoint),
      call: (input) => send(tradepost, endpoint, input),
    }
    faults.push(...(await compareDefaults(endpoint, caller, counted)))
  }
  expect(counted.fields).toBeGreaterThan(100)
  expect(faults).toEqual([])
})

test('an omitted field of the Client Security API has the value that the document states', {
  timeout: 120_000,
}, async () => {
  const counted = { fields: 0 }
  const faults: string[] = []
  for (const endpoint of bodiesOf(securityEndpoints)) {
    const prepareCall = preparedCalls[endpoint.id]
    if (!prepareCall) continue
    const caller: Caller = {
      api: 'security',
      input: () => prepareCall(seller),
      call: (input) => callEndpoint(seller, endpoint, input),
    }
    faults.push(...(await compareDefaults(endpoint, caller, counted)))
  }
  expect(counted.fields).toBeGreaterThan(30)
  expect(faults).toEqual([])
})
