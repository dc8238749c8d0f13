import { z } from 'zod'
import type { Steps } from '../../kernel/slices.ts'
import type { ClientEndpoint } from '../client-endpoint.ts'
import { type Endpoint, isBodyRequired } from '../endpoint.ts'
import { nameSchemas, type Samples } from './name-schemas.ts'
import {
  formOf,
  IDEMPOTENCY_KEY,
  inputParameters,
  jsonContent,
  keptFields,
  pathOf,
} from './operations.ts'
import { documentStart, usesOfEndpoint } from './print.ts'
import type { SchemaMap } from './resolve.ts'
import { answerOf, HEADERS, referencesTo } from './responses.ts'
import { type Json, openSchemaRegistry, type SchemaRegistry, type Use } from './schemas.ts'

/** An endpoint that answers with the bytes of a file. */
export type DownloadEndpoint = Pick<Endpoint, 'id' | 'path' | 'summary' | 'permission' | 'params'>

interface SecurityDocument {
  management: readonly Endpoint[]
  downloads: readonly DownloadEndpoint[]
  runtime: readonly ClientEndpoint[]
  /** The base URL, including `/security/v1`. */
  serverUrl: string
  version: string
  /** The recorded calls that become the examples. */
  samples?: Samples
}

const DESCRIPTION = `Protect the programs that you sell: license keys, strings, files and settings that only a licensed program gets, and answers that nobody else can forge.

- **Management** is for your server. It needs an API key (\`sec_live_…\`, \`sec_test_…\`) with \`client_security:read\` or \`client_security:write\`.
- **Runtime** is for shipped programs, which contain no secret. Every answer to them, including a refusal, is signed with the key of their app: see the guide to the Client Security API.
- **Answers** have \`success\`. A refusal has only \`success\` and \`error\`, so programs branch on the status. Quote the header \`x-request-id\` in a support request.
- **Ids** are integers. A missing record, a record of another store and a malformed id all give the same 404.
- **Versions**: \`If-Match: "3"\` refuses a change with 412 if the record has another \`version\`.
- **Limits**: 300 calls a minute for each API key. The limits for programs are settings of the app.`

const TAGS: Record<string, string> = {
  Apps: 'Your programs, and the keys that sign the answers to them.',
  'License keys': 'License keys of customers, and the policies for new license keys.',
  Devices: 'Banned machines and addresses, which cannot start a session.',
  Strings: 'Texts that only a program with a session can read.',
  Files: 'Files that only a program with a session can download.',
  Settings: 'Typed values that programs read, with a history of changes.',
  Records: 'The audit trail, and reports sent by programs.',
  Runtime: 'Calls made by shipped programs.',
}
const TAG_OF_AREA: Record<string, string> = {
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
  ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key.' },
  ApiKeyHeaderLegacy: {
    type: 'apiKey',
    in: 'header',
    name: 'Api-Key',
    description: 'The API key. Answers have a `Deprecation` header.',
  },
  Session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session token that the start of a session returned.',
  },
}

