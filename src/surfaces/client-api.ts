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
  type AdmittedCall,
  mountPipeline,
  type Pipeline,
  successAnswer,
  withNamedRecord,
} from '../http/pipeline.ts'
import { rawOf, readRequest } from '../http/read-request.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { canonicalIp } from '../kernel/net.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { AppDirectory, FoundApp } from './app-directory.ts'
import { CORS_HEADERS, isPreflight, PREFLIGHT_HEADERS } from './client-cors.ts'
import {
  callerName,
  checkLimits,
  countAgainstLimit,
  limitUnknownKeys,
  sessionLimitName,
  TOO_MANY_TOKENS,
  unknownKeysLimitName,
} from './client-limits.ts'
import { nonceOf, pathOf, requireToken, sha256Hex, signatureOf } from './client-signature.ts'
import type { AuthenticationContext } from './store-authentication.ts'

/** Anyone can make these calls, so their bodies are small and have a short deadline (decision 120). */
const BODY_BYTES_MAX = 64 * 1024
const BODY_DEADLINE_MS = 15 * SECOND_MS

type AdmittedClientCall = AdmittedCall<ClientEndpoint, FoundApp>

/**
 * Mounts the runtime half of the Client Security API. If the app exists, every answer is signed with its key,
 * including refusals, 404s of unknown paths, and 304s (decision 22).
 */
export function mountClientApi(
  server: FastifyInstance,
  app: App,
  auth: AuthenticationContext,
  apps: AppDirectory,
) {
  server.decorateRequest('calledApp', null)
  server.decorateRequest('bodyHash', null)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store, no-transform')
    reply.headers(CORS_HEADERS)
    setBodyDeadline(request, reply, BODY_DEADLINE_MS)
    request.setDecorator('calledApp', await findCalledApp(apps, request))
    // Every path is allowed, so that the page can read the signed refusal of an unknown one.
    if (isPreflight(request)) return reply.code(204).headers(PREFLIGHT_HEADERS).send()
    return undefined
  })
  server.addHook('onSend', async (request, reply, payload) => {
    const calledApp = request.getDecorator<FoundApp | null>('calledApp')
    if (calledApp) {
      const signedAnswer = { status: reply.statusCode, bodyHash: bodyHashOf(request, payload) }
      const signature = signatureOf(calledApp, request, signedAnswer, app.clock.now())
      reply.header('service-response-signature', signature)
    }
    return payload
  })
  const pipeline: Pipeline<ClientEndpoint, FoundApp> = {
    optionsOf: () => ({ bodyLimit: BODY_BYTES_MAX }),
    admit: (request, _reply, endpoint) => admit(auth, request, endpoint),
    // An unknown path is refused without a check of the caller. The refusal is signed too.
    admitUnknown: async () => undefined,
    run: (admittedCall) => answer(app, auth, admittedCall),
  }
  const routes = clientEndpoints.map((endpoint) => ({
    ...endpoint,
    path: `/:public_id${endpoint.path}`,
  }))
  mountPipeline(server, pipeline, routes)
}

async function admit(
  auth: AuthenticationContext,
  request: FastifyRequest,
  endpoint: ClientEndpoint,
): Promise<FoundApp> {
  const calledApp = request.getDecorator<FoundApp | null>('calledApp')
  if (!calledApp) throw notFound('App', Object(request.params).public_id)
  await checkLimits(auth, request, calledApp, endpoint)
  if (endpoint.nonce && !isNonce(nonceOf(request))) {
    throw invalid('Client-Nonce', 'Send 16 to 64 random bytes in base64url without padding.')
  }
  if (endpoint.session === 'required') requireToken(request)
  return calledApp
}

/** Reads the app id from the path and not from a route parameter, because answers of unknown routes are signed too. */
async function findCalledApp(
  apps: AppDirectory,
  request: FastifyRequest,
): Promise<FoundApp | undefined> {
  const [, segment = ''] = /^\/client\/([^/?]+)/.exec(pathOf(request)) ?? []
  const publicId = decodeSegment(segment)
  return /^app_[0-9A-Za-z]{22}$/.test(publicId) ? apps.find(publicId) : undefined
}

