import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import {
  apiKeyEndpoints,
  countEndpoints,
  doctorEndpoints,
  requestLogEndpoints,
  savedViewEndpoints,
  teamEndpoints,
  type UserSession,
  userEndpoints,
} from '../../features/installation/index.ts'
import { clientSessionEndpoints } from '../../features/licensing/index.ts'
import { stockKeyEndpoints } from '../../features/store/index.ts'
import { webhookSecretEndpoints } from '../../features/webhooks/index.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { createIdempotency } from '../../http/idempotency.ts'
import { mount, type Surface } from '../../http/mount.ts'
import { mountPipeline, namingMissing, type Pipeline, succeed } from '../../http/pipeline.ts'
import { rawOf, readRequest } from '../../http/read-request.ts'
import type { Render } from '../../http/server.ts'
import type { UserEndpoint } from '../../http/user-endpoint.ts'
import type { KeyKind } from '../../kernel/api-key.ts'
import type { Cookies } from '../../kernel/browser.ts'
import { mountSecurityApi, renderSecurityRefusal } from '../security-api.ts'
import { mountStoreApi, renderStoreRefusal } from '../store-api.ts'
import type { AuthenticationContext } from '../store-authentication.ts'
import { readCookie, setCookies } from './cookies.ts'
import {
  actingAs,
  authenticateUser,
  checkHttps,
  checkOrigin,
  checkStepUp,
  countUserCall,
  sessionOf,
  signInFirst,
} from './dashboard-authentication.ts'
import { DashboardRefusal } from './dashboard-refusal.ts'
import { mountStream, STREAM_PATH } from './stream.ts'

export const DASHBOARD_PREFIX = '/dashboard/api'
const STORE_PREFIX = '/stores/:store_hash'

/** The endpoints of a store that exist in the dashboard only (decision 134). */
export const dashboardEndpoints: readonly Endpoint[] = [
  ...teamEndpoints,
  ...apiKeyEndpoints,
  ...webhookSecretEndpoints,
  ...stockKeyEndpoints,
  ...clientSessionEndpoints,
  ...countEndpoints,
  ...requestLogEndpoints,
  ...savedViewEndpoints,
  ...doctorEndpoints,
]

/** The API that has the permission of an endpoint. */
const kindOf = (e: Endpoint | undefined): KeyKind =>
  e?.permission.startsWith('client_security:') ? 'security' : 'store'

/** Refusals of operations have the form of the API that the path names. */
export const renderDashboardRefusal: Render = (error, requestId, url = '') =>
  /^\/dashboard\/api\/stores\/[^/]*\/security\//.test(url) && !(error instanceof DashboardRefusal)
    ? renderSecurityRefusal(error)
    : renderStoreRefusal(error, requestId)

/**
 * The private API of the dashboard: the operations of the Store API and the Client Security API
 * behind a session cookie, and the endpoints that exist nowhere else (decision 285).
 */
export async function mountDashboardApi(server: FastifyInstance, auth: AuthenticationContext) {
  const { app } = auth
  const authenticate =
    (kind: KeyKind): Surface['authenticate'] =>
    (request, reply, e) =>
      authenticateUser(auth, kind, { request, reply, e })
  await server.register(async (scope) => mountStoreApi(scope, app, authenticate('store')), {
    prefix: `${STORE_PREFIX}/v1`,
  })
  await server.register(async (scope) => mountSecurityApi(scope, app, authenticate('security')), {
    prefix: `${STORE_PREFIX}/security/v1`,
  })
  await server.register(
    async (scope) => {
      mountStream(scope, auth)
      const beside = [{ method: 'GET' as const, path: STREAM_PATH }]
      const idempotency = createIdempotency(app.vault)
      const surface = { app, idempotency, beside, render: renderStoreRefusal }
      const authenticateOwn: Surface['authenticate'] = (request, reply, e) =>
        authenticate(kindOf(e))(request, reply, e)
      mount(scope, { ...surface, authenticate: authenticateOwn }, dashboardEndpoints)
    },
    { prefix: STORE_PREFIX },
  )
  mountUserEndpoints(server, auth)
}

/** The endpoints outside of any store: sign-in, and the user's own account. */
function mountUserEndpoints(server: FastifyInstance, auth: AuthenticationContext) {
  const { app } = auth
  const pipeline: Pipeline<UserEndpoint, UserSession | undefined> = {
    admit: (request, reply, e) => admit(auth, e, request, reply),
    async admitUnknown(request) {
      if (!(await sessionOf(app, request))) throw signInFirst()
    },
    run: async (visit) => {
      const { e, caller: session, request, reply } = visit
      return succeed(visit, await callOf(e, request, reply, { app, session }))
    },
  }
  mountPipeline(server, pipeline, userEndpoints)
}

/** The checks of an endpoint outside of any store. */
export async function admit(
  auth: AuthenticationContext,
  e: UserEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UserSession | undefined> {
  const { app } = auth
  const session = await sessionOf(app, request)
  if (!session && e.session === 'required') throw signInFirst()
  // First, because a browser that reached plain http by another name needs this sentence.
  if (e.session === 'none') checkHttps(app)
  checkOrigin(app, request)
  if (session) await countUserCall(auth, reply, session)
  if (session && e.step_up) checkStepUp(session, app.clock.now())
  return session
}

/** Runs an endpoint. `body` replaces that of the request, for the forms of pages. */
export async function callOf(
  e: UserEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { app, session, body }: { app: App; session: UserSession | undefined; body?: Uint8Array },
): Promise<unknown> {
  const { publicUrl } = app.config
  const raw = { ...rawOf(request), ...(body && { contentType: 'application/json', body }) }
  const browser = {
    ip: request.ip,
    user_agent: request.headers['user-agent'] ?? '',
    device: readCookie(request, publicUrl, 'device'),
  }
  const call = {
    app: actingAs(app, session, request),
    browser,
    session,
    setCookies: (cookies: Cookies) => setCookies(reply, publicUrl, cookies),
  }
  return namingMissing({ e, request }, async () => e.handle({ ...call, ...readRequest(e, raw) }))
}
