import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, storeContextOf, storeNow } from '../../app.ts'
import { SYSTEM } from '../../audit/origin.ts'
import {
  type CachedStore,
  findUserSession,
  isSteppedUp,
  permissionsOfRole,
  type UserSession,
} from '../../features/installation/index.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Authenticated } from '../../http/mount.ts'
import type { KeyKind } from '../../kernel/api-key.ts'
import type { FurtherAnswer, FurtherCall } from '../../kernel/further-call.ts'
import { isHash, newId } from '../../kernel/ids.ts'
import { type AuthenticationContext, checkFeature, limitHeaders } from '../store-authentication.ts'
import { readCookie } from './cookies.ts'
import { refusal } from './dashboard-refusal.ts'
import { isOwnPage, isPrivateEnough } from './origin.rules.ts'
import { needsStepUp } from './step-up.rules.ts'

/** Calls that a user may make in a minute, over all stores (decision 285). */
const USER_CALLS_MAX = 1_200

/** The session of a browser, if it has one that is valid. */
export async function sessionOf(
  app: App,
  request: FastifyRequest,
  storeId?: number,
): Promise<UserSession | undefined> {
  const token = readCookie(request, app.config.publicUrl, 'session')
  return token === undefined ? undefined : findUserSession(app, token, storeId)
}

export const signInFirst = () =>
  refusal('SIGN_IN_REQUIRED', 'Sign in first: this session does not exist or has ended.')

export function checkOrigin({ config }: App, request: FastifyRequest): void {
  const { publicUrl } = config
  const { method, headers } = request
  const fetchSite = headers['sec-fetch-site']
  const sent = { method, origin: headers.origin, fetchSite: [fetchSite].flat()[0] }
  if (isOwnPage(sent, publicUrl)) return
  const why = `Calls that change something are accepted from ${new URL(publicUrl).origin} only.`
  throw refusal('ORIGIN_NOT_ALLOWED', why)
}

/** Cookies are never sent in clear over a network (decision 135). */
export function checkHttps({ config }: Pick<App, 'config'>): void {
  if (isPrivateEnough(config.publicUrl)) return
  const why = `Sign-in needs https: set TRADEPOST_PUBLIC_URL to an address that begins with https://, or to http://127.0.0.1:${config.port} for a browser on this machine.`
  throw refusal('HTTPS_REQUIRED', why)
}

export function checkStepUp(session: UserSession, now: number): void {
  if (isSteppedUp(session, now)) return
  const why = session.has_password
    ? 'Give your password again: POST /dashboard/api/step-up.'
    : 'Set a password first: POST /dashboard/api/password.'
  throw refusal('STEP_UP_REQUIRED', why)
}

/** The app with the user as actor of audit events. */
export const actingAs = (
  app: App,
  session: UserSession | undefined,
  request: FastifyRequest,
): App => ({
  ...app,
  origin: {
    actor: session
      ? { type: 'user', id: String(session.user_id), name: session.name }
      : SYSTEM.actor,
    address: request.ip,
    request_id: request.id,
  },
})

export async function countUserCall(
  { app, users }: AuthenticationContext,
  reply: FastifyReply,
  { user_id }: UserSession,
): Promise<void> {
  const now = app.clock.now()
  const allowance = await users.take(user_id, USER_CALLS_MAX, now)
  reply.headers(limitHeaders(USER_CALLS_MAX, allowance, now))
  if (allowance.allowed) return
  const headers = { 'retry-after': String(allowance.retry_after_s) }
  const why = `You made ${USER_CALLS_MAX} calls in the past 60 seconds.`
  throw refusal('RATE_LIMITED', why, undefined, headers)
}

/**
 * The checks of the dashboard, in order: the session, the origin, the rate, the store, the
 * permission of the role, the password given again, the feature (decision 285).
 */
export async function authenticateUser(
  auth: AuthenticationContext,
  kind: KeyKind,
  { request, reply, e }: { request: FastifyRequest; reply: FastifyReply; e?: Endpoint | undefined },
): Promise<Authenticated & { session: UserSession; store: CachedStore }> {
  const { app, book, meter } = auth
  const { store_hash: hash, ...params } = request.params as Record<string, string>
  // Operations see the path parameters that they have on their own API.
  request.params = params
  const store = hash && isHash(hash) ? await book.find(hash) : undefined
  const session = await sessionOf(app, request, store?.id)
  if (!session) throw signInFirst()
  checkOrigin(app, request)
  await countUserCall(auth, reply, session)
  if (!store || !session.role) throw refusal('NOT_FOUND', 'The store was not found.')
  const permissions = permissionsOfRole(session.role, kind)
  if (e) checkEndpoint(e, { session, permissions, store, request, now: app.clock.now() })
  const now = storeNow(app, store)
  const acting = actingAs(app, session, request)
  return {
    session,
    store,
    caller: {
      key_id: null,
      user_id: session.user_id,
      permissions,
      rate_limit: USER_CALLS_MAX,
      monthly_used: store.livemode ? meter.used(store, app.clock.now()) : 0,
      ip: request.ip,
      send: (call) => sendFurther(request, store.hash, call),
    },
    storeId: store.id,
    now,
    contextOn: (db) => storeContextOf(acting, store, db, now),
  }
}

/** The prefix of the private API, as the server routes it. */
const OWN_PREFIX = '/dashboard/api'
/** Headers that a further call of the same browser has too. */
const KEPT_HEADERS = ['cookie', 'origin', 'sec-fetch-site', 'user-agent'] as const

/** Makes a further call of the same browser, through the whole server and with a key of its own. */
async function sendFurther(
  request: FastifyRequest,
  hash: string,
  { method, path, body }: FurtherCall,
): Promise<FurtherAnswer> {
  const began = performance.now()
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = request.headers[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  const response = await request.server.inject({
    method: method as 'POST',
    url: `${OWN_PREFIX}/stores/${hash}${path}`,
    remoteAddress: request.ip,
    headers: {
      ...Object.fromEntries(kept),
      ...(method === 'GET' ? {} : { 'idempotency-key': newId('replay_') }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: body }),
  })
  return {
    status: response.statusCode,
    text: response.body,
    request_id: String(response.headers['x-request-id']),
    duration_ms: performance.now() - began,
  }
}

interface Asked {
  session: UserSession
  permissions: ReadonlySet<string>
  store: CachedStore
  request: FastifyRequest
  now: number
}

function checkEndpoint(e: Endpoint, { session, permissions, store, request, now }: Asked): void {
  const missing = requiredBy(e, request.query).find((item) => !permissions.has(item))
  if (missing) {
    const why = `Your role ${session.role} lacks the permission ${missing}.`
    throw refusal('INSUFFICIENT_SCOPE', why, { required: missing })
  }
  if (needsStepUp(e)) checkStepUp(session, now)
  checkFeature(store, e)
}

/** Showing secrets in full needs the write permission of the area too (decision 136). */
function requiredBy({ permission, reveals }: Endpoint, query: unknown): string[] {
  if (reveals === undefined) return [permission]
  const asked = reveals === 'always' ? 'true' : Object(query)[reveals.when_asked_by]
  const isShown = asked !== undefined && asked !== 'false'
  return isShown ? [permission, permission.replace(/:read$/, ':write')] : [permission]
}
