import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type App, shopOf, storeNow } from '../app.ts'
import type { Origin } from '../audit/origin.ts'
import { signerAt } from '../features/apps/index.ts'
import { clientEndpoints } from '../features/client-runtime/endpoints.ts'
import {
  findSession,
  hashToken,
  isNonce,
  type LiveSession,
} from '../features/client-runtime/index.ts'
import { type ClientCall, type ClientEndpoint, RawAnswer } from '../http/client-endpoint.ts'
import { refuseStrays, send } from '../http/mount.ts'
import { readRequest } from '../http/read-request.ts'
import { compileSerializer, type Serializer } from '../http/serializer.ts'
import { invalid, notFound, PlainError, StoreError } from '../kernel/errors.ts'
import { canonicalIp, neighbourhoodOf } from '../kernel/net.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { AppBook, Called } from './app-book.ts'
import type { GateContext } from './gate.ts'
import { SECURITY_PREFIX } from './security-api.ts'

type CalledApp = Called['app']

/** What a request is known by, once its app is. */
interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  called: Called
  e: ClientEndpoint
}

/**
 * The runtime half of the Client Security API. Every answer is signed with the key of its app once the
 * app is known, whatever its status: refusals, 404s of unknown paths and 304s too (decision 22).
 */
export function mountClientApi(
  server: FastifyInstance,
  app: App,
  context: GateContext,
  book: AppBook,
) {
  server.decorateRequest('called', null)
  server.decorateRequest('bodyHash', null)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store, no-transform')
    request.setDecorator('called', await calledBy(book, request))
  })
  server.addHook('onSend', async (request, reply, payload) => {
    const called = request.getDecorator<Called | null>('called')
    if (called) {
      const leaving = { status: reply.statusCode, bodyHash: bodyHashOf(request, payload) }
      reply.header('service-response-signature', signatureOf(app, called, request, leaving))
    }
    return payload
  })
  const routes = clientEndpoints.map((e) => ({ ...e, path: `/:public_id${e.path}` }))
  for (const e of routes) {
    const serialize = compileSerializer(e.response)
    server.route({
      method: e.method,
      url: e.path,
      onRequest: async (request) => {
        const called = request.getDecorator<Called | null>('called')
        if (!called) throw notFound('The app')
        refuseTooMany(context, request, called, e)
        if (e.nonce && !isNonce(nonceOf(request))) {
          throw invalid('Client-Nonce', 'Send 16 to 64 random bytes, base64url without padding.')
        }
        if (e.session === 'required') tokenOf(request)
      },
      handler: async (request, reply) => {
        const called = request.getDecorator<Called>('called')
        return answer(app, context, { request, reply, called, e }, serialize)
      },
    })
  }
  // Who calls is not asked: what is refused is signed all the same.
  refuseStrays(server, routes, async () => {})
}

/** Found by the path itself, so that also what has no route is signed. */
async function calledBy(book: AppBook, request: FastifyRequest): Promise<Called | undefined> {
  const [, sent = ''] = /^\/client\/([^/?]+)/.exec(pathOf(request)) ?? []
  const publicId = decoded(sent)
  return /^app_[0-9A-Za-z]{22}$/.test(publicId) ? book.find(publicId) : undefined
}

/** An id may be escaped like the rest of a path; what does not decode is none. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** As it was sent, byte for byte, relative to the API's address. */
const pathOf = (request: FastifyRequest): string =>
  request.originalUrl.slice(SECURITY_PREFIX.length)

const nonceOf = (request: FastifyRequest): string | undefined => {
  const nonce = request.headers['client-nonce']
  return Array.isArray(nonce) ? nonce.join(', ') : nonce
}

interface Leaving {
  status: number
  /** Hex SHA-256 of the bytes that leave. */
  bodyHash: string
}

const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/** `Service-Response-Signature`, over the lines of decision 22. */
function signatureOf(
  app: App,
  { app: { public_id }, signers }: Called,
  request: FastifyRequest,
  { status, bodyHash }: Leaving,
): string {
  const now = app.clock.now()
  const signer = signerAt(signers, now)
  const t = Math.floor(now / SECOND_MS)
  const text = [
    'client-response/v1',
    public_id,
    request.method,
    pathOf(request),
    nonceOf(request) ?? '-',
    status,
    t,
    bodyHash,
  ].join('\n')
  return `t=${t},kid=${signer.kid},v1=${signer.sign(text)}`
}

/** Of the bytes that leave; those of a stream were hashed before. */
function bodyHashOf(request: FastifyRequest, payload: unknown): string {
  if (request.method === 'HEAD') return sha256Hex('')
  const known = request.getDecorator<string | null>('bodyHash')
  if (known) return known
  return sha256Hex(typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '')
}

/** The limits of an app, refused before any license key or token is looked up. */
function refuseTooMany(
  context: GateContext,
  request: FastifyRequest,
  { app }: Called,
  e: ClientEndpoint,
) {
  if (!e.limit || e.limit === 'by grant') return
  unknownLeft(context, request, app)
  const token = e.limit === 'session_calls' ? bearerOf(request) : undefined
  const name =
    token === undefined ? `${e.limit}|${callerOf(request, app)}` : ofSession(hashToken(token))
  take(context, name, app.rate_limits[e.limit])
}

