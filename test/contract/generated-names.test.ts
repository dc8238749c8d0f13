import { describe, expect, test } from 'vitest'
import { openDocuments } from '../../src/surfaces/documents.ts'
import type { Json } from '../harness.ts'

// Code generators derive names of types, functions and files from both OpenAPI documents. No two may be equal.

const documents = openDocuments('0.0.0', 'https://shop.example.com/v1')

const pascal = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_, letter: string) => letter.toUpperCase())

/** Files of some systems and modules of Python do not distinguish letter case and word boundaries. */
const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** A name that a generator derives, and the part of the document from which it does. */
type Derived = [name: string, source: string]

/** The types that the generated code itself has, whatever the document. */
const OWN_NAMES =
  'ApiClient ApiException ApiResponse BaseApi BaseModel ClientUtils Configuration FetchError GenericOpenApiError HeaderSelector HttpFile MappedNullable ModelInterface ObjectSerializer RequestContext RequiredError ResponseContext ResponseError ServerConfiguration'.split(
    ' ',
  )

/** Returns the names for a schema without a name of its own, and for the schemas in it. */
function* inlineNames(name: string, schema: Json): Generator<Derived> {
  for (const [property, value] of Object.entries<Json>(schema.properties ?? {})) {
    const fieldName = name + pascal(property)
    yield* namesOf(fieldName, value)
    if (value.enum) yield [`${fieldName}Enum`, `field ${fieldName}`]
  }
  if (schema.items) yield* namesOf(`${name}Inner`, schema.items)
  if (typeof schema.additionalProperties === 'object')
    yield* namesOf(`${name}Value`, schema.additionalProperties)
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const part of schema[keyword] ?? []) yield* inlineNames(name + pascal(keyword), part)
  }
}

function* namesOf(name: string, schema: Json): Generator<Derived> {
  if (schema.properties) yield* typeNames(name, `field ${name}`)
  if (schema.enum) yield [name, `field ${name}`]
  yield* inlineNames(name, schema)
}

/** Returns the names for a type. Go has constructors, and types of values that may be null. */
/** Returns the values of a schema that lists them, itself or by the schemas that it may be. */
function valuesOf(schema: Json, schemas: Json): [value: string, name: string][] {
  const { $ref, anyOf, enum: values = [], const: constant, 'x-enum-varnames': names } = schema
  if (anyOf) return anyOf.flatMap((part: Json) => valuesOf(part, schemas))
  if ($ref)
    return valuesOf({ ...schemas[$ref.split('/').at(-1)], 'x-enum-varnames': undefined }, schemas)
  const texts = (constant === undefined ? values : [constant]).filter(
    (value: unknown) => typeof value === 'string',
  )
  return texts.map((text: string, index: number) => [text, names?.[index] ?? text])
}

function* typeNames(name: string, source: string): Generator<Derived> {
  for (const form of ['', 'New', 'Nullable', 'NewNullable']) yield [form + name, source]
  yield [`New${name}WithDefaults`, source]
}

/** Returns the names for the input and the answers of an operation. */
function* operationNames({ operationId, parameters = [] }: Json): Generator<Derived> {
  const name = pascal(operationId)
  const source = `operation ${operationId}`
  for (const end of ['Data', 'Request', 'Response', 'Responses', 'Error', 'Errors', 'ApiResponse'])
    yield [name + end, source]
  yield [`Api${name}Request`, source]
  for (const { name: parameter, schema } of parameters)
    if (schema?.enum ?? schema?.items?.enum) yield [`${name}${pascal(parameter)}Enum`, source]
}

function* schemaNames(schemas: Json): Generator<Derived> {
  for (const [name, schema] of Object.entries<Json>(schemas)) {
    yield* typeNames(name, `schema ${name}`)
    yield* inlineNames(name, schema)
    // In Go a constant of a named type has the name of its value alone.
    for (const [, constant] of valuesOf(schema, schemas))
      if (pascal(constant)) yield [`constant ${constant}`, `values of ${name}`]
  }
}

const operationsOf = (paths: Json): Json[] =>
  Object.values<Json>(paths).flatMap((methods) => Object.values<Json>(methods))

function* derivedNames({ components, paths, webhooks = {}, tags }: Json): Generator<Derived> {
  for (const name of OWN_NAMES) yield [name, 'the generator']
  yield* schemaNames(components.schemas)
  for (const operation of operationsOf({ ...paths, ...webhooks }))
    if (operation.operationId) yield* operationNames(operation)
  for (const { name } of tags) {
    for (const end of ['Api', 'ApiService', 'ApiInterface'])
      yield [pascal(name) + end, `area ${name}`]
  }
}