/** Decodes a path segment. An invalid one becomes an empty text, which matches no app. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** Returns the hash of the body. The handler has set the hash of a streamed body. */
function bodyHashOf(request: FastifyRequest, payload: unknown): string {
  if (request.method === 'HEAD') return sha256Hex('')
  const streamHash = request.getDecorator<string | null>('bodyHash')
  if (streamHash) return streamHash
  return sha256Hex(typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '')
}

async function answer(
  app: App,
  auth: AuthenticationContext,
  admittedCall: AdmittedClientCall,
): Promise<Answer | RawAnswer> {
  const { endpoint, request, caller } = admittedCall
  const work = async () => {
    const call = callOf(app, auth, admittedCall)
    const session = await sessionOf(admittedCall, call)
    return endpoint.handle({ ...call, ...readRequest(endpoint, rawOf(request)), session })
  }
  const run = () => withNamedRecord(admittedCall, work)
  const hasLicenseKey = endpoint.limit === 'session_starts' || endpoint.limit === 'validations'
  const result = await (hasLicenseKey ? limitUnknownKeys(auth, request, caller.app, run) : run())
  if (!(result instanceof RawAnswer)) return successAnswer(admittedCall, result)
  if (result.sha256 !== undefined) request.setDecorator('bodyHash', result.sha256)
  return result
}

function callOf(
  app: App,
  auth: AuthenticationContext,
  { request, reply, caller: calledApp, endpoint }: AdmittedClientCall,
): ClientCall<unknown, unknown, unknown, undefined> {
  const { store } = calledApp
  const now = storeNow(app, store)
  const { headers } = request
  const { rate_limits } = calledApp.app
  const origin: Origin = {
    actor: { type: endpoint.acts_as ?? 'customer', id: null, name: null },
    address: request.ip,
    request_id: request.id,
  }
  return {
    context: storeContextOf({ ...app, origin }, store, app.db, now),
    app: { id: calledApp.app.id, public_id: calledApp.app.public_id },
    ip: canonicalIp(request.ip),
    nonce: nonceOf(request) ?? '',
    session: undefined,
    params: undefined,
    query: undefined,
    body: undefined,
    ifNoneMatch: headers['if-none-match'],
    rangeHeaders: headers,
    async countUnknownKey() {
      if (rate_limits.unknown_keys === null) return
      const name = unknownKeysLimitName(request, calledApp.app)
      await auth.limiter.count(name, rate_limits.unknown_keys, app.clock.now())
    },
    countUnknownToken: () => {
      const name = `unknown_tokens|${callerName(request, calledApp.app)}`
      return countAgainstLimit(auth, name, rate_limits.unknown_tokens, TOO_MANY_TOKENS)
    },
    countSessionCall: (token_hash) =>
      countAgainstLimit(auth, sessionLimitName(token_hash), rate_limits.session_calls),
    countUse(kind, id) {
      // A HEAD request transfers nothing, so it is not a use.
      if (request.method === 'HEAD') return
      auth.uses.add(kind, { store_id: store.id, id, at: now })
    },
    countRead(kind, record_id, session) {
      if (request.method === 'HEAD') return
      const { key_id, device_id = null } = session ?? {}
      const target = { store_id: store.id, kind, record_id, key_id: key_id ?? 0 }
      auth.uses.addRead({ ...target, device_id, at: now })
    },
    setHeader: (name, value) => void reply.header(name, value),
  }
}

async function sessionOf(
  { request, endpoint }: AdmittedClientCall,
  call: ClientCall<unknown, unknown, unknown, undefined>,
): Promise<LiveSession | undefined> {
  const { authorization } = request.headers
  if (
    endpoint.session === 'none' ||
    (endpoint.session === 'optional' && authorization === undefined)
  ) {
    return undefined
  }
  const proof = request.headers['client-proof']
  const credentials = {
    method: request.method,
    path: pathOf(request),
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    token: requireToken(request),
    proof: typeof proof === 'string' ? proof : undefined,
  }
  return findSession(call, credentials, { proof: endpoint.proof ?? 'checked' })
}
