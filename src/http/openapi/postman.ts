import type { Json } from './schemas.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

interface Parameter {
  $ref?: string
  name: string
  in: string
  required: boolean
  description?: string
  schema: Json
}

interface Operation {
  tags: string[]
  operationId: string
  summary: string
  description: string
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> }
}

interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, { type: string; name?: string }>
    parameters?: Record<string, Parameter>
  }
}

/**
 * Prints an OpenAPI document as a collection of Postman, version 2.1: a folder for each tag, and a request for each
 * operation. Addresses and keys are variables, so that a collection can be shared.
 */
export function postmanOf(printedDocument: Json): Json {
  const document = printedDocument as unknown as OpenApiDocument
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: requestOf(document, { path, method: method.toUpperCase(), operation }),
    })),
  )
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description: description ?? '',
    item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
  }))
  const { title, version, description } = document.info
  return {
    info: { name: `${title} ${version}`, description, schema: SCHEMA },
    // The tag of events has no operations.
    item: folders.filter(({ item }) => item.length > 0),
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url ?? '' },
      ...credentialsOf(document).map((key) => ({ key, value: '' })),
    ],
  }
}

interface OperationAt {
  path: string
  method: string
  operation: Operation
}

function requestOf(document: OpenApiDocument, { path, method, operation }: OperationAt): Json {
  const parameters = (operation.parameters ?? []).map(
    (item) => document.components.parameters?.[item.$ref?.split('/').at(-1) ?? ''] ?? item,
  )
  const namedIn = (position: string) => parameters.filter((item) => item.in === position)
  const segments = path.slice(1).split('/')
  const query = namedIn('query').map((item) => ({ ...fieldOf(item), disabled: !item.required }))
  const json = operation.requestBody?.content['application/json']
  return {
    name: operation.summary,
    id: operation.operationId,
    request: {
      method,
      description: operation.description,
      auth: { type: 'noauth' },
      header: [
        ...credentialHeaders(document, operation),
        ...namedIn('header').map((item) => ({ ...fieldOf(item), disabled: !item.required })),
        ...(json ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.map(segmentOf).join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments.map(segmentOf),
        query,
        variable: namedIn('path').map(fieldOf),
      },
      ...(json && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(json.example ?? {}, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  }
}

/** `{id}` is `:id` in Postman. */
const segmentOf = (segment: string): string => segment.replace(/^\{(.*)\}$/, ':$1')

const fieldOf = ({ name, description, schema }: Parameter) => ({
  key: name,
  value: String(schema.default ?? ''),
  description: description ?? '',
})

/** The headers of the first credentials that an operation accepts; the others are former names. */
function credentialHeaders({ components }: OpenApiDocument, { security }: Operation): Json[] {
  const schemes = Object.keys(security.find((item) => Object.keys(item).length > 0) ?? {})
  return schemes.map((scheme) => {
    const { type, name = '' } = components.securitySchemes[scheme] ?? { type: '' }
    const variable = `{{${variableOf(scheme)}}}`
    return type === 'http'
      ? { key: 'Authorization', value: `Bearer ${variable}` }
      : { key: name, value: variable }
  })
}

const variableOf = (scheme: string): string => scheme[0]?.toLowerCase() + scheme.slice(1)

/** Returns the names of the variables of all credentials that operations use. */
function credentialsOf(document: OpenApiDocument): string[] {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const headers = operations.flatMap((operation) => credentialHeaders(document, operation))
  const variables = headers.map(({ value }) => String(value).replace(/^.*\{\{|\}\}$/g, ''))
  return [...new Set(variables)]
}
