import { z } from 'zod'
import type { ClientEndpoint } from '../client-endpoint.ts'
import { type Endpoint, isBodyRequired } from '../endpoint.ts'
import { nameSchemas } from './name-schemas.ts'
import { formOf, IDEMPOTENCY_KEY, parametersIn, pathOf } from './operations.ts'
import { contactOf } from './print.ts'
import type { Shapes } from './resolve.ts'
import { HEADERS, Success } from './responses.ts'
import { type Json, openSchemaRegistry, type SchemaRegistry, type Use } from './schemas.ts'

/** A call that answers with the bytes of a file. */
export type Download = Pick<Endpoint, 'id' | 'path' | 'summary' | 'permission' | 'params'>

export interface SecurityDocument {
  management: readonly Endpoint[]
  downloads: readonly Download[]
  runtime: readonly ClientEndpoint[]
  /** The base URL, including `/security/v1`. */
  serverUrl: string
  version: string
}

const DESCRIPTION = `Protect the programs that you sell: license keys, strings, files and settings that only a licensed program gets, and answers that nobody else can forge.

- **Management** is for your own server. It takes an API key (\`sec_live_…\`, \`sec_test_…\`) with \`client_security:read\` or \`client_security:write\`.
- **Runtime** is for shipped programs, which hold no secret. Every answer to them is signed with the key of their app, whatever its status: see the guide to the Client Security API.
- **Answers** have \`success\`. A refusal has \`success\` and \`error\` and nothing else: programs branch on the status. Quote the header \`x-request-id\` to support.
- **Ids** are integers. A missing record, a record of another store and a malformed id all give the same 404.
- **Versions**: \`If-Match: "3"\` refuses a change with 412 if the record has another \`version\`.
- **Limits**: 300 calls a minute for each API key; the limits for programs are settings of the app.`

const TAGS: Record<string, string> = {
  Apps: 'Your programs, and the keys that sign the answers to them.',
  'License keys': 'Licenses of customers, and the policies that new ones follow.',
  Devices: 'Banned machines and addresses, which cannot start a session.',
  Strings: 'Texts that only a program with a session can read.',
  Files: 'Files that only a program with a session can download.',
  Settings: 'Values that programs read, typed and with a history.',
  Records: 'The audit trail, and reports sent by programs.',
  Runtime: 'Calls made by shipped programs.',
}
const TAG_OF: Record<string, string> = {
  apps: 'Apps',
  license_keys: 'License keys',
  license_policies: 'License keys',
  device_bans: 'Devices',
  serverside_strings: 'Strings',
  serverside_files: 'Files',
  remote_settings: 'Settings',
  client_reports: 'Records',
  audit_events: 'Records',
  client: 'Runtime',
}

const SCHEMES = {
  Bearer: { type: 'http', scheme: 'bearer', description: 'An API key of this API.' },
  ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key.' },
  ApiKeyHeaderLegacy: {
    type: 'apiKey',
    in: 'header',
    name: 'Api-Key',
    description: 'The same key; answered with a `Deprecation` header.',
  },
  Session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session token from R2.',
  },
}

/** Descriptions of refusals in the Client Security API, by status. */
const REFUSALS: Record<number, string> = {
  400: 'The body is not JSON in UTF-8, or names a key twice.',
  401: 'The API key or session token is missing, sent twice, unknown or expired.',
  403: 'The API key lacks a permission or may not be used from this address, or the app is paused.',
  404: 'The path or the record does not exist; the error names the record and its id.',
  409: 'A conflict: a name or key is taken, or the state of the record or the idempotency key does not allow the call.',
  412: 'The record does not have the version in `If-Match`.',
  413: 'The body is too large.',
  415: 'The call does not accept this type of body.',
  416: 'The range lies outside of the file.',
  422: 'A field is missing or invalid; `error` names it.',
  429: 'Too many calls; wait for the seconds in `Retry-After`.',
  500: 'An internal error occurred.',
  503: 'The service is busy or restarting; repeat the call.',
}

const Failure = z
  .object({
    success: z.literal(false).describe('Always false.'),
    error: z.string().describe('The error message, for people.'),
  })
  .meta({ id: 'Failure', description: 'A refusal.' })

