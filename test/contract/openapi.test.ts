import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// The two OpenAPI documents have what code generators need.

const PATHS = { store: '/openapi.json', security: '/security/openapi.json' } as const

let tradepost: Tradepost
const documents = {} as Record<keyof typeof PATHS, Json>

beforeAll(async () => {
  tradepost = await openTradepost()
  for (const [name, url] of Object.entries(PATHS)) {
    const { payload } = await tradepost.server.inject({ method: 'GET', url })
    documents[name as keyof typeof PATHS] = JSON.parse(payload)
  }
})
afterAll(() => tradepost.close())

interface Content {
  where: string
  type: string
  schema: Json
  example?: unknown
}

const operationsOf = ({ paths }: Json): Json[] =>
  Object.values<Json>(paths).flatMap((methods) => Object.values<Json>(methods))

function* contentsOf(document: Json): Generator<Content> {
  for (const { operationId, requestBody, responses } of operationsOf(document)) {
    const parts = [
      ['body', requestBody],
      ...Object.entries<Json>(responses).filter(([status]) => status.startsWith('2')),
    ] as [string, Json | undefined][]
    for (const [part, { content = {} } = {}] of parts) {
      for (const [type, media] of Object.entries<Json>(content)) {
        yield {
          where: `${operationId} ${part}`,
          type,
          ...(media as Omit<Content, 'where' | 'type'>),
        }
      }
    }
  }
}

/** Words that stand for a value and are none. */
const FILLER = /^(text|string|value|example|foo|bar|baz|lorem ipsum.*|[a-z])$/i
/** Fields whose values are words of the API, such as the type of a setting. */
const WORD_FIELD = /^(type|kind|method|payment_method|provider|payment_methods)$/

/** Returns the paths of the texts within an example that are fillers. */
function fillersWithin(value: unknown, where: string, name = ''): string[] {
  if (typeof value === 'string')
    return FILLER.test(value) && !WORD_FIELD.test(name) ? [`${where}: ${value}`] : []
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) =>
    fillersWithin(item, `${where}.${key}`, Array.isArray(value) ? name : key),
  )
}

describe.each(['store', 'security'] as const)('the document of the %s API', (name) => {
  test('has no example whose value is only a filler', () => {
    const fillers = [...contentsOf(documents[name])].flatMap(({ where, example }) =>
      fillersWithin(example, where),
    )
    expect(fillers).toEqual([])
  })

  test('has an example of every successful JSON answer, and every example matches its schema', () => {
    const document = documents[name]
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'document:', ...document })
    const exampleFaults = [...contentsOf(document)].flatMap(({ where, type, schema, example }) => {
      if (type !== 'application/json') return []
      if (example === undefined) return where.endsWith('body') ? [] : `${where} has no example`
      const validate = ajv.compile({ $ref: `document:${schema.$ref}` })
      return validate(example) ? [] : `${where}: ${ajv.errorsText(validate.errors)}`
    })
    expect(exampleFaults).toEqual([])
  })

  test('has a named schema for every body and every answer, so that generators invent no names', () => {
    const unnamed = [...contentsOf(documents[name])].filter(
      ({ schema, type }) => schema.type === 'object' && type !== 'application/octet-stream',
    )
    expect(unnamed.map(({ where }) => where)).toEqual([])
  })

  test('has no schema with the name that generators give to the schema of a field', () => {
    const { schemas } = documents[name].components as Json
    const generatedNames = Object.entries<Json>(schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries<Json>(properties)
        .filter(([, property]) => 'enum' in property || property.type === 'object')
        .map(
          ([property]) =>
            schema + property.replace(/(?:^|_)(\w)/g, (_, c: string) => c.toUpperCase()),
        ),
    )
    expect(Object.keys(schemas).filter((schema) => generatedNames.includes(schema))).toEqual([])
  })

  test('lists the types of events once, so that clients have one type for them', () => {
    const enums: string[][] = []
    JSON.stringify(documents[name], (key, value) => {
      if (key === 'enum' && Array.isArray(value) && value.includes('order.created'))
        enums.push(value)
      return value
    })
    expect(enums).toHaveLength(name === 'store' ? 1 : 0)
  })

  test('has a contact, no fixed idempotency key as an example, and no internal labels', () => {
    const { info, components } = documents[name]
    expect(info.contact.url).toMatch(/\/docs$/)
    expect(JSON.stringify(components.parameters?.['Idempotency-Key'] ?? {})).not.toContain(
      'example',
    )
    const labels = operationsOf(documents[name]).filter(({ summary }) => /^[A-Z]\d+:/.test(summary))
    expect(labels.map(({ operationId }) => operationId)).toEqual([])
  })
})
