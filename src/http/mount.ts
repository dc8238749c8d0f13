import http from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { invalid, notFound, Refusal } from '../kernel/errors.ts'
import type { StoreContext } from '../store-context.ts'
import { actOf, isAudited, sentWith } from './audit-call.ts'
import { watchPace } from './body-pace.ts'
import { COMPRESSED } from './compression.ts'
import type { Call, Caller, Endpoint } from './endpoint.ts'
import { type Answer, checkKey, type Idempotency } from './idempotency.ts'
import { knownPaths, methodsOfPatterns } from './known-paths.rules.ts'
import { nameMissing } from './name-missing.rules.ts'
import { type Read, readRequest, wrongType } from './read-request.ts'
import { compileSerializer, type Serializer } from './serializer.ts'
import { receiveBare, receiveUpload, type Upload } from './upload.ts'

/** The caller and the store of a call, on the call's database. */
export interface Authenticated {
  caller: Caller
  storeId: number
  now: string
  contextOn(db: Db): StoreContext
}

/** The parts that differ between surfaces: authentication and the form of refusals. */
export interface Surface {
  app: App
  idempotency: Idempotency
  /** Routes that the surface mounts itself. */
  beside?: readonly Pick<Endpoint, 'path' | 'method'>[]
  /** The largest file, if it differs from the endpoint's limit. */
  max_upload_bytes?: number
  /** True for endpoints whose answers may be compressed; if omitted, none are (decision 241). */
  isCompressed?(e: Endpoint): boolean
  /**
   * Throws to refuse the call; sets headers that belong on every answer to this caller. `e` is
   * undefined for an unknown path or method, which is refused after authentication.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply, e?: Endpoint): Promise<Authenticated>
  render(error: Refusal, requestId: string): Answer
}

/** Node never emits CONNECT as a request. */
const METHODS = http.METHODS.filter((method) => method !== 'CONNECT')

/** Mounts endpoints on a server. Only this file uses Fastify's request and reply. */
export function mount(server: FastifyInstance, surface: Surface, endpoints: readonly Endpoint[]) {
  server.decorateRequest('authenticated', null)
  for (const e of endpoints) {
    const serialize = compileSerializer(e.response)
    server.route({
      method: e.method,
      url: e.path,
      compress: surface.isCompressed?.(e) ? COMPRESSED : false,
      onRequest: async (request, reply) => {
        request.setDecorator('authenticated', await surface.authenticate(request, reply, e))
      },
      handler: async (request, reply) =>
        send(reply, await withUpload({ surface, e, serialize, request, reply })),
    })
  }
  refuseUnknownRoutes(server, [...endpoints, ...(surface.beside ?? [])], (request, reply) =>
    surface.authenticate(request, reply),
  )
}

/** Answers 404 for unknown paths, and 405 with `Allow` for unsupported methods of a known path. */
export function refuseUnknownRoutes(
  server: FastifyInstance,
  endpoints: readonly Pick<Endpoint, 'path' | 'method'>[],
  identify: Identify,
) {
  for (const method of METHODS) {
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
  }
  const known = knownPaths(server.prefix, endpoints)
  // A path such as /products/reorder would otherwise be taken for an id by GET /products/:id.
  for (const { path, full, methods } of known) {
    const others = methodsOfPatterns(known, full).filter((method) => !methods.includes(method))
    if (others.length === 0) continue
    const refuse = refusing(identify, () => refuseMethod(methods))
    server.route({ method: others, url: path, onRequest: refuse, handler: refuse })
  }
  const refuse = refusing(identify, ({ url }) => {
    const path = decoded(url)
    const methods = known.find(({ pattern }) => pattern.test(path))?.methods
    if (methods) refuseMethod(methods)
    throw notFound('The path')
  })
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuse(request, reply)
  })
  server.setNotFoundHandler(refuse)
}

function refuseMethod(methods: readonly string[]): never {
  const allow = methods.join(', ')
  throw new Refusal('METHOD_NOT_ALLOWED', `Use ${allow}.`, undefined, { allow })
}

/** The path of an address as the router reads it. */
function decoded(url: string): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

type Identify = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Refuses every call, after authentication and before its body is read (decision 70). */
const refusing =
  (identify: Identify, refuse: (request: FastifyRequest) => never) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    await identify(request, reply)
    refuse(request)
  }

export function send(reply: FastifyReply, { status, body, headers }: Answer) {
  return reply
    .code(status)
    .headers(headers ?? {})
    .header('content-type', 'application/json; charset=utf-8')
    .send(body)
}