/** Returns the names that a generator would declare twice, with their sources. */
function doublesIn(document: Json): string[] {
  const sources = new Map<string, Set<string>>()
  for (const [name, source] of derivedNames(document)) {
    const named = sources.get(folded(name)) ?? new Set()
    sources.set(folded(name), named.add(source))
  }
  return [...sources]
    .filter(([, named]) => named.size > 1)
    .map(([name, named]) => `${name}: ${[...named].join(', ')}`)
}

describe.each(['store', 'security'] as const)('the document of the %s API', (api) => {
  test('has no names from which a generator would derive the same name twice', async () => {
    expect(doublesIn(await documents[api]())).toEqual([])
  })

  test('has unique ids of operations and names of parameters, also without case and separators', async () => {
    const { paths } = (await documents[api]()) as Json
    const operations = operationsOf(paths)
    const ids = operations.map(({ operationId }) => folded(operationId))
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const { operationId, parameters = [] } of operations) {
      const names = parameters.map(({ name = '' }: Json) => folded(name))
      expect([operationId, new Set(names).size]).toEqual([operationId, names.length])
    }
  })

  test('has 64 bits for each integer that may not fit into 32', async () => {
    const document = JSON.stringify(await documents[api](), (key, value) =>
      key.startsWith('example') ? undefined : value,
    )
    const narrow: Json[] = []
    JSON.parse(document, (_, value) => {
      const isInteger = [value?.type].flat().includes('integer')
      if (isInteger && value.format !== 'int64' && !(value.maximum < 2 ** 31)) narrow.push(value)
      return value
    })
    expect(narrow).toEqual([])
  })

  test('has no boolean with one value, for which one generator writes Java that does not compile', async () => {
    const document = JSON.stringify(await documents[api]())
    expect(document).not.toMatch(/"const":(true|false)/)
  })

  test('names the form first where a body may be a form, because some generators support only the first type', async () => {
    const { paths } = (await documents[api]()) as Json
    const types = operationsOf(paths)
      .map(({ requestBody }) => Object.keys(requestBody?.content ?? {}))
      .filter((names) => names.includes('multipart/form-data'))
    expect(types.length).toBeGreaterThan(0)
    expect(new Set(types.map(([first]) => first))).toEqual(new Set(['multipart/form-data']))
  })
})

test('the document of the Store API names the types in Python of what events carry, which one generator would leave out', async () => {
  const { webhooks, components } = (await documents.store()) as Json
  const events = Object.values<Json>(webhooks).map(({ post }) => post)
  expect(events.length).toBeGreaterThan(0)
  const types = events.map(({ parameters, requestBody }) => [
    ...parameters.map(({ $ref }: Json) => components.parameters[$ref.split('/').at(-1)]),
    requestBody,
  ])
  expect(types.flat().filter((item) => !item['x-py-typing'])).toEqual([])
})

describe('the search for doubles', () => {
  const documentOf = (schemas: Json, paths: Json = {}, tags: Json[] = []) => ({
    components: { schemas },
    paths,
    tags,
  })
  const record = (properties: Json = {}) => ({ type: 'object', properties })
  const operation = (operationId: string) => ({ [`/${operationId}`]: { get: { operationId } } })

  test.each([
    ['a constructor in Go', documentOf({ Address: record(), NewAddress: record() })],
    ['a field', documentOf({ Order: record({ store: record() }), OrderStore: record() })],
    [
      'an item of a list',
      documentOf({ Order: record({ files: { items: record() } }), OrderFilesInner: record() }),
    ],
    ['letter case', documentOf({ SetUp: record(), Setup: record() })],
    [
      'the input of an operation',
      documentOf({ OrdersGetRequest: record() }, operation('orders.get')),
    ],
    [
      'the class of an area',
      documentOf({ Account: record({ api: record() }) }, {}, [{ name: 'Account' }]),
    ],
    ['a type of the generator', documentOf({ Configuration: record() })],
    [
      'a value',
      documentOf({
        Color: { type: 'string', enum: ['red'] },
        Wanted: { anyOf: [{ $ref: '#/components/schemas/Color' }, { const: '*' }] },
      }),
    ],
  ])('finds the name of %s', (_, document) => {
    expect(doublesIn(document).length).toBeGreaterThan(0)
  })

  test('accepts names that stay different', () => {
    const schemas = {
      Address: record(),
      AddressInput: record(),
      Order: record({ store: record() }),
    }
    expect(doublesIn(documentOf(schemas, operation('orders.get'), [{ name: 'Orders' }]))).toEqual(
      [],
    )
  })
})
