import { runAtOnce, type Steps } from '../../kernel/slices.ts'
import type { Endpoint } from '../endpoint.ts'
import { ERROR_EXAMPLES, ERROR_SCHEMA } from './errors.ts'
import { nameSchemas, type Samples } from './name-schemas.ts'
import { IDEMPOTENCY_KEY, operationOf, pathOf, SECURITY_SCHEMES, tagOf } from './operations.ts'
import type { SchemaMap } from './resolve.ts'
import { answerOf, HEADERS } from './responses.ts'
import { type Json, openSchemaRegistry, type Use } from './schemas.ts'
import { EVENTS_TAG } from './tags.ts'
import {
  EVENT_PARAMETERS,
  EVENT_SCHEMA,
  EVENT_TYPE,
  type EventPayload,
  eventTypeSchema,
  webhooksOf,
} from './webhooks.ts'

export interface OpenApiOptions {
  /** The base URL, including `/v1`. */
  serverUrl: string
  version: string
  /** The public event types, with a description of each. */
  events: Record<string, string>
  /** The shapes of `data.object`, for the types that have one. */
  payloads?: Partial<Record<string, EventPayload>>
  /** The recorded calls that become the examples. */
  samples?: Samples
}

const DESCRIPTION = `Run an online store from your own systems.

- **Calls** carry two headers: \`x-api-key\` and \`x-store-hash\`. Each operation names the permission that the key needs.
- **Bodies** are JSON in UTF-8, at most 1 MiB and 50,000 values, and must arrive within 60 s. An unknown field is refused; an unknown query parameter is ignored.
- **Answers** have \`success\`. A refusal has a \`code\` for programs, an \`error\` for people and a \`request_id\` for support. In addition to the refusals listed with each operation, any call can return 405 \`METHOD_NOT_ALLOWED\`, 431 \`HEADERS_TOO_LARGE\`, and 408 for a body that arrives too slowly. A call that takes no body refuses a body with 400, 413, 415 or 422.
- **Money** is an integer in minor units: 1999 is 19.99. Events use decimals in major units instead.
- **Times** are ISO 8601 in UTC with milliseconds, such as \`2026-01-31T09:30:00.000Z\`.
- **Null** means that there is no value. In a PATCH an omitted field keeps its value, and null clears it.
- **Lists** take \`limit\` and \`offset\`, and answer with \`pagination\`.
- **Repeating a POST** is safe with an \`Idempotency-Key\`: the first answer is kept for 24 hours.
- **Limits**: 300 calls a minute for each key, and the plan's calls a month for each store.`

/** Prints the OpenAPI 3.1 document of the Store API from the endpoints that the router uses. */
export const printOpenApi = (endpoints: readonly Endpoint[], options: OpenApiOptions): Json =>
  runAtOnce(openApiSteps(endpoints, options))

/** Prints the document in steps, because printing it at once would block all calls for a second. */
export function* openApiSteps(
  endpoints: readonly Endpoint[],
  options: OpenApiOptions,
): Steps<Json> {
  const { events, payloads = {}, samples } = options
  const registry = yield* openSchemaRegistry(usesOf(endpoints, payloads))
  const responses: Json = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint)
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, registry, responses),
    }
    yield
  }
  const webhooks = webhooksOf(events, payloads, registry)
  const schemas = yield* nameSchemas(paths, registry.components as SchemaMap, samples)
  const components = {
    schemas: {
      ...schemas,
      // The client is printed without the descriptions of events, and has the types from the shapes.
      [EVENT_TYPE]: { ...eventTypeSchema(Object.keys(events)), ...schemas[EVENT_TYPE] },
      Error: ERROR_SCHEMA,
      Event: EVENT_SCHEMA,
    },
    responses,
    parameters: { 'Idempotency-Key': IDEMPOTENCY_KEY, ...EVENT_PARAMETERS },
    examples: ERROR_EXAMPLES,
    headers: HEADERS,
  }
  const tags = [
    ...new Set(endpoints.map(tagOf)),
    ...(Object.keys(events).length > 0 ? [EVENTS_TAG] : []),
  ]
  return {
    ...documentStart('Tradepost Store API', DESCRIPTION, options),
    tags,
    paths,
    webhooks,
    components: {
      ...referencedOf(components, { paths, webhooks }),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** Returns the first fields of a document. The contact is the reference page of the installation. */
export const documentStart = (
  title: string,
  description: string,
  { serverUrl, version }: Pick<OpenApiOptions, 'serverUrl' | 'version'>,
): Json => ({
  openapi: '3.1.1',
  info: {
    title,
    version,
    description,
    contact: {
      name: 'Reference of this installation',
      url: `${serverUrl.replace(/\/(?:security\/)?v1$/, '')}/docs`,
    },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: serverUrl, description: 'This installation.' }],
})

/** Returns every shape in the document. */
function usesOf(endpoints: readonly Endpoint[], payloads: OpenApiOptions['payloads'] = {}): Use[] {
  return [
    ...endpoints.flatMap(usesOfEndpoint),
    ...Object.values(payloads).flatMap((item): Use[] =>
      item ? [{ shape: item.schema, form: 'answer' }] : [],
    ),
  ]
}

/** Returns the shapes of an endpoint: those of its requests, and its answer. */
export const usesOfEndpoint = (endpoint: EndpointShapes): Use[] => [
  ...[endpoint.params, endpoint.query, endpoint.body].flatMap((shape): Use[] =>
    shape ? [{ shape, form: 'request' }] : [],
  ),
  { shape: answerOf(endpoint), form: 'answer' },
]

type EndpointShapes = Pick<Endpoint, 'params' | 'query' | 'body' | 'response'>

/** Returns the components that the document refers to, directly or through other components. */
function referencedOf(components: Record<string, Json>, document: Json): Json {
  const referencedNames = new Set<string>()
  const queue: unknown[] = [document]
  for (const part of queue) {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (referencedNames.has(`${kind}/${name}`)) continue
      referencedNames.add(`${kind}/${name}`)
      queue.push(components[kind]?.[name])
    }
  }
  const kinds = Object.entries(components).map(([kind, definitions]) => {
    const referenced = Object.entries(definitions).filter(([name]) =>
      referencedNames.has(`${kind}/${name}`),
    )
    return [kind, Object.fromEntries(referenced)] as const
  })
  return Object.fromEntries(kinds.filter(([, referenced]) => Object.keys(referenced).length > 0))
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g
