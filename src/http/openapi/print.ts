import type { Endpoint } from '../endpoint.ts'
import { ERROR_EXAMPLES, ERROR_SCHEMA } from './errors.ts'
import { nameSchemas } from './name-schemas.ts'
import { IDEMPOTENCY_KEY, operationOf, pathOf, SECURITY_SCHEMES, tagOf } from './operations.ts'
import type { Shapes } from './resolve.ts'
import { answerOf, HEADERS } from './responses.ts'
import { type Json, openSchemaRegistry, type Use } from './schemas.ts'
import { EVENTS_TAG } from './tags.ts'
import { EVENT_PARAMETERS, type EventPayload, eventSchema, webhooksOf } from './webhooks.ts'

export interface OpenApiOptions {
  /** The base URL, including `/v1`. */
  serverUrl: string
  version: string
  /** The public event types, with a description of each. */
  events: Record<string, string>
  /** The shapes of `data.object`, for the types that have one. */
  payloads?: Partial<Record<string, EventPayload>>
}

const DESCRIPTION = `Run an online store from your own systems.

- **Calls** carry two headers: \`x-api-key\` and \`x-store-hash\`. Each operation names the permission that the key needs.
- **Bodies** are JSON in UTF-8, at most 1 MiB and 50,000 values, and must arrive within 60 s. An unknown field is refused; an unknown query parameter is ignored.
- **Answers** have \`success\`. A refusal has a \`code\` for programs, an \`error\` for people and a \`request_id\` for support. In addition to the refusals listed with each operation, any call can return 405 \`METHOD_NOT_ALLOWED\`, 431 \`HEADERS_TOO_LARGE\`, and 408 for a body that arrives too slowly. A call that takes no body refuses one with 400, 413, 415 or 422.
- **Money** is an integer in minor units: 1999 is 19.99. Events use decimals in major units instead.
- **Moments** are ISO 8601 in UTC with milliseconds, such as \`2026-01-31T09:30:00.000Z\`.
- ***Null** means that there is no value. In a PATCH a field that you leave out keeps its value, and null clears it.
- **Lists** take \`limit\` and \`offset\`, and answer with \`pagination\`.
- **Repeating a POST** is safe with an \`Idempotency-Key\`: the first answer is kept for 24 hours.
- **Limits**: 300 calls a minute for each key, and the plan's calls a month for each store.`

/** The Store API as an OpenAPI 3.1 document, printed from the endpoints that the router uses. */
export function printOpenApi(endpoints: readonly Endpoint[], options: OpenApiOptions): Json {
  const { serverUrl, version, events, payloads = {} } = options
  const book = openSchemaRegistry(usesOf(endpoints, payloads))
  const responses: Json = {}
  const paths: Record<string, Json> = {}
  for (const e of endpoints) {
    const path = pathOf(e)
    paths[path] = { ...paths[path], [e.method.toLowerCase()]: operationOf(e, book, responses) }
  }
  const webhooks = webhooksOf(events, payloads, book)
  const schemas = nameSchemas(paths, book.components as Shapes)
  const components = {
    schemas: { ...schemas, Error: ERROR_SCHEMA, Event: eventSchema(Object.keys(events)) },
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
    openapi: '3.1.1',
    info: {
      title: 'Tradepost Store API',
      version,
      description: DESCRIPTION,
      contact: contactOf(serverUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This installation.' }],
    tags,
    paths,
    webhooks,
    components: { ...usedOf(components, { paths, webhooks }), securitySchemes: SECURITY_SCHEMES },
  }
}

/** The installation answers for itself: its reference page. */
export const contactOf = (serverUrl: string): Json => ({
  name: 'Reference of this installation',
  url: `${serverUrl.replace(/\/(?:security\/)?v1$/, '')}/docs`,
})

/** Every shape in the document. */
function usesOf(endpoints: readonly Endpoint[], payloads: OpenApiOptions['payloads'] = {}): Use[] {
  return [
    ...endpoints.flatMap((e): Use[] => [
      ...[e.params, e.query, e.body].flatMap((shape) =>
        shape ? [{ shape, form: 'request' as const }] : [],
      ),
      { shape: answerOf(e), form: 'answer' },
    ]),
    ...Object.values(payloads).flatMap((item): Use[] =>
      item ? [{ shape: item.schema, form: 'answer' }] : [],
    ),
  ]
}

/** The components referenced by the document, directly or through other components. */
function usedOf(components: Record<string, Json>, document: Json): Json {
  const used = new Set<string>()
  const queue: unknown[] = [document]
  for (const part of queue) {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      queue.push(components[kind]?.[name])
    }
  }
  const kinds = Object.entries(components).map(([kind, all]) => {
    const kept = Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))
    return [kind, Object.fromEntries(kept)] as const
  })
  return Object.fromEntries(kinds.filter(([, kept]) => Object.keys(kept).length > 0))
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g