const PUBLIC_ID = {
  name: 'public_id',
  in: 'path',
  required: true,
  description: 'The public id of the app.',
  schema: { type: 'string', pattern: '^app_[0-9A-Za-z]{22}$' },
}
const NONCE = {
  name: 'Client-Nonce',
  in: 'header',
  required: true,
  description: '16 to 64 random bytes, new for every call, base64url without padding.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22,86}$' },
}
const PROOF = {
  name: 'Client-Proof',
  in: 'header',
  description:
    '`t=…,v1=…`: required if the device of the session was registered with a public key.',
  schema: { type: 'string' },
}
const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: 'The expected `version` of the record, in quotes.',
  schema: { type: 'string' },
  example: '"3"',
}
const RANGE = {
  name: 'Range',
  in: 'header',
  description: 'A part of the file.',
  schema: { type: 'string' },
  example: 'bytes=0-1023',
}
const SIGNATURE = {
  description:
    '`t=<Unix seconds>,kid=<key>,v1=<Ed25519 signature>` over this answer and its request.',
  schema: { type: 'string' },
}

/**
 * The Client Security API as an own OpenAPI 3.1 document, because its refusals have another form.
 */
export function printSecurityOpenApi(document: SecurityDocument): Json {
  const { management, downloads, runtime, serverUrl, version } = document
  const book = openSchemaRegistry(usesOf(document))
  const paths: Record<string, Json> = {}
  const add = (path: string, method: string, operation: Json) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const e of management) add(pathOf(e), e.method, managed(e, book))
  for (const e of downloads) add(pathOf(e), 'GET', downloaded(e, book))
  for (const e of runtime) add(`/client/{public_id}${pathOf(e)}`, e.method, called(e, book))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tradepost Client Security API',
      version,
      description: DESCRIPTION,
      contact: contactOf(serverUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This installation.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: nameSchemas(paths, book.components as Shapes),
      responses: Object.fromEntries(
        Object.keys(REFUSALS).map((status) => [`Refused${status}`, refusal(Number(status), book)]),
      ),
      headers: {
        'x-request-id': HEADERS['x-request-id'],
        'Retry-After': HEADERS['Retry-After'],
        'Service-Response-Signature': SIGNATURE,
      },
      securitySchemes: SCHEMES,
    },
  }
}

const answerOf = ({ response }: Pick<Endpoint, 'response'>) =>
  z.object({ success: Success, ...response.shape })

const usesOf = ({ management, downloads, runtime }: SecurityDocument): Use[] => [
  { shape: Failure, form: 'answer' },
  ...downloads.flatMap(({ params }): Use[] => (params ? [{ shape: params, form: 'request' }] : [])),
  ...[...management, ...runtime].flatMap((e): Use[] => [
    ...[e.params, e.query, e.body].flatMap((shape) =>
      shape ? [{ shape, form: 'request' as const }] : [],
    ),
    { shape: answerOf(e), form: 'answer' },
  ]),
]

const tagsOf = (id: string): string[] => [TAG_OF[id.split('.')[0] ?? ''] ?? '']

const ofSeller = (e: Download): Json => ({
  tags: tagsOf(e.id),
  operationId: e.id,
  summary: e.summary,
  description: `Needs the permission \`${e.permission}\`.`,
  'x-permission': e.permission,
  security: [{ Bearer: [] }, { ApiKeyHeader: [] }, { ApiKeyHeaderLegacy: [] }],
})

/** Areas whose records have a `version`. */
const VERSIONED = ['serverside_strings', 'serverside_files', 'remote_settings']

const comparesVersions = ({ id, method }: Endpoint): boolean => {
  const [area = '', verb] = id.split('.')
  return VERSIONED.includes(area) && method !== 'GET' && verb !== 'create'
}

