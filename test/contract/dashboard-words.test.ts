import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { userEndpoints } from '../../src/features/installation/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { dashboardEndpoints } from '../../src/surfaces/dashboard/dashboard-api.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'

// The dashboard has words in each of its languages for the codes that the server sends.

const ENDPOINTS = [
  ...storeEndpoints,
  ...securityEndpoints,
  ...dashboardEndpoints,
  ...userEndpoints,
] as readonly Endpoint[]

type Texts = Readonly<Record<string, string>>

/** Imports a module of the dashboard, which reads the language of the browser when it is loaded. */
async function importFrom(path: string): Promise<Record<string, unknown>> {
  return import(new URL(`../../dashboard/src/${path}`, import.meta.url).href)
}

let apiWords: Texts
let reasons: Texts
let ledger: Texts
let recordFields: Texts
let auditRecords: Texts
let actionText: (action: string) => string | undefined
let labelOfPath: (path: string) => string | undefined

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('navigator', { languages: ['en'] })
  vi.stubGlobal('document', { documentElement: {} })
  apiWords = (await importFrom('text/api-words.ts')).apiWords as Texts
  reasons = (await importFrom('text/reasons.ts')).reasons as Texts
  ledger = (await importFrom('text/ledger.ts')).ledger as Texts
  recordFields = (await importFrom('text/record-fields.ts')).recordFields as Texts
  auditRecords = (await importFrom('text/audit-records.ts')).auditRecords as Texts
  actionText = (await importFrom('kit/audit-words.ts')).auditActionText as typeof actionText
  labelOfPath = (await importFrom('kit/field-label.tsx')).labelOfPath as typeof labelOfPath
  return () => vi.unstubAllGlobals()
})

/** The sources of the server, without its tests. */
const sources = readdirSync(new URL('../../src', import.meta.url), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(`../../src/${name}`, import.meta.url), 'utf8'))

/** The codes of a kind that the sources write as `name: 'code'`. */
const writtenCodes = (pattern: RegExp): string[] =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code))

const auditOf = (endpoint: Endpoint) => (typeof endpoint.audit === 'object' ? [endpoint.audit] : [])

const without = (words: Iterable<string>, isKnown: (word: string) => boolean): string[] =>
  [...new Set(words)].filter((word) => !isKnown(word)).sort()

describe('the audit trail of the dashboard has words for', () => {
  test('every action', () => {
    const actions = [
      ...ENDPOINTS.flatMap(auditOf).map(({ action }) => action),
      ...writtenCodes(/\baction(?:: | = )'([a-z_]+\.[a-z_]+)'/g),
      ...writtenCodes(/'(device\.[a-z_]+)'\n/g),
      ...['ban', 'unban', 'delete', 'extend', 'reset'].map((verb) => `license_key.${verb}`),
    ]
    expect(actions.length).toBeGreaterThan(200)
    // Without an entry the code would be shown as its own words.
    const asItsOwnWords = (action: string) => action.replace(/[._]/g, ' ')
    expect(
      without(actions, (action) => actionText(action)?.toLowerCase() !== asItsOwnWords(action)),
    ).toEqual([])
  })

  test('every kind of record', () => {
    const objects = ENDPOINTS.flatMap(auditOf).map(({ object }) => object)
    expect(without(objects, (object) => Object.hasOwn(auditRecords, object))).toEqual([])
  })

  test('every field that a change can set', () => {
    const fields = ENDPOINTS.filter((endpoint) => auditOf(endpoint).length > 0).flatMap(
      ({ body }) => Object.keys((body as { shape?: object } | undefined)?.shape ?? {}),
    )
    expect(fields.length).toBeGreaterThan(200)
    expect(without(fields, (field) => Object.hasOwn(recordFields, field))).toEqual([])
  })
})

/** The fields of answers whose values the dashboard shows as words. */
const WORD_FIELD =
  /^(\w*status|source|author|ended_reason|reason|billing_cycle|payment_method|stock_mode|visibility|product_kind|delivery_type|role|plan|upload_state)$/
/** Values with texts of their own. */
const OWN_TEXTS: ReadonlySet<string> = new Set([
  // The reasons for which a coupon does not apply, and those of refused requests to customers' servers.
  ...['not_found', 'not_started', 'max_uses', 'max_uses_per_customer', 'min_order'],
  ...['not_applicable', 'email_not_allowed'],
])

interface JsonSchema {
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  [key: string]: unknown
}

/** Collects the words of the fields that are shown as words, in a schema and in its parts. */
function collectWords(schema: unknown, isWord: boolean, words: Set<string>, seen = new Set()) {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
  seen.add(schema)
  const { enum: values = [], const: value, properties = {}, ...parts } = schema as JsonSchema
  if (isWord) {
    for (const word of [...values, value]) if (typeof word === 'string') words.add(word)
  }
  for (const [name, part] of Object.entries(properties)) {
    collectWords(part, WORD_FIELD.test(name), words, seen)
  }
  for (const part of Object.values(parts)) collectWords(part, isWord, words, seen)
}

/** Collects the paths of the fields in a schema, with `*` for a key of a record. */
function collectPaths(schema: unknown, root: JsonSchema, path: string, paths: Set<string>) {
  const collectPart = (name: string, part: unknown) => {
    const partPath = path === '' ? name : `${path}.${name}`
    paths.add(partPath)
    collectPaths(part, root, partPath, paths)
  }
  const { properties = {}, items, additionalProperties, $ref, ...parts } = Object(schema)
  for (const [name, part] of Object.entries(properties)) collectPart(name, part)
  if (typeof additionalProperties === 'object') collectPart('*', additionalProperties)
  if (items) collectPaths(items, root, `${path}[0]`, paths)
  if ($ref) collectPaths(Object(root.$defs)[$ref.replace('#/$defs/', '')], root, path, paths)
  for (const part of [parts.anyOf, parts.oneOf, parts.allOf].flat())
    if (part) collectPaths(part, root, path, paths)
}

test('a refusal has a label for every field of a body, or that of its record', () => {
  const paths = new Set<string>()
  for (const { body } of ENDPOINTS) {
    if (body === undefined) continue
    const options = { unrepresentable: 'any', io: 'input' } as const
    const schema = z.toJSONSchema(body as z.ZodType, options)
    collectPaths(schema, schema as JsonSchema, '', paths)
  }
  expect(paths.size).toBeGreaterThan(300)
  expect(paths).toContain('regions.*')
  // A body that is a record itself has no name.
  const isLabelled = (path: string) => path === '*' || labelOfPath(path) !== undefined
  expect(without(paths, isLabelled)).toEqual([])
  const labels = ['duration_seconds', 'regions.XXXX', 'items[2].quantity'].map(labelOfPath)
  expect(labels).toEqual(['Duration in seconds', 'Regions', 'Quantity'])
})

test('the dashboard has words for every state, kind and reason in answers', () => {
  const words = new Set<string>()
  for (const { response } of ENDPOINTS) {
    const options = { unrepresentable: 'any', reused: 'inline' } as const
    collectWords(z.toJSONSchema(response as z.ZodType, options), false, words)
  }
  expect(words.size).toBeGreaterThan(80)
  const isKnown = (word: string) =>
    [apiWords, reasons, ledger].some((texts) => Object.hasOwn(texts, word)) || OWN_TEXTS.has(word)
  expect(without(words, isKnown)).toEqual([])
})
