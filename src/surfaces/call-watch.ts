import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import {
  type ApiKey,
  type CachedStore,
  type CallLog,
  keptBody,
  opens,
  type StoreDirectory,
} from '../features/installation/index.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { isHash } from '../kernel/ids.ts'

/** The findings of authentication about a call, also if it was refused. */
interface KnownCall {
  key: ApiKey
  store: CachedStore | undefined
  e: Endpoint | undefined
  answer: string | undefined
}

const knownCalls = new WeakMap<FastifyRequest, KnownCall>()

/** Marks a call whose key is known; calls with unknown keys belong to no store and are not logged. */
export function knowKey(request: FastifyRequest, key: ApiKey, e: Endpoint | undefined): void {
  knownCalls.set(request, { key, e, store: undefined, answer: undefined })
}

export function knowStore(request: FastifyRequest, store: CachedStore): void {
  const known = knownCalls.get(request)
  if (known) known.store = store
}

/** Puts each call of an API into the request log, after its answer was sent (decision 295). */
export function watchCalls(server: FastifyInstance, auth: CallWatch, api: 'store' | 'security') {
  server.addHook('onSend', (request, _reply, payload, done) => {
    const known = knownCalls.get(request)
    if (known && typeof payload === 'string') known.answer = payload
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const known = knownCalls.get(request)
    if (known?.store) logCall(auth, { request, reply, api, known, store: known.store })
    else if (known) void logRefused(auth, { request, reply, api, known })
    done()
  })
}

/** The parts of a process that log a call. */
interface CallWatch {
  app: App
  book: StoreDirectory
  calls: CallLog
}

interface Answered {
  request: FastifyRequest
  reply: FastifyReply
  api: 'store' | 'security'
  known: KnownCall
}

/** A key that was refused before its store was read, such as by its rate limit. */
async function logRefused(auth: CallWatch, answered: Answered): Promise<void> {
  const { request, known } = answered
  const hash = String(request.headers['x-store-hash'] ?? '')
  if (!isHash(hash)) return
  const store = await auth.book.find(hash).catch(() => undefined)
  if (store && opens(known.key, store)) logCall(auth, { ...answered, store })
}

function logCall(
  { app, calls }: CallWatch,
  { request, reply, api, known, store }: Answered & { store: CachedStore },
): void {
  const { key, e, answer } = known
  const { headers, body } = request
  const sent = Buffer.isBuffer(body) ? body : undefined
  const isFile = body instanceof Readable
  const request_bytes = sent?.length ?? (isFile ? Number(headers['content-length'] ?? 1) : 0)
  const response_bytes = Number(reply.getHeader('content-length') ?? answer?.length ?? 0)
  calls.add({
    store_id: store.id,
    api_key_id: key.id,
    request_id: request.id,
    at: app.clock.now(),
    api,
    operation: e?.id,
    permission: e?.permission,
    method: request.method,
    path: request.url,
    status: reply.statusCode,
    duration_ms: reply.elapsedTime,
    address: request.ip,
    user_agent: headers['user-agent'] ?? '',
    idempotency_key: headers['idempotency-key'] !== undefined,
    request: sent && keptBody(sent, request_bytes),
    request_bytes,
    response: answer && keptBody(answer, response_bytes),
    response_bytes,
  })
}
