import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { invalid, type Refusal } from '../kernel/errors.ts'
import type { StoreContext } from '../store-context.ts'
import { type AuditedEndpoint, auditedId, isAudited, recordedFields } from './audit-call.ts'
import { watchPace } from './body-pace.ts'
import { COMPRESSED } from './compression.ts'
import type { Caller, Endpoint, EndpointCall } from './endpoint.ts'
import { headerValues } from './header-values.rules.ts'
import { type Answer, checkKey, type Idempotency } from './idempotency.ts'
import type { Route } from './known-paths.rules.ts'
import {
  type AdmittedCall,
  mountPipeline,
  type Pipeline,
  successAnswer,
  withNamedRecord,
} from './pipeline.ts'
import { type RequestInput, rawOf, readContents, readParams, wrongType } from './read-request.ts'
import { receiveBare, receiveUpload, type Upload } from './upload.ts'

/** The caller and the store of a call, on the call's database. */
export interface CallerAndStore {
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
  ownRoutes?: readonly Route[]
  /** The largest file, if it differs from the endpoint's limit. */
  max_upload_bytes?: number
  /** Returns true if the endpoint's answers may be compressed. If omitted, none are (decision 241). */
  isCompressed?(endpoint: Endpoint): boolean
  /**
   * Identifies the caller, or throws to refuse the call. Also sets the headers of every answer to this
   * caller. `endpoint` is undefined for an unknown path or method, which is refused afterwards.
   */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint?: Endpoint,
  ): Promise<CallerAndStore>
  render(error: Refusal, requestId: string): Answer
}

/** Mounts endpoints whose calls belong to a store. */
export function mount(server: FastifyInstance, surface: Surface, endpoints: readonly Endpoint[]) {
  const pipeline: Pipeline<Endpoint, CallerAndStore> = {
    admit: (request, reply, endpoint) => surface.authenticate(request, reply, endpoint),
    admitUnknown: (request, reply) => surface.authenticate(request, reply),
    run: (admittedCall) => withUpload(surface, admittedCall),
    ...(surface.ownRoutes && { ownRoutes: surface.ownRoutes }),
    optionsOf: (endpoint) => ({ compress: surface.isCompressed?.(endpoint) ? COMPRESSED : false }),
  }
  mountPipeline(server, pipeline, endpoints)
}

type AdmittedStoreCall = AdmittedCall<Endpoint, CallerAndStore>

/**
 * Receives an uploaded file before the handler runs, and deletes it afterwards unless the handler has
 * stored it.
 */
