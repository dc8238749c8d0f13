import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type App, storeContextOf, storeNow } from '../app.ts'
import type { Origin } from '../audit/origin.ts'
import {
  clientEndpoints,
  findSession,
  hashToken,
  isNonce,
  type LiveSession,
} from '../features/licensing/index.ts'
import { setBodyDeadline } from '../http/body-pace.ts'
import { type ClientCall, type ClientEndpoint, RawAnswer } from '../http/client-endpoint.ts'
import { refuseUnknownRoutes, send } from '../http/mount.ts'
import { nameMissing } from '../http/name-missing.rules.ts'
import { readRequest } from '../http/read-request.ts'
import { compileSerializer, type Serializer } from '../http/serializer.ts'
import { invalid, notFound, Refusal } from '../kernel/errors.ts'
import { canonicalIp, neighbourhoodOf } from '../kernel/net.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { AppDirectory, Called } from './app-book.ts'
import { nonceOf, pathOf, sentToken, sha256Hex, signatureOf } from './client-signature.ts'
import type { AuthenticationContext } from './store-authentication.ts'

/**
 * These calls need no credential, so their bodies are small and have a short deadline (decision
 * 120).
 */
const BODY_BYTES_MAX = 64 * 1024
const BODY_DEADLINE_MS = 15 * SECOND_MS

type CalledApp = Called['app']

/** The parts of a call, once its app is known. */
interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  called: Called
  e: ClientEndpoint
}

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
  const routes = clientEndpoints.map((e) => ({ ...e, path: `/:public_id${e.path}` }))
  for (const e of routes) {
    const serialize = compileSerializer(e.response)
    server.route({
      method: e.method,
      url: e.path,
      bodyLimit: BODY_BYTES_MAX,
      onRequest: async (request) => {
        const called = request.getDecorator<Called | null>('called')
        if (!called) throw notFound('App', Object(request.params).public_id)
        await refuseTooMany(auth, request, called, e)
        if (e.nonce && !isNonce(nonceOf(request))) {
          throw invalid('Client-Nonce', 'Send 16 to 64 random bytes, base64url without padding.')
        }
        if (e.session === 'required') tokenOf(request)
      },
      handler: async (request, reply) => {
        const called = request.getDecorator<Called>('called')
        return answer(app, auth, { request, reply, called, e }, serialize)
      },
    })
  }
  // No authentication: these refusals are signed too.
  refuseUnknownRoutes(server, routes, async () => {})
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

/**
 * Refuses a call over a limit of its app, before its body is read and any license key is looked up.
 * Sessions have their own limit, independent of the address, counted after the session is found
 * (decision 118).
 */
async function refuseTooMany(
  auth: AuthenticationContext,
  request: FastifyRequest,
  { app }: Called,
  { limit }: ClientEndpoint,
) {
  if (!limit || limit === 'by grant') return
  const token = sentToken(request)
  if (limit === 'session_calls' && isToken(token)) {
    await refuseUsedUp(auth, ofSession(hashToken(token)), app.rate_limits[limit])
    return
  }
  if (limit !== 'session_calls') await unknownLeft(auth, request, app)
  await take(auth, `${limit}|${callerOf(request, app)}`, app.rate_limits[limit])
}

const TOO_MANY_CALLS = 'Too many calls in the past 60 seconds.'
const TOO_MANY_KEYS = 'Too many unknown license keys from this address in the past 60 seconds.'
const TOO_MANY_TOKENS = 'Too many unknown session tokens from this address in the past 60 seconds.'

/** Counts a call, or refuses it. */
async function take(
  auth: AuthenticationContext,
  name: string,
  limit: number | null,
  why = TOO_MANY_CALLS,
) {
  if (limit === null) return
  const { allowed, retry_after_s } = await auth.limiter.take(name, limit, auth.app.clock.now())
  if (!allowed) throw tooMany(why, retry_after_s)
}

/** Returns how many calls remain; refuses if none does. Counts nothing. */
async function refuseUsedUp(
  auth: AuthenticationContext,
  name: string,
  limit: number | null,
  why = TOO_MANY_CALLS,
): Promise<number> {
  if (limit === null) return Number.POSITIVE_INFINITY
  const { remaining, retry_after_s } = await auth.limiter.look(name, limit, auth.app.clock.now())
  if (remaining === 0) throw tooMany(why, retry_after_s)
  return remaining
}

const ofSession = (tokenHash: Buffer): string => `session|${tokenHash.toString('base64url')}`

const callerOf = (request: FastifyRequest, app: CalledApp): string =>
  `${app.id}|${neighbourhoodOf(request.ip)}`
const unknownKeysOf = (request: FastifyRequest, app: CalledApp): string =>
  `unknown_keys|${callerOf(request, app)}`

/** How many unknown license keys an address may still try; refuses if none. */
const unknownLeft = (
  auth: AuthenticationContext,
  request: FastifyRequest,
  app: CalledApp,
): Promise<number> =>
  refuseUsedUp(auth, unknownKeysOf(request, app), app.rate_limits.unknown_keys, TOO_MANY_KEYS)

const tooMany = (why: string, wait_s: number) =>
  new Refusal('RATE_LIMITED', why, undefined, { 'retry-after': String(wait_s) })

/** True if a text has the form of a session token; other texts are not looked up. */
const isToken = (text: string | undefined): text is string => /^[A-Za-z0-9_-]{43}$/.test(text ?? '')

function tokenOf(request: FastifyRequest): string {
  const token = sentToken(request)
  if (!isToken(token)) throw new Refusal(401, 'Send Authorization: Bearer <session token>.')
  return token
}

async function answer(app: App, auth: AuthenticationContext, visit: Visit, serialize: Serializer) {
  const { request, reply, e } = visit
  const raw = {
    contentType: request.headers['content-type'],
    params: request.params,
    query: request.query,
    body: request.body as Uint8Array | undefined,
  }
  const work = async () => {
    const call = callOf(app, auth, visit)
    const session = await sessionOf(visit, call)
    return e.handle({ ...call, ...readRequest(e, raw), session })
  }
  const run = () =>
    work().catch((error) => {
      throw nameMissing(error, e.path, raw.params)
    })
  const bringsKey = e.limit === 'session_starts' || e.limit === 'validations'
  const result = await (bringsKey ? amongUnknownKeys(auth, visit, run) : run())
  if (result instanceof RawAnswer) return sendRaw(visit, result)
  const body = serialize({ success: true, ...(result as object) })
  return send(reply, { status: e.status ?? 200, body })
}

/**
 * A license key turns out unknown only after its lookup. So an address may have no more concurrent
 * calls than unknown keys it has left.
 */
const amongUnknownKeys = <T>(
  auth: AuthenticationContext,
  { request, called }: Visit,
  work: () => Promise<T>,
) =>
  auth.concurrency.pass(
    unknownKeysOf(request, called.app),
    () => unknownLeft(auth, request, called.app),
    work,
  )

function callOf(
  app: App,
  auth: AuthenticationContext,
  { request, reply, called, e }: Visit,
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
  { request, e }: Visit,
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

function sendRaw({ request, reply }: Visit, { status, headers, body, sha256: hash }: RawAnswer) {
  if (hash !== undefined) request.setDecorator('bodyHash', hash)
  return reply.code(status).headers(headers).send(body)
}
