import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type App, storeContextOf, storeNow } from '../app.ts'
import type { Origin } from '../audit/origin.ts'
import {
  clientEndpoints,
  findSession,
  isNonce,
  type LiveSession,
} from '../features/licensing/index.ts'
import { setBodyDeadline } from '../http/body-pace.ts'
import { type ClientCall, type ClientEndpoint, RawAnswer } from '../http/client-endpoint.ts'
import type { Answer } from '../http/idempotency.ts'
import {
  mountPipeline,
  namingMissing,
  type Pipeline,
  succeed,
  type Visit,
} from '../http/pipeline.ts'
import { rawOf, readRequest } from '../http/read-request.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { canonicalIp } from '../kernel/net.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { AppDirectory, Called } from './app-book.ts'
import {
  amongUnknownKeys,
  callerOf,
  ofSession,
  refuseTooMany,
  TOO_MANY_TOKENS,
  take,
  unknownKeysOf,
} from './client-limits.ts'
import { nonceOf, pathOf, sha256Hex, signatureOf, tokenOf } from './client-signature.ts'
import type { AuthenticationContext } from './store-authentication.ts'

/**
 * These calls need no credential, so their bodies are small and have a short deadline (decision
 * 120).
 */
const BODY_BYTES_MAX = 64 * 1024
const BODY_DEADLINE_MS = 15 * SECOND_MS

type ClientVisit = Visit<ClientEndpoint, Called>

/**
 * The runtime half of the Client Security API. Once the app is known, every answer is signed with
 * its key, whatever the status: also refusals, 404s of unknown paths, and 304s (decision 22).
 */
export function mountClientApi(
  server: FastifyInstance,
  app: App,
  auth: AuthenticationContext,
  book: AppDirectory,
) {
  server.decorateRequest('called', null)
  server.decorateRequest('bodyHash', null)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store, no-transform')
    setBodyDeadline(request, reply, BODY_DEADLINE_MS)
    request.setDecorator('called', await calledBy(book, request))
  })
  server.addHook('onSend', async (request, reply, payload) => {
    const called = request.getDecorator<Called | null>('called')
    if (called) {
      const signedAnswer = { status: reply.statusCode, bodyHash: bodyHashOf(request, payload) }
      const signature = signatureOf(called, request, signedAnswer, app.clock.now())
      reply.header('service-response-signature', signature)
    }
    return payload
  })
  const pipeline: Pipeline<ClientEndpoint, Called> = {
    optionsOf: () => ({ bodyLimit: BODY_BYTES_MAX }),
    admit: (request, _reply, e) => admit(auth, request, e),
    // No credential is needed for these refusals, which are signed too.
    admitUnknown: async () => undefined,
    run: (visit) => answer(app, auth, visit),
  }
  const routes = clientEndpoints.map((e) => ({ ...e, path: `/:public_id${e.path}` }))
  mountPipeline(server, pipeline, routes)
}

async function admit(
  auth: AuthenticationContext,
  request: FastifyRequest,
  e: ClientEndpoint,
): Promise<Called> {
  const called = request.getDecorator<Called | null>('called')
  if (!called) throw notFound('App', Object(request.params).public_id)
  await refuseTooMany(auth, request, called, e)
  if (e.nonce && !isNonce(nonceOf(request))) {
    throw invalid('Client-Nonce', 'Send 16 to 64 random bytes, base64url without padding.')
  }
  if (e.session === 'required') tokenOf(request)
  return called
}

/** Reads the id from the path, because answers of unknown routes are signed too. */
async function calledBy(book: AppDirectory, request: FastifyRequest): Promise<Called | undefined> {
  const [, segment = ''] = /^\/client\/([^/?]+)/.exec(pathOf(request)) ?? []
  const publicId = decoded(segment)
  return /^app_[0-9A-Za-z]{22}$/.test(publicId) ? book.find(publicId) : undefined
}

/** Decodes a path segment; an undecodable one matches no app. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** Hashes the body; streamed bodies were hashed before. */
function bodyHashOf(request: FastifyRequest, payload: unknown): string {
  if (request.method === 'HEAD') return sha256Hex('')
  const streamHash = request.getDecorator<string | null>('bodyHash')
  if (streamHash) return streamHash
  return sha256Hex(typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '')
}

async function answer(
  app: App,
  auth: AuthenticationContext,
  visit: ClientVisit,
): Promise<Answer | RawAnswer> {
  const { e, request, caller } = visit
  const work = async () => {
    const call = callOf(app, auth, visit)
    const session = await sessionOf(visit, call)
    return e.handle({ ...call, ...readRequest(e, rawOf(request)), session })
  }
  const run = () => namingMissing(visit, work)
  const bringsKey = e.limit === 'session_starts' || e.limit === 'validations'
  const result = await (bringsKey ? amongUnknownKeys(auth, request, caller.app, run) : run())
  if (!(result instanceof RawAnswer)) return succeed(visit, result)
  if (result.sha256 !== undefined) request.setDecorator('bodyHash', result.sha256)
  return result
}

function callOf(
  app: App,
  auth: AuthenticationContext,
  { request, reply, caller: called, e }: ClientVisit,
): ClientCall<unknown, unknown, unknown, undefined> {
  const { store } = called
  const now = storeNow(app, store)
  const { headers } = request
  const { rate_limits } = called.app
  const origin: Origin = {
    actor: { type: e.acts_as ?? 'customer', id: null, name: null },
    address: request.ip,
    request_id: request.id,
  }
  return {
    context: storeContextOf({ ...app, origin }, store, app.db, now),
    app: { id: called.app.id, public_id: called.app.public_id },
    ip: canonicalIp(request.ip),
    nonce: nonceOf(request) ?? '',
    session: undefined,
    params: undefined,
    query: undefined,
    body: undefined,
    ifNoneMatch: headers['if-none-match'],
    asked: headers,
    async countUnknownKey() {
      if (rate_limits.unknown_keys === null) return
      const name = unknownKeysOf(request, called.app)
      await auth.limiter.take(name, rate_limits.unknown_keys, app.clock.now())
    },
    takeUnknownToken: () => {
      const name = `unknown_tokens|${callerOf(request, called.app)}`
      return take(auth, name, rate_limits.unknown_tokens, TOO_MANY_TOKENS)
    },
    takeSessionCall: (token_hash) => take(auth, ofSession(token_hash), rate_limits.session_calls),
    note(what, id) {
      // A HEAD request transfers nothing.
      if (request.method === 'HEAD') return
      auth.notes.add(what, { store_id: store.id, id, at: now })
    },
    setHeader: (name, value) => void reply.header(name, value),
  }
}

async function sessionOf(
  { request, e }: ClientVisit,
  call: ClientCall<unknown, unknown, unknown, undefined>,
): Promise<LiveSession | undefined> {
  const { authorization } = request.headers
  if (e.session === 'none' || (e.session === 'optional' && authorization === undefined)) {
    return undefined
  }
  const proof = request.headers['client-proof']
  const credentials = {
    method: request.method,
    path: pathOf(request),
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    token: tokenOf(request),
    proof: typeof proof === 'string' ? proof : undefined,
  }
  return findSession(call, credentials, { proof: e.proof ?? 'checked' })
}