function take(context: GateContext, name: string, limit: number | null) {
  if (limit === null) return
  const { allowed, retry_after_s } = context.limiter.take(name, limit, context.app.clock.now())
  if (!allowed) throw tooMany('Too many calls in the past 60 seconds.', retry_after_s)
}

const ofSession = (tokenHash: Buffer): string => `session|${tokenHash.toString('base64url')}`

const callerOf = (request: FastifyRequest, app: CalledApp): string =>
  `${app.id}|${neighbourhoodOf(request.ip)}`
const strangerOf = (request: FastifyRequest, app: CalledApp): string =>
  `unknown|${callerOf(request, app)}`

/** How many unknown keys and tokens an address may still try; none is a refusal. */
function unknownLeft(context: GateContext, request: FastifyRequest, app: CalledApp): number {
  const { unknown_keys } = app.rate_limits
  if (unknown_keys === null) return Number.POSITIVE_INFINITY
  const now = context.app.clock.now()
  const { remaining, retry_after_s } = context.limiter.look(
    strangerOf(request, app),
    unknown_keys,
    now,
  )
  if (remaining === 0) throw tooMany('Too many unknown keys from this address.', retry_after_s)
  return remaining
}

const tooMany = (why: string, wait_s: number) =>
  new StoreError('RATE_LIMITED', why, undefined, { 'retry-after': String(wait_s) })

const bearerOf = (request: FastifyRequest): string | undefined =>
  /^bearer +([A-Za-z0-9_-]{43}) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** Node keeps the first of two `Authorization` headers, and others keep the last: two are none. */
const isTwice = ({ raw: { rawHeaders } }: FastifyRequest): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name)).length > 1

function tokenOf(request: FastifyRequest): string {
  const token = isTwice(request) ? undefined : bearerOf(request)
  if (token === undefined) throw new PlainError(401, 'Send Authorization: Bearer <session token>.')
  return token
}

async function answer(app: App, context: GateContext, visit: Visit, serialize: Serializer) {
  const { request, reply, e } = visit
  const raw = {
    contentType: request.headers['content-type'],
    params: request.params,
    query: request.query,
    body: request.body as Uint8Array | undefined,
  }
  const work = async () => {
    const call = callOf(app, context, visit)
    const session = await sessionOf(visit, call)
    return e.handle({ ...call, ...readRequest(e, raw), session })
  }
  const asked = e.limit && e.limit !== 'by grant'
  const result = await (asked ? amongStrangers(context, visit, work) : work())
  if (result instanceof RawAnswer) return sendRaw(visit, result)
  const body = serialize({ success: true, ...(result as object) })
  return send(reply, { status: e.status ?? 200, body })
}

/**
 * A key or a token is known for what it is once it was looked up: no more calls of an address are
 * under way at once than may turn out to bring unknown ones.
 */
const amongStrangers = <T>(
  context: GateContext,
  { request, called }: Visit,
  work: () => Promise<T>,
) =>
  context.turnstile.pass(
    strangerOf(request, called.app),
    () => unknownLeft(context, request, called.app),
    work,
  )

function callOf(
  app: App,
  context: GateContext,
  { request, reply, called, e }: Visit,
): ClientCall<unknown, unknown, unknown, undefined> {
  const { store } = called
  const now = storeNow(app, store)
  const { headers } = request
  const origin: Origin = {
    actor: { type: e.acts_as ?? 'customer', id: null, name: null },
    address: request.ip,
    request_id: request.id,
  }
  return {
    shop: shopOf({ ...app, origin }, store, app.db, now),
    app: { id: called.app.id, public_id: called.app.public_id },
    ip: canonicalIp(request.ip),
    nonce: nonceOf(request) ?? '',
    session: undefined,
    params: undefined,
    query: undefined,
    body: undefined,
    ifNoneMatch: headers['if-none-match'],
    asked: headers,
    countUnknown() {
      const { unknown_keys } = called.app.rate_limits
      if (unknown_keys === null) return
      context.limiter.take(strangerOf(request, called.app), unknown_keys, app.clock.now())
    },
    takeSessionCall: (token_hash) =>
      take(context, ofSession(token_hash), called.app.rate_limits.session_calls),
    note(what, id) {
      // Who only asks for the head got nothing.
      if (request.method === 'HEAD') return
      context.notes.add(what, { store_id: store.id, id, at: now })
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
  const sent = {
    method: request.method,
    path: pathOf(request),
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    token: tokenOf(request),
    proof: typeof proof === 'string' ? proof : undefined,
  }
  return findSession(call, sent, { provenBy: e.proof ?? 'nothing' })
}

function sendRaw({ request, reply }: Visit, { status, headers, body, sha256: hash }: RawAnswer) {
  if (hash !== undefined) request.setDecorator('bodyHash', hash)
  return reply.code(status).headers(headers).send(body)
}
