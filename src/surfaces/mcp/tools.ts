import type { Endpoint } from '../../http/endpoint.ts'
import type { Json } from '../../http/openapi/schemas.ts'

/** A tool of the Model Context Protocol: an operation of the Store API with the schema of its input. */
export interface Tool {
  endpoint: Endpoint
  /** The tool as `tools/list` shows it. */
  definition: { name: string } & Json
  pathNames: readonly string[]
  queryNames: readonly string[]
  hasBody: boolean
}

/** The request of a call of a tool. */
interface ToolRequest {
  method: Endpoint['method']
  /** The path in the Store API, with its query. */
  path: string
  body: string | undefined
  idempotencyKey: string | undefined
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Json
}

const IDEMPOTENCY_ARGUMENT = 'idempotency_key'
/** Less than the limit of a request line with its headers. */
const PATH_MAX = 8_000
const COMPONENTS = '#/components/schemas/'
const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g

/** Many clients accept only letters, digits, `_` and `-` in the name of a tool. */
const toolName = ({ id }: Pick<Endpoint, 'id'>): string => id.replace('.', '_')

export const isReadOnly = ({ method }: Pick<Endpoint, 'method'>): boolean => method === 'GET'

/** Prints a tool for each endpoint from the OpenAPI document. */
export function toolsOf(endpoints: readonly Endpoint[], document: Json): Map<string, Tool> {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Json>>
    components: { schemas: Record<string, Json> }
  }
  const operations = new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => [operation.operationId, operation] as const),
    ),
  )
  const tools = endpoints.map((endpoint) =>
    toolOf(endpoint, operations.get(endpoint.id) ?? {}, components.schemas),
  )
  return new Map(tools.map((tool) => [tool.definition.name, tool]))
}

function toolOf(endpoint: Endpoint, operation: Json, schemas: Record<string, Json>): Tool {
  const { parameters = [], requestBody } = operation as {
    parameters?: Parameter[]
    requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  }
  const inputs = parameters.filter((item) => item.in === 'path' || item.in === 'query')
  const body = requestBody?.content['application/json']?.schema
  const properties: Record<string, Json> = Object.fromEntries(
    inputs.map(({ name, description, schema }) => [name, { ...schema, description }]),
  )
  if (body) properties.body = body
  if (endpoint.method === 'POST') properties[IDEMPOTENCY_ARGUMENT] = IDEMPOTENCY_SCHEMA
  const required = inputs.filter((item) => item.required).map(({ name }) => name)
  if (body && requestBody?.required) required.push('body')
  const inputSchema = { type: 'object', properties, required, additionalProperties: false }
  const namesIn = (position: string) =>
    inputs.filter((item) => item.in === position).map(({ name }) => name)
  return {
    endpoint,
    pathNames: namesIn('path'),
    queryNames: namesIn('query'),
    hasBody: body !== undefined,
    definition: {
      name: toolName(endpoint),
      title: endpoint.summary,
      description: `${endpoint.summary}\n\n${operation.description}`,
      inputSchema: withDefinitions(inputSchema, schemas),
      annotations: annotationsOf(endpoint),
    },
  }
}

const IDEMPOTENCY_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'A text of your choice. A repeated call with it changes nothing.',
}

const annotationsOf = ({ method }: Endpoint): Json => ({
  readOnlyHint: method === 'GET',
  destructiveHint: method === 'DELETE',
  idempotentHint: method !== 'POST',
  openWorldHint: false,
})

/** Adds the components to which a schema refers, also through others, because a tool has no document. */
function withDefinitions(schema: Json, schemas: Record<string, Json>): Json {
  const names = new Set<string>()
  const queue: unknown[] = [schema]
  for (const part of queue) {
    for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (names.has(name)) continue
      names.add(name)
      queue.push(schemas[name])
    }
  }
  const $defs = Object.fromEntries([...names].map((name) => [name, schemas[name]]))
  const whole = names.size === 0 ? schema : { ...schema, $defs }
  return JSON.parse(JSON.stringify(whole).replaceAll(`"${COMPONENTS}`, '"#/$defs/'))
}

/** Returns the request of a call, or the sentence that says what is wrong with its arguments. */
export function requestOf(tool: Tool, args: Record<string, unknown>): ToolRequest | string {
  const { endpoint, pathNames, queryNames, hasBody } = tool
  const names = [...pathNames, ...queryNames, ...(hasBody ? ['body'] : [])]
  if (endpoint.method === 'POST') names.push(IDEMPOTENCY_ARGUMENT)
  const unknownName = Object.keys(args).find((name) => !names.includes(name))
  if (unknownName !== undefined)
    return `${unknownName.slice(0, 100)}: this tool has no such argument. It has: ${names.join(', ') || 'none'}.`
  const missingName = pathNames.find((name) => args[name] === undefined)
  if (missingName !== undefined) return `${missingName}: this argument is missing.`
  const invalidId = pathNames.find((name) => !isId(args[name]))
  if (invalidId !== undefined) return `${invalidId}: write an id, which is a text or a number.`
  const texts = [...queryNames, IDEMPOTENCY_ARGUMENT]
  const invalidName = texts.find((name) => !isPlain(args[name]))
  if (invalidName !== undefined)
    return `${invalidName}: write a text, a number, true, false, or a list of these.`
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(args[name])))
  const query = new URLSearchParams(
    queryNames
      .filter((name) => args[name] !== undefined)
      .map((name): [string, string] => [name, String(args[name])]),
  )
  if (path.length + query.toString().length > PATH_MAX)
    return `The ids and parameters may have at most ${PATH_MAX} characters in all.`
  const key = args[IDEMPOTENCY_ARGUMENT]
  return {
    method: endpoint.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    body: hasBody && args.body !== undefined ? JSON.stringify(args.body) : undefined,
    idempotencyKey: key === undefined ? undefined : String(key),
  }
}

/** Returns true for an id. A path with one or two dots in its place would lead to another operation. */
const isId = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '.' && value !== '..')

/** Returns true for a value that a query can have. A list becomes a text with commas. */
const isPlain = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((item) => typeof item !== 'object')
    : value === undefined || typeof value !== 'object'