function managed(e: Endpoint, book: SchemaRegistry): Json {
  const changes = e.method === 'PUT' || e.method === 'PATCH'
  const versioned = comparesVersions(e)
  const parameters = [
    ...(e.params ? parametersIn('path', e.params, book) : []),
    ...(e.query ? parametersIn('query', e.query, book) : []),
    ...(e.method === 'POST' ? [IDEMPOTENCY_KEY] : []),
    ...(versioned ? [IF_MATCH] : []),
  ]
  const statuses = [
    ...(e.body ? [400, 413, 415] : []),
    401,
    403,
    ...(e.params || e.errors.includes('NOT_FOUND') ? [404] : []),
    ...(e.method === 'POST' || changes || e.errors.includes('INVALID_STATE') ? [409] : []),
    ...(versioned ? [412] : []),
    ...(e.query || e.method !== 'GET' ? [422] : []),
    ...[429, 500, 503],
  ]
  return {
    ...ofSeller(e),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(e, book),
    responses: { ...success(e, book), ...refusals(statuses) },
  }
}

function downloaded(e: Download, book: SchemaRegistry): Json {
  return {
    ...ofSeller(e),
    parameters: [...(e.params ? parametersIn('path', e.params, book) : []), RANGE],
    responses: {
      ...bytes(refer(['x-request-id'])),
      ...refusals([401, 403, 404, 416, 429, 500, 503]),
    },
  }
}

function called(e: ClientEndpoint, book: SchemaRegistry): Json {
  return {
    tags: tagsOf(e.id),
    operationId: e.id,
    summary: e.summary,
    ...(e.session === 'required' && { security: [{ Session: [] }] }),
    ...(e.session === 'optional' && { security: [{}, { Session: [] }] }),
    ...(e.session === 'none' && { security: [] }),
    parameters: [
      PUBLIC_ID,
      ...(e.nonce ? [NONCE] : []),
      ...(e.session === 'none' ? [] : [PROOF]),
      ...(e.params ? parametersIn('path', e.params, book) : []),
      ...(e.query ? parametersIn('query', e.query, book) : []),
    ],
    ...bodyOf(e, book),
    responses: { ...success(e, book), ...refusals(statusesOf(e)) },
  }
}

const statusesOf = (e: ClientEndpoint): number[] => [
  ...(e.body ? [400, 413, 415] : []),
  ...(e.session !== 'none' || e.answers === 'bytes' ? [401] : []),
  ...(e.id === 'client.start_session' ? [403] : []),
  404,
  ...(e.session === 'required' && e.method !== 'GET' ? [409] : []),
  ...(e.answers === 'bytes' ? [416] : []),
  ...(e.nonce ? [422] : []),
  ...(e.limit ? [429] : []),
  ...[500, 503],
]

const refer = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

const bytes = (headers: Json): Json => ({
  200: { description: 'The file.', headers, content: BYTES },
  206: { description: 'A part of the file.', headers, content: BYTES },
})

function success(e: Endpoint | ClientEndpoint, book: SchemaRegistry): Json {
  const signed = 'session' in e
  const headers = refer(['x-request-id', ...(signed ? ['Service-Response-Signature'] : [])])
  const answers = signed ? e.answers : undefined
  if (answers === 'bytes') return bytes(headers)
  const content = { 'application/json': { schema: book.print(answerOf(e), 'answer') } }
  return {
    [e.status ?? 200]: { description: e.status === 201 ? 'Created.' : 'Done.', headers, content },
    ...(answers === 'unless known' && {
      304: { description: 'The caller has the current version: `If-None-Match`.', headers },
    }),
  }
}

const refusals = (statuses: readonly number[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
  )

const refusal = (status: number, book: SchemaRegistry): Json => ({
  description: REFUSALS[status],
  headers: refer(['x-request-id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])]),
  content: {
    'application/json': {
      schema: book.print(Failure, 'answer'),
      example: { success: false, error: REFUSALS[status] },
    },
  },
})

/** An upload is a form or bare bytes; every other body is JSON. */
function bodyOf(e: Endpoint | ClientEndpoint, book: SchemaRegistry): Json {
  if (!e.body) return {}
  const upload = 'upload' in e ? e.upload : undefined
  const content = upload
    ? { 'multipart/form-data': { schema: formOf(upload, book) }, ...BYTES }
    : {
        'application/json': {
          schema: book.print(e.body, 'request'),
          ...(e.example !== undefined && { example: e.example }),
        },
      }
  const required = upload !== undefined || isBodyRequired(e.method, e.body)
  return { requestBody: { required, content } }
}