async function withUpload(surface: Surface, admittedCall: AdmittedStoreCall): Promise<Answer> {
  const { endpoint, caller, request, reply } = admittedCall
  if (!(request.body instanceof Readable)) {
    if (endpoint.upload?.bare && request.body !== undefined) throw wrongType(endpoint)
    return answerCall(surface, admittedCall)
  }
  if (!endpoint.upload) throw wrongType(endpoint)
  const { storage } = caller.contextOn(surface.app.db)
  const max_bytes = surface.max_upload_bytes ?? endpoint.upload.max_bytes
  const receive = isForm(request) ? receiveUpload : endpoint.upload.bare ? receiveBare : undefined
  if (!receive) throw wrongType(endpoint)
  const pace = watchPace(request, reply)
  const upload = await receive(request, max_bytes, storage)
    .catch((error) => {
      // The next request of this connection cannot be read before the rest of this body (decision 401).
      reply.header('connection', 'close')
      throw error
    })
    .finally(pace.end)
  try {
    return await answerCall(surface, admittedCall, upload)
  } finally {
    await storage.discard(upload.file)
  }
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/') ?? false

async function answerCall(
  surface: Surface,
  admittedCall: AdmittedStoreCall,
  upload?: Upload,
): Promise<Answer> {
  const { endpoint, caller: callerAndStore, request } = admittedCall
  const raw = {
    ...rawOf(request),
    ...(upload && { body: upload.digest, fields: upload.fields }),
  }
  const version = readIfMatch(request.headers['if-match'])
  const read = () => ({ ...readContents(endpoint, raw), file: upload?.file })
  const work = workOf(admittedCall, version, read)
  const { caller } = callerAndStore
  // Pages of the dashboard also send keys with other methods, because they retry changes that were made
  // offline (decision 134).
  const isKeyed =
    endpoint.method === 'POST' || (caller.user_id !== null && endpoint.method !== 'GET')
  const keys = isKeyed ? headerValues(request.raw.rawHeaders, 'idempotency-key') : []
  if (keys.length === 0) {
    work.read()
    await work.prepare?.(surface)
    const answer = await work.handle(surface.app.db)
    return (await work.finish?.(surface)) ?? answer
  }
  const call = {
    storeId: callerAndStore.storeId,
    keyId: keyOwnerOf(caller),
    key: checkKey(keys),
    method: request.method,
    path: request.url,
    body: raw.body,
    now: callerAndStore.now,
  }
  const { prepare, handle, finish } = work
  return surface.idempotency.once(surface.app.db, call, {
    read: work.read,
    handle,
    ...(prepare && { prepare: () => prepare(surface) }),
    ...(finish && { finish: () => finish(surface) }),
    render: (error) => surface.render(error, request.id),
  })
}

/** Returns the id of the key's owner: a positive number for an API key, a negative number for a user. */
const keyOwnerOf = ({ key_id, user_id }: Caller): number => key_id ?? -(user_id ?? 0)

type ReadCall = Omit<RequestInput, 'params'> &
  Pick<EndpointCall<unknown, unknown, unknown, unknown>, 'file'>

/**
 * Returns the parts of a call: `read`, `prepare`, `handle` and `finish`, which run in this order. The ids of the path are
 * read after `read`, because the refusal of a malformed id is an answer, like that of an id that no record has
 * (decisions 10 and 12).
 */
function workOf(
  admittedCall: AdmittedStoreCall,
  version: number | undefined,
  read: () => ReadCall,
) {
  const { endpoint, caller: callerAndStore } = admittedCall
  const findParams = () => readParams(endpoint, admittedCall.request.params)
  let request: ReadCall = { query: undefined, body: undefined }
  let prepared: unknown
  let result: unknown
  const callOn = <A>(
    db: Db,
    params: unknown,
    preparedValue: A,
  ): EndpointCall<unknown, unknown, unknown, A> => ({
    context: callerAndStore.contextOn(db),
    caller: callerAndStore.caller,
    ...request,
    params,
    prepared: preparedValue,
    version,
  })
  const { prepare, finish } = endpoint
  return {
    read() {
      request = read()
    },
    ...(prepare && {
      async prepare({ app }: Surface) {
        const params = findParams()
        prepared = await withNamedRecord(admittedCall, () =>
          prepare(callOn(app.db, params, undefined), app, disconnectionOf(admittedCall)),
        )
      },
    }),
    async handle(db: Db): Promise<Answer> {
      result = undefined
      const params = findParams()
      const runHandler = () =>
        isAudited(endpoint, request.query)
          ? inTransaction(db, (tx) => handleAudited(endpoint, tx, callOn(tx, params, prepared)))
          : endpoint.handle(callOn(db, params, prepared))
      result = await withNamedRecord(admittedCall, runHandler)
      return successAnswer(admittedCall, result)
    },
    ...(finish && {
      async finish({ app }: Surface): Promise<Answer | undefined> {
        // A refused call has no result.
        if (result === undefined) return undefined
        try {
          const finished = await finish(callOn(app.db, findParams(), prepared), result)
          return finished === undefined ? undefined : successAnswer(admittedCall, finished)
        } catch (err) {
          app.log.error({ err, operation: endpoint.id }, 'the work after a change failed')
          return undefined
        }
      },
    }),
  }
}

/** Returns a signal that aborts when the connection of the caller closes. After the answer it has no effect. */
function disconnectionOf({ reply: { raw } }: AdmittedStoreCall): AbortSignal {
  const disconnection = new AbortController()
  raw.once('close', () => disconnection.abort())
  if (raw.destroyed) disconnection.abort()
  return disconnection.signal
}

/** Runs the handler and writes the audit event of the call, in one transaction (decision 124). */
export async function handleAudited(
  endpoint: AuditedEndpoint,
  tx: Tx,
  call: EndpointCall<unknown, unknown, unknown, unknown>,
): Promise<unknown> {
  const result = await endpoint.handle(call)
  const fields = recordedFields(endpoint, call, result)
  const action = { ...endpoint.audit, object_id: auditedId(call.params, result) }
  if (fields) await call.context.audit.recordCall(tx, action, fields)
  return result
}

/** Reads a header such as `If-Match: "3"`. `*` and a missing header match any version. */
function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined
  const [, digits] = /^"(\d{1,15})"$/.exec(header) ?? []
  if (digits === undefined) throw invalid('If-Match', 'Write one version in quotes, such as "3".')
  return Number(digits)
}
