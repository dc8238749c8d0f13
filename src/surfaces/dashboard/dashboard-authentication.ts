import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, storeContextOf, storeNow } from '../../app.ts'
import { SYSTEM } from '../../audit/origin.ts'
import {
  findUserSession,
  isSteppedUp,
  permissionsOfRole,
  type StoreRow,
  type UserSession,
} from '../../features/installation/index.ts'
import { rebuildTarget } from '../../http/call-path.rules.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { CallerAndStore } from '../../http/mount.ts'
import type { KeyKind } from '../../kernel/api-key.ts'
import { isHash, newId } from '../../kernel/ids.ts'
import type { InternalAnswer, LoggedTarget, SendCall } from '../../kernel/internal-call.ts'
import { networkOf } from '../../kernel/net.ts'
import { SECURITY_PREFIX, securityEndpoints } from '../security-api.ts'
import { storeEndpoints } from '../store-api.ts'
import { type AuthenticationContext, checkFeature, limitHeaders } from '../store-authentication.ts'
import { readCookie } from './cookies.ts'
import { dashboardRefusal } from './dashboard-refusal.ts'
import { isAllowedOrigin, mayUseCookies } from './origin.rules.ts'
import { needsStepUp } from './step-up.rules.ts'

/** The maximum number of calls of a user in a minute, over all stores (decision 134). */
const USER_CALLS_MAX = 1_200

/** Returns the session of a browser; undefined if it has none or the session has ended. */
export async function sessionOf(
  app: App,
  request: FastifyRequest,
  storeId?: number,
): Promise<UserSession | undefined> {
  const token = readCookie(request, app.config.publicUrl, 'session')
  return token === undefined ? undefined : findUserSession(app, token, storeId)
}

export const signInRequired = () =>
  dashboardRefusal('SIGN_IN_REQUIRED', 'This session does not exist or has ended. Sign in again.')

/** The header in which a page names its user. */
const USER_HEADER = 'x-user-id'

/** Refuses a call of a page if another user signed in in its browser since it was loaded. */
export function checkUser({ headers }: FastifyRequest, { user_id }: UserSession): void {
  const namedUserId = headers[USER_HEADER]
  if (namedUserId === undefined || namedUserId === String(user_id)) return
  const message =
    'Another user signed in in this browser. Load the page again, or sign in as the user of this page.'
  throw dashboardRefusal('SIGN_IN_REQUIRED', message, { other_user: true })
}

export function checkOrigin({ config }: App, request: FastifyRequest): void {
  const { publicUrl } = config
  const { method, headers } = request
  const fetchSite = headers['sec-fetch-site']
  const callOrigin = { method, origin: headers.origin, fetchSite: [fetchSite].flat()[0] }
  if (isAllowedOrigin(callOrigin, publicUrl)) return
  const message = `Calls that change something are accepted only from ${new URL(publicUrl).origin}. Open the dashboard there.`
  throw dashboardRefusal('ORIGIN_NOT_ALLOWED', message)
}

/** Refuses a sign-in whose cookies would be sent over a network without encryption (decision 135). */
export function checkHttps({ config }: Pick<App, 'config'>, { hostname }: FastifyRequest): void {
  if (mayUseCookies(config.publicUrl, hostname)) return
  const message = `Sign-in needs https. Set TRADEPOST_PUBLIC_URL to an address that begins with https://, or to http://127.0.0.1:${config.port} for a browser on this machine.`
  throw dashboardRefusal('HTTPS_REQUIRED', message)
}

export function checkStepUp(session: UserSession, now: number): void {
  if (isSteppedUp(session, now)) return
  const message = session.has_password
    ? 'This call needs your password again. Send it to POST /dashboard/api/step-up.'
    : 'This call needs a password. Set one with POST /dashboard/api/password.'
  throw dashboardRefusal('STEP_UP_REQUIRED', message)
}

