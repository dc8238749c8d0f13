import { exampleOf } from '../http/openapi/example.ts'
import { resolve, type SchemaMap } from '../http/openapi/resolve.ts'
import type { Json } from '../http/openapi/schemas.ts'
import { CODES, type Code } from '../kernel/errors.ts'
import type { Steps } from '../kernel/slices.ts'
import { type Field, fieldOf, fieldsOf } from './fields.ts'

type Api = 'store' | 'security'

interface DescribedRefusal {
  status: number
  /** Undefined in the Client Security API, whose refusals have no code. */
  code?: Code
}

export interface BodyForm {
  type: string
  fields: Field[]
  /** The fields of each alternative, if the body is one of several objects. */
  choices: Field[][]
}

export interface Operation {
  api: Api
  id: string
  tag: string
  method: string
  /** The whole path, such as `/v1/orders/{id}`. */
  path: string
  summary: string
  description: string
  /** The required permission, as a sentence. */
  access: string
  /** The credential that a call needs. */
  credential: 'store key' | 'security key' | 'session' | 'none'
  parameters: { path: Field[]; query: Field[]; header: Field[] }
  /** Example values of the path parameters. */
  ids: Record<string, string | number>
  body?: { description: string; required: boolean; forms: BodyForm[]; example: unknown }
  /** `success`, which every answer has, is not among the fields. */
  answer: { status: number; type: string; fields: Field[]; example?: unknown }
  refusals: DescribedRefusal[]
}

export interface Area {
  api: Api
  name: string
  description: string
  /** The path of the page. */
  href: string
  operations: Operation[]
}

export interface EventPage {
  type: string
  summary: string
  fields: Field[]
  sample: unknown
}

/** The data of the reference that does not come from the OpenAPI documents. */
export interface Site {
  version: string
  /** The public URL of this installation, without a trailing slash. */
  publicUrl: string
  /** The path of the public URL; empty if it is the root. */
  base: string
}

export interface ReferenceModel extends Site {
  areas: Area[]
  events: EventPage[]
  headers: Field[]
  /** The meaning of each status of refusals in the Client Security API. */
  statuses: { status: number; meaning: string }[]
  shapes: Record<Api, SchemaMap>
}

export interface Documents {
  store: Json
  security: Json
}

export function siteOf(storeApiUrl: string, version: string): Site {
  const publicUrl = storeApiUrl.replace(/\/v1$/, '')
  return { version, publicUrl, base: new URL(publicUrl).pathname.replace(/\/+$/, '') }
}

/** Reads the model from both OpenAPI documents, and yields after each operation so that requests are served. */
export function* readModel(site: Site, { store, security }: Documents): Steps<ReferenceModel> {
  const storeAreas = yield* areasOf('store', store, '/v1')
  const securityAreas = yield* areasOf('security', security, '/security/v1')
  return {
    ...site,
    areas: [...storeAreas, ...securityAreas],
    events: eventsOf(store),
    headers: headersOf(store),
    statuses: statusesOf(security),
    shapes: { store: shapesOf(store), security: shapesOf(security) },
  }
}

const componentsOf = (document: Json, kind: string) =>
  ((document.components as Json)[kind] ?? {}) as Record<string, Json>
const shapesOf = (document: Json): SchemaMap => componentsOf(document, 'schemas')

const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

function* areasOf(api: Api, document: Json, prefix: string): Steps<Area[]> {
  const operations: Operation[] = []
  const paths = Object.entries(document.paths as Record<string, Record<string, Json>>)
  for (const [relativePath, methods] of paths) {
    for (const [name, operation] of Object.entries(methods)) {
      const [path, method] = [prefix + relativePath, name.toUpperCase()]
      operations.push(operationOf({ api, document, path, method, operation }))
      yield
    }
  }
  return (document.tags as { name: string; description: string }[])
    .map(({ name, description }) => ({
      api,
      name,
      description,
      href: `/docs/${api}/${slugOf(name)}`,
      operations: operations.filter(({ tag }) => tag === name),
    }))
    .filter((area) => area.operations.length > 0)
}

interface OperationSource {
  api: Api
  document: Json
  path: string
  method: string
  operation: Json
}

function operationOf(source: OperationSource): Operation {
  const { api, document, path, method, operation } = source
  const shapes = shapesOf(document)
  const { description, access } = splitAccess(String(operation.description ?? ''))
  const parameters = ((operation.parameters ?? []) as Json[]).map((item) =>
    resolveReference(item, document),
  )
  const parametersIn = (location: string) => parameters.filter((item) => item.in === location)
  const fieldsIn = (location: string) =>
    parametersIn(location).map(({ name, schema, required, description: about }) =>
      fieldOf(String(name), { ...(schema as Json), description: about }, required === true),
    )
  const body = operation.requestBody as Json | undefined
  return {
    api,
    id: String(operation.operationId),
    tag: String((operation.tags as string[])[0]),
    method,
    path,
    summary: String(operation.summary),
    description,
    access,
    credential: credentialOf(api, operation),
    parameters: { path: fieldsIn('path'), query: fieldsIn('query'), header: fieldsIn('header') },
    ids: Object.fromEntries(
      parametersIn('path').map((item) => [String(item.name), exampleIdOf(item, path)]),
    ),
    ...(body && { body: bodyOf(body, shapes) }),
    answer: answerOf(operation, shapes),
    refusals: refusalsOf(api, operation, document),
  }
}