interface Visit {
  surface: Surface
  e: Endpoint
  serialize: Serializer
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Receives an uploaded file before the handler runs, and deletes it afterwards unless the handler
 * kept it.
 */
async function withUpload(visit: Visit): Promise<Answer> {
  const { surface, e, request, reply } = visit
  if (!(request.body instanceof Readable)) {
    if (e.upload?.bare && request.body !== undefined) throw wrongType(e)
    return answer(visit)
  }
  if (!e.upload) throw wrongType(e)
  const { storage } = request.getDecorator<Authenticated>('authenticated').contextOn(surface.app.db)
  const max_bytes = surface.max_upload_bytes ?? e.upload.max_bytes
  const receive = isForm(request) ? receiveUpload : e.upload.bare ? receiveBare : undefined
  if (!receive) throw wrongType(e)
  const watched = watchPace(request, reply)
  const upload = await receive(request, max_bytes, storage)
    .catch((error) => {
      // The rest of a refused body is not read, so the connection closes.
      reply.header('connection', 'close')
      throw error
    })
    .finally(watched.end)
  try {
    return await answer(visit, upload)
  } finally {
    await storage.discard(upload.file)
  }
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/') ?? false

async function answer(visit: Visit, upload?: Upload): Promise<Answer> {
  const { surface, e, serialize, request } = visit
  const authenticated = request.getDecorator<Authenticated>('authenticated')
  const raw = {
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    params: request.params,
    query: request.query,
    body: upload ? upload.digest : (request.body as Uint8Array | undefined),
    fields: upload?.fields,
  }
  const version = readIfMatch(request.headers['if-match'])
  const read = () => ({ ...readRequest(e, raw), file: upload?.file })
  const work = workOf(e, { ...authenticated, version, rawParams: request.params }, read, serialize)
  const { caller } = authenticated
  // Pages of the dashboard hold changes back while they are offline, and repeat them (decision 285).
  const isKeyed = e.method === 'POST' || (caller.user_id !== null && e.method !== 'GET')
  const key = isKeyed ? request.headers['idempotency-key'] : undefined
  if (key === undefined) {
    work.read()
    await work.ask?.(surface)
    return work.handle(surface.app.db)
  }
  const call = {
    storeId: authenticated.storeId,
    keyId: answersOf(caller),
    key: checkKey(String(key)),
    method: request.method,
    path: request.url,
    body: raw.body,
    now: authenticated.now,
  }
  const { ask, handle } = work
  return surface.idempotency.once(surface.app.db, call, {
    read: work.read,
    handle,
    ...(ask && { ask: () => ask(surface) }),
    render: (error) => surface.render(error, request.id),
  })
}

/** The owner of idempotency keys: API keys have positive numbers, users negative ones. */
const answersOf = ({ key_id, user_id }: Caller): number => key_id ?? -(user_id ?? 0)

type Asked = Read & Pick<Call<unknown, unknown, unknown, unknown>, 'file'>

/** The parts of a call; they run in this order, with or without an idempotency key. */
function workOf(
  e: Endpoint,
  authenticated: Authenticated & { version: number | undefined; rawParams: unknown },
  read: () => Asked,
  serialize: Serializer,
) {
  let request: Asked = { params: undefined, query: undefined, body: undefined }
  let askResult: unknown
  const callOn = <A>(db: Db, askResult: A): Call<unknown, unknown, unknown, A> => ({
    context: authenticated.contextOn(db),
    caller: authenticated.caller,
    ...request,
    asked: askResult,
    version: authenticated.version,
  })
  const { ask } = e
  const refuse = (error: unknown): never => {
    throw nameMissing(error, e.path, authenticated.rawParams)
  }
  return {
    read() {
      request = read()
    },
    ...(ask && {
      async ask({ app }: Surface) {
        askResult = await ask(callOn(app.db, undefined), app).catch(refuse)
      },
    }),
    async handle(db: Db): Promise<Answer> {
      const handled = isAudited(e, request.query)
        ? inTransaction(db, (tx) => handleAudited(e, tx, callOn(tx, askResult)))
        : e.handle(callOn(db, askResult))
      const result = await handled.catch(refuse)
      return { status: e.status ?? 200, body: serialize({ success: true, ...(result as object) }) }
    },
  }
}

/** Runs the handler and writes the audit event of the call, in one transaction (decision 124). */
export async function handleAudited(
  e: Endpoint,
  tx: Tx,
  call: Call<unknown, unknown, unknown, unknown>,
): Promise<unknown> {
  const result = await e.handle(call)
  await call.context.audit.recordCall(tx, actOf(e, call.params, result), sentWith(e, call, result))
  return result
}

/** `If-Match: "3"`; `*` and no header match any version. */
function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined
  const [, digits] = /^"(\d{1,15})"$/.exec(header) ?? []
  if (digits === undefined) throw invalid('If-Match', 'Write one version in quotes, such as "3".')
  return Number(digits)
}