/** Returns the app with the user as the actor of audit events. */
export const withUserActor = (
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

/** The maximum number of calls without a session from an IPv4 address or an IPv6 /64 in a minute. */
const ANONYMOUS_CALLS_MAX = 120

/** Counts a call that needs no session, before its work. Anyone can make one. */
export async function countAnonymousCall(
  { app, anonymousCalls }: AuthenticationContext,
  request: FastifyRequest,
): Promise<void> {
  const now = app.clock.now()
  const network = networkOf(request.ip)
  const allowance = await anonymousCalls.count(network, ANONYMOUS_CALLS_MAX, now)
  if (allowance.allowed) return
  const headers = { 'retry-after': String(allowance.retry_after_s) }
  const message = `This address made ${ANONYMOUS_CALLS_MAX} calls without a session in the past 60 seconds. Wait for the seconds in Retry-After.`
  throw dashboardRefusal('RATE_LIMITED', message, undefined, headers)
}

export async function countUserCall(
  { app, userCalls }: AuthenticationContext,
  reply: FastifyReply,
  { user_id }: UserSession,
): Promise<void> {
  const now = app.clock.now()
  const allowance = await userCalls.count(user_id, USER_CALLS_MAX, now)
  reply.headers(limitHeaders(USER_CALLS_MAX, allowance, now))
  if (allowance.allowed) return
  const headers = { 'retry-after': String(allowance.retry_after_s) }
  const message = `You made ${USER_CALLS_MAX} calls in the past 60 seconds. Wait for the seconds in Retry-After.`
  throw dashboardRefusal('RATE_LIMITED', message, undefined, headers)
}

/**
 * Checks a call of the dashboard, in this order: the session, its user, the origin, the rate limit, the store, the
 * permission of the role, the repeated password, the feature (decision 134).
 */
export async function authenticateUser(
  auth: AuthenticationContext,
  kind: KeyKind,
  {
    request,
    reply,
    endpoint,
  }: { request: FastifyRequest; reply: FastifyReply; endpoint?: Endpoint | undefined },
): Promise<CallerAndStore & { session: UserSession; store: StoreRow }> {
  const { app, stores, meter } = auth
  const { store_hash: hash, ...params } = request.params as Record<string, string>
  // The operation gets only the path parameters that it has in its own API.
  request.params = params
  const store = hash && isHash(hash) ? await stores.find(hash) : undefined
  const session = await sessionOf(app, request, store?.id)
  if (!session) throw signInRequired()
  checkUser(request, session)
  checkOrigin(app, request)
  await countUserCall(auth, reply, session)
  if (!store || !session.role)
    throw dashboardRefusal(
      'NOT_FOUND',
      'The store was not found, or you have no role in it. Check its id.',
    )
  const permissions = permissionsOfRole(session.role, kind)
  if (endpoint)
    checkEndpoint(endpoint, { session, permissions, store, request, now: app.clock.now() })
  const now = storeNow(app, store)
  const actingApp = withUserActor(app, session, request)
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
      repeat: (target) => prepareRepeat(request, store.hash, target),
    },
    storeId: store.id,
    now,
    contextOn: (db) => storeContextOf(actingApp, store, db, now),
  }
}

/** The prefix of the private API. */
const API_PREFIX = '/dashboard/api'
/** The headers that are copied to a repeated call. */
const COPIED_HEADERS = ['cookie', 'origin', 'sec-fetch-site', 'user-agent'] as const

/** The APIs whose calls can be repeated, with the prefixes of their paths. */
const REPEATED_APIS = {
  store: { prefix: '/v1', endpoints: storeEndpoints },
  security: { prefix: SECURITY_PREFIX, endpoints: securityEndpoints },
}

/** Returns the function that sends a call again. Its address is built from the endpoint, never taken from the log. */
function prepareRepeat(
  request: FastifyRequest,
  hash: string,
  { api, operation, path }: LoggedTarget,
): SendCall | undefined {
  const { prefix, endpoints } = REPEATED_APIS[api]
  const endpoint = endpoints.find(({ id }) => id === operation)
  const target = endpoint && rebuildTarget(prefix + endpoint.path, path)
  if (endpoint === undefined || target === undefined) return undefined
  const url = `${API_PREFIX}/stores/${hash}${target}`
  return (body) => sendInternalCall(request, { method: endpoint.method, url, body })
}

/** Makes a call for the same browser, through the whole server and with a new idempotency key. */
async function sendInternalCall(
  request: FastifyRequest,
  { method, url, body }: { method: Endpoint['method']; url: string; body: string | undefined },
): Promise<InternalAnswer> {
  const started_ms = performance.now()
  const copiedHeaders = COPIED_HEADERS.flatMap((name) => {
    const value = request.headers[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  const response = await request.server.inject({
    method,
    url,
    remoteAddress: request.ip,
    headers: {
      ...Object.fromEntries(copiedHeaders),
      ...(method === 'GET' ? {} : { 'idempotency-key': newId('replay_') }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: body }),
  })
  return {
    status: response.statusCode,
    text: response.body,
    request_id: String(response.headers['x-request-id']),
    duration_ms: performance.now() - started_ms,
  }
}

interface AuthenticatedCall {
  session: UserSession
  permissions: ReadonlySet<string>
  store: StoreRow
  request: FastifyRequest
  now: number
}

function checkEndpoint(
  endpoint: Endpoint,
  { session, permissions, store, request, now }: AuthenticatedCall,
): void {
  const missingPermission = permissionsFor(endpoint, request.query).find(
    (item) => !permissions.has(item),
  )
  if (missingPermission) {
    const message = `Your role ${session.role} lacks the permission ${missingPermission}. Ask an owner of the store.`
    throw dashboardRefusal('INSUFFICIENT_SCOPE', message, { required: missingPermission })
  }
  if (needsStepUp(endpoint)) checkStepUp(session, now)
  checkFeature(store, endpoint)
}

/** A call that shows secrets in full also needs the write permission of the area (decision 136). */
function permissionsFor({ permission, reveals }: Endpoint, query: unknown): string[] {
  if (reveals === undefined) return [permission]
  const flag = reveals === 'always' ? 'true' : Object(query)[reveals.if_query]
  const isShown = flag !== undefined && flag !== 'false'
  return isShown ? [permission, permission.replace(/:read$/, ':write')] : [permission]
}