/** Descriptions of refusals in the Client Security API, by status. */
const DESCRIPTION_BY_STATUS: Record<number, string> = {
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

/** Prints the OpenAPI 3.1 document of the Client Security API, in steps. */
export function* securityOpenApiSteps(document: SecurityDocument): Steps<Json> {
  const { management, downloads, runtime, serverUrl, version, samples } = document
  const registry = yield* openSchemaRegistry(usesOf(document))
  const paths: Record<string, Json> = {}
  const add = (path: string, method: string, operation: Json) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const endpoint of management) {
    add(pathOf(endpoint), endpoint.method, managementOperation(endpoint, registry))
    yield
  }
  for (const endpoint of downloads)
    add(pathOf(endpoint), 'GET', downloadOperation(endpoint, registry))
  for (const endpoint of runtime) {
    add(
      `/client/{public_id}${pathOf(endpoint)}`,
      endpoint.method,
      runtimeOperation(endpoint, registry),
    )
    yield
  }
  return {
    ...documentStart('Tradepost Client Security API', DESCRIPTION, { serverUrl, version }),
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: yield* nameSchemas(paths, registry.components as SchemaMap, samples),
      responses: Object.fromEntries(
        Object.keys(DESCRIPTION_BY_STATUS).map((status) => [
          `Refused${status}`,
          refusalResponse(Number(status), registry),
        ]),
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

const usesOf = ({ management, downloads, runtime }: SecurityDocument): Use[] => [
  { shape: Failure, form: 'answer' },
  ...downloads.flatMap(({ params }): Use[] => (params ? [{ shape: params, form: 'request' }] : [])),
  ...[...management, ...runtime].flatMap(usesOfEndpoint),
]

const tagsOf = (id: string): string[] => [TAG_OF_AREA[id.split('.')[0] ?? ''] ?? '']

const sellerOperation = (endpoint: DownloadEndpoint): Json => ({
  tags: tagsOf(endpoint.id),
  operationId: endpoint.id,
  summary: endpoint.summary,
  description: `Needs the permission \`${endpoint.permission}\`.`,
  'x-permission': endpoint.permission,
  security: [{ Bearer: [] }, { ApiKeyHeader: [] }, { ApiKeyHeaderLegacy: [] }],
})

/** The areas whose records have a `version`. */
const VERSIONED_AREAS = ['serverside_strings', 'serverside_files', 'remote_settings']

const comparesVersions = ({ id, method }: Endpoint): boolean => {
  const [area = '', verb] = id.split('.')
  return VERSIONED_AREAS.includes(area) && method !== 'GET' && verb !== 'create'
}

function managementOperation(endpoint: Endpoint, registry: SchemaRegistry): Json {
  const isChange = endpoint.method === 'PUT' || endpoint.method === 'PATCH'
  const hasVersion = comparesVersions(endpoint)
  const parameters = [
    ...inputParameters(endpoint, registry),
    ...(endpoint.method === 'POST' ? [IDEMPOTENCY_KEY] : []),
    ...(hasVersion ? [IF_MATCH] : []),
  ]
  const statuses = [
    ...(endpoint.body ? [400, 413, 415] : []),
    401,
    403,
    ...(endpoint.params || endpoint.errors.includes('NOT_FOUND') ? [404] : []),
    ...(endpoint.method === 'POST' || isChange || endpoint.errors.includes('INVALID_STATE')
      ? [409]
      : []),
    ...(hasVersion ? [412] : []),
    ...(endpoint.query || endpoint.method !== 'GET' ? [422] : []),
    ...[429, 500, 503],
  ]
  return {
    ...sellerOperation(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(endpoint, registry),
    responses: { ...successResponses(endpoint, registry), ...refusalReferences(statuses) },
  }
}

function downloadOperation(endpoint: DownloadEndpoint, registry: SchemaRegistry): Json {
  return {
    ...sellerOperation(endpoint),
    parameters: [...inputParameters(endpoint, registry), RANGE],
    responses: {
      ...downloadResponses(referencesTo('headers', ['x-request-id'])),
      ...refusalReferences([401, 403, 404, 416, 429, 500, 503]),
    },
  }
}

function runtimeOperation(endpoint: ClientEndpoint, registry: SchemaRegistry): Json {
  return {
    tags: tagsOf(endpoint.id),
    operationId: endpoint.id,
    summary: endpoint.summary,
    ...(endpoint.session === 'required' && { security: [{ Session: [] }] }),
    ...(endpoint.session === 'optional' && { security: [{}, { Session: [] }] }),
    ...(endpoint.session === 'none' && { security: [] }),
    parameters: [
      PUBLIC_ID,
      ...(endpoint.nonce ? [NONCE] : []),
      ...(endpoint.session === 'none' ? [] : [PROOF]),
      ...inputParameters(endpoint, registry),
    ],
    ...bodyOf(endpoint, registry),
    responses: {
      ...successResponses(endpoint, registry),
      ...refusalReferences(statusesOf(endpoint)),
    },
  }
}

const statusesOf = (endpoint: ClientEndpoint): number[] => [
  ...(endpoint.body ? [400, 413, 415] : []),
  ...(endpoint.session !== 'none' || endpoint.answers === 'bytes' ? [401] : []),
  ...(endpoint.id === 'client.start_session' ? [403] : []),
  404,
  ...(endpoint.session === 'required' && endpoint.method !== 'GET' ? [409] : []),
  ...(endpoint.answers === 'bytes' ? [416] : []),
  ...(endpoint.nonce ? [422] : []),
  ...(endpoint.limit ? [429] : []),
  ...[500, 503],
]

const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

const downloadResponses = (headers: Json): Json => ({
  200: { description: 'The file.', headers, content: BYTES },
  206: { description: 'A part of the file.', headers, content: BYTES },
})

function successResponses(endpoint: Endpoint | ClientEndpoint, registry: SchemaRegistry): Json {
  const isRuntime = 'session' in endpoint
  const headers = referencesTo('headers', [
    'x-request-id',
    ...(isRuntime ? ['Service-Response-Signature'] : []),
  ])
  const answers = isRuntime ? endpoint.answers : undefined
  if (answers === 'bytes') return downloadResponses(headers)
  const content = { 'application/json': { schema: registry.print(answerOf(endpoint), 'answer') } }
  return {
    [endpoint.status ?? 200]: {
      description: endpoint.status === 201 ? 'Created.' : 'Done.',
      headers,
      content,
    },
    ...(answers === 'unless unchanged' && {
      304: { description: 'The version in `If-None-Match` is the current one.', headers },
    }),
  }
}

const refusalReferences = (statuses: readonly number[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
  )

const refusalResponse = (status: number, registry: SchemaRegistry): Json => ({
  description: DESCRIPTION_BY_STATUS[status],
  headers: referencesTo('headers', [
    'x-request-id',
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]),
  content: {
    'application/json': {
      schema: registry.print(Failure, 'answer'),
      example: { success: false, error: DESCRIPTION_BY_STATUS[status] },
    },
  },
})

/** Describes the body: a form or bare bytes for an upload, JSON otherwise. */
function bodyOf(endpoint: Endpoint | ClientEndpoint, registry: SchemaRegistry): Json {
  if (!endpoint.body) return {}
  const upload = 'upload' in endpoint ? endpoint.upload : undefined
  const content = upload
    ? { 'multipart/form-data': { schema: formOf(upload, registry) }, ...BYTES }
    : jsonContent(endpoint.body, endpoint.example, registry)
  const required = upload !== undefined || isBodyRequired(endpoint.method, endpoint.body)
  const description = keptFields(endpoint.method, endpoint.body)
  return { requestBody: { ...description, required, content } }
}
