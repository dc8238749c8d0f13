import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import {
  type ApiKey,
  type CallLog,
  isValidForStore,
  loggedBody,
  type StoreDirectory,
  type StoreRow,
} from '../features/installation/index.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { isHash } from '../kernel/ids.ts'

/** The data of a call with a valid API key, which is logged also if the call is refused later. */
interface LoggedCall {
  key: ApiKey
  store: StoreRow | undefined
  endpoint: Endpoint | undefined
  /** The address of the caller, which is unknown after the connection was closed. */
  address: string
  answer: string | undefined
}

const loggedCalls = new WeakMap<FastifyRequest, LoggedCall>()

/** Records the key of a call. Calls with unknown keys belong to no store and are not logged. */
export function recordKey(
  request: FastifyRequest,
  key: ApiKey,
  endpoint: Endpoint | undefined,
): void {
  const address = request.ip ?? ''
  loggedCalls.set(request, { key, endpoint, address, store: undefined, answer: undefined })
}

export function recordStore(request: FastifyRequest, store: StoreRow): void {
  const call = loggedCalls.get(request)
  if (call) call.store = store
}

/** Adds each call of an API to the request log after its answer was sent (decision 295). */
export function watchCalls(
  server: FastifyInstance,
  auth: CallLogContext,
  api: 'store' | 'security',
) {
  server.addHook('onSend', (request, _reply, payload, done) => {
    const call = loggedCalls.get(request)
    if (call && typeof payload === 'string') call.answer = payload
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const call = loggedCalls.get(request)
    if (call?.store) logCall(auth, { request, reply, api, call, store: call.store })
    else if (call) void logRefused(auth, { request, reply, api, call })
    done()
  })
}

/** The parts of the authentication context that are needed to log a call. */
interface CallLogContext {
  app: App
  stores: StoreDirectory
  callLog: CallLog
}

interface WatchedCall {
  request: FastifyRequest
  reply: FastifyReply
  api: 'store' | 'security'
  call: LoggedCall
}

/** Logs a call that was refused before its store was read, such as by a rate limit. */
async function logRefused(auth: CallLogContext, answeredCall: WatchedCall): Promise<void> {
  const { request, call } = answeredCall
  const hash = String(request.headers['x-store-hash'] ?? '')
  if (!isHash(hash)) return
  const store = await auth.stores.find(hash).catch(() => undefined)
  if (store && isValidForStore(call.key, store)) logCall(auth, { ...answeredCall, store })
}

function logCall(
  { app, callLog }: CallLogContext,
  { request, reply, api, call, store }: WatchedCall & { store: StoreRow },
): void {
  const { key, endpoint, address, answer } = call
  const { headers, body } = request
  const bytes = Buffer.isBuffer(body) ? body : undefined
  const isFile = body instanceof Readable
  const request_bytes = bytes?.length ?? (isFile ? Number(headers['content-length'] ?? 1) : 0)
  const response_bytes = Number(reply.getHeader('content-length') ?? answer?.length ?? 0)
  callLog.add({
    store_id: store.id,
    api_key_id: key.id,
    request_id: request.id,
    answered_ms: app.clock.now(),
    api,
    endpoint,
    method: request.method,
    path: request.url,
    status: reply.statusCode,
    duration_ms: reply.elapsedTime,
    address,
    user_agent: headers['user-agent'] ?? '',
    has_idempotency_key: headers['idempotency-key'] !== undefined,
    request: bytes && loggedBody(bytes, request_bytes),
    request_bytes,
    response: answer && loggedBody(answer, response_bytes),
    response_bytes,
  })
}
