import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { invalid, type Refusal } from '../kernel/errors.ts'
import type { StoreContext } from '../store-context.ts'
import { actOf, isAudited, sentWith } from './audit-call.ts'
import { watchPace } from './body-pace.ts'
import { COMPRESSED } from './compression.ts'
import type { Call, Caller, Endpoint } from './endpoint.ts'
import { type Answer, checkKey, type Idempotency } from './idempotency.ts'
import type { Route } from './known-paths.rules.ts'
import { mountPipeline, namingMissing, type Pipeline, succeed, type Visit } from './pipeline.ts'
import { type Read, rawOf, readRequest, wrongType } from './read-request.ts'
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
  beside?: readonly Route[]
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

/** Mounts endpoints whose calls belong to a store. */
export function mount(server: FastifyInstance, surface: Surface, endpoints: readonly Endpoint[]) {
  const pipeline: Pipeline<Endpoint, Authenticated> = {
    admit: (request, reply, e) => surface.authenticate(request, reply, e),
    admitUnknown: (request, reply) => surface.authenticate(request, reply),
    run: (visit) => withUpload(surface, visit),
    ...(surface.beside && { beside: surface.beside }),
    optionsOf: (e) => ({ compress: surface.isCompressed?.(e) ? COMPRESSED : false }),
  }
  mountPipeline(server, pipeline, endpoints)
}

type StoreVisit = Visit<Endpoint, Authenticated>

/**
 * Receives an uploaded file before the handler runs, and deletes it afterwards unless the handler
 * kept it.
 */
async function withUpload(surface: Surface, visit: StoreVisit): Promise<Answer> {
  const { e, caller, request, reply } = visit
  if (!(request.body instanceof Readable)) {
    if (e.upload?.bare && request.body !== undefined) throw wrongType(e)
    return answer(surface, visit)
  }
  if (!e.upload) throw wrongType(e)
  const { storage } = caller.contextOn(surface.app.db)
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
    return await answer(surface, visit, upload)
  } finally {
    await storage.discard(upload.file)
  }
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/') ?? false

async function answer(surface: Surface, visit: StoreVisit, upload?: Upload): Promise<Answer> {
  const { e, caller: authenticated, request } = visit
  const raw = {
    ...rawOf(request),
    ...(upload && { body: upload.digest, fields: upload.fields }),
  }
  const version = readIfMatch(request.headers['if-match'])
  const read = () => ({ ...readRequest(e, raw), file: upload?.file })
  const work = workOf(visit, version, read)
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
function workOf(visit: StoreVisit, version: number | undefined, read: () => Asked) {
  const { e, caller: authenticated } = visit
  let request: Asked = { params: undefined, query: undefined, body: undefined }
  let askResult: unknown
  const callOn = <A>(db: Db, askResult: A): Call<unknown, unknown, unknown, A> => ({
    context: authenticated.contextOn(db),
    caller: authenticated.caller,
    ...request,
    asked: askResult,
    version,
  })
  const { ask } = e
  return {
    read() {
      request = read()
    },
    ...(ask && {
      async ask({ app }: Surface) {
        askResult = await namingMissing(visit, () => ask(callOn(app.db, undefined), app))
      },
    }),
    async handle(db: Db): Promise<Answer> {
      const handle = () =>
        isAudited(e, request.query)
          ? inTransaction(db, (tx) => handleAudited(e, tx, callOn(tx, askResult)))
          : e.handle(callOn(db, askResult))
      return succeed(visit, await namingMissing(visit, handle))
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