/** Splits the sentence about the required permission from the end of a description. */
function splitAccess(text: string): { description: string; access: string } {
  const start = text.lastIndexOf('Needs the permission')
  return start < 0
    ? { description: text, access: '' }
    : { description: text.slice(0, start).trim(), access: text.slice(start) }
}

function credentialOf(api: Api, { security }: Json): Operation['credential'] {
  if (api === 'store') return 'store key'
  const schemes = ((security ?? []) as Json[]).flatMap(Object.keys)
  if (schemes.includes('Bearer')) return 'security key'
  return schemes.includes('Session') ? 'session' : 'none'
}

function exampleIdOf({ name, schema, example: recorded }: Json, path: string): string | number {
  if (typeof recorded === 'string' || typeof recorded === 'number') return recorded
  const property = schema as Json
  if (property.type === 'integer') return 7
  const isProduct = property.pattern === undefined && path.startsWith('/v1/products')
  if (isProduct && name === 'id') return 'a1B2c3D4e5F6'
  const field = String(name)
  const example = exampleOf({ type: 'object', properties: { [field]: property } }, {}) as Json
  return String(example[field])
}

/** Returns the component to which a reference such as `#/components/parameters/Limit` points. */
function resolveReference(item: Json, document: Json): Json {
  if (typeof item.$ref !== 'string') return item
  const [name = '', kind = ''] = item.$ref.split('/').reverse()
  return componentsOf(document, kind)[name] ?? {}
}

function bodyOf(
  { description = '', required, content }: Json,
  shapes: SchemaMap,
): Operation['body'] {
  const forms = Object.entries(content as Record<string, Json>).map(([type, { schema }]) => {
    const resolvedBody = resolve(schema as Json, shapes)
    const choices = ((resolvedBody.oneOf ?? []) as Json[]).map((choice) => fieldsOf(choice, shapes))
    return { type, fields: fieldsOf(resolvedBody, shapes), choices }
  })
  const json = (content as Record<string, Json>)['application/json']
  return {
    description: String(description),
    required: required === true,
    forms,
    example: json?.example,
  }
}

function answerOf({ responses }: Json, shapes: SchemaMap): Operation['answer'] {
  const [[status, response] = ['200', {}]] = Object.entries(responses as Record<string, Json>)
  const [[type, media] = ['', {}]] = Object.entries(
    (response.content ?? {}) as Record<string, Json>,
  )
  const schema = (media.schema ?? {}) as Json
  const isJson = type === 'application/json'
  return {
    status: Number(status),
    type,
    fields: isJson ? fieldsOf(schema, shapes).filter(({ name }) => name !== 'success') : [],
    ...(isJson && { example: media.example ?? exampleOf(schema, shapes) }),
  }
}

function refusalsOf(api: Api, { responses }: Json, document: Json): DescribedRefusal[] {
  const refusals = Object.entries(responses as Record<string, Json>).filter(
    ([status]) => Number(status) >= 400,
  )
  if (api === 'security') return refusals.map(([status]) => ({ status: Number(status) }))
  return refusals.flatMap(([status, response]) => {
    const content = resolveReference(response, document).content as Record<string, Json>
    const codes = Object.keys((content['application/json']?.examples ?? {}) as Json)
    return codes.map((code) => ({ status: Number(status), code: code as Code }))
  })
}

function eventsOf(document: Json): EventPage[] {
  return Object.entries(document.webhooks as Record<string, { post: Json }>).map(
    ([type, { post }]) => {
      const content = (post.requestBody as Json).content as Record<string, Json>
      const { schema, example } = content['application/json'] ?? {}
      const eventShape = ((schema as Json).allOf as Json[])[1] as { properties: { data?: Json } }
      const data = eventShape.properties.data?.properties as Record<string, Json> | undefined
      return {
        type,
        summary: String(post.summary),
        fields: fieldsOf(data?.object ?? {}, shapesOf(document)),
        sample: example,
      }
    },
  )
}

const headersOf = (document: Json): Field[] =>
  Object.values(componentsOf(document, 'parameters'))
    .filter(({ name }) => String(name).startsWith('Service-'))
    .map(({ name, schema, description }) =>
      fieldOf(String(name), { ...(schema as Json), description }, true),
    )

const statusesOf = (document: Json) =>
  Object.entries(componentsOf(document, 'responses')).map(([name, { description }]) => ({
    status: Number(name.replace(/\D/g, '')),
    meaning: String(description),
  }))

export const ALL_CODES = Object.keys(CODES) as Code[]
