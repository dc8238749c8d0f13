import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import {
  apiKeyEndpoints,
  backupEndpoints,
  countEndpoints,
  doctorEndpoints,
  requestLogEndpoints,
  savedViewEndpoints,
  systemEndpoints,
  teamEndpoints,
  testMailEndpoints,
  type UserSession,
  userEndpoints,
} from '../../features/installation/index.ts'
import {
  clientSessionEndpoints,
  downloadVersion,
  FileVersionPath,
  fileVersionEndpoints,
  maskedKeyEndpoints,
  readerEndpoints,
  stringVersionEndpoints,
} from '../../features/licensing/index.ts'
import {
  affiliateDashboardEndpoints,
  blocklistMatchEndpoints,
  couponAmountEndpoints,
  dashboardAnalyticsEndpoints,
  disputeEndpoints,
  returnPhotoEndpoints,
  savedReplyEndpoints,
  stockKeyEndpoints,
  ticketOrderEndpoints,
} from '../../features/store/index.ts'
import { storeEventEndpoints, webhookDashboardEndpoints } from '../../features/webhooks/index.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { type Answer, createIdempotency } from '../../http/idempotency.ts'
import { mount, type Surface } from '../../http/mount.ts'
import {
  mountPipeline,
  type Pipeline,
  successAnswer,
  withNamedRecord,
} from '../../http/pipeline.ts'
import { rawOf, readRequest } from '../../http/read-request.ts'
import type { Render } from '../../http/server.ts'
import type { UserEndpoint } from '../../http/user-endpoint.ts'
import type { KeyKind } from '../../kernel/api-key.ts'
import type { Cookies } from '../../kernel/browser.ts'
import { type Refusal, sentenceOf, wordsOf } from '../../kernel/errors.ts'
import { mountContent } from '../mount-content.ts'
import { mountSecurityApi, renderSecurityRefusal, securityEndpoints } from '../security-api.ts'
import { mountStoreApi, renderStoreRefusal } from '../store-api.ts'
import type { AuthenticationContext } from '../store-authentication.ts'
import { readCookie, setCookies } from './cookies.ts'
import {
  authenticateUser,
  checkHttps,
  checkOrigin,
  checkStepUp,
  checkUser,
  countAnonymousCall,
  countUserCall,
  sessionOf,
  signInRequired,
  withUserActor,
} from './dashboard-authentication.ts'
import { DashboardRefusal } from './dashboard-refusal.ts'
import { withMaskedValues } from './masked-values.ts'
import { mountStream, STREAM_PATH } from './stream.ts'

export const DASHBOARD_PREFIX = '/dashboard/api'
const STORE_PREFIX = '/stores/:store_hash'
const VERSION_CONTENT_PATH = '/files/:id/versions/:version/content'

/** The endpoints of a store that only the dashboard has (decision 134). */
export const dashboardEndpoints: readonly Endpoint[] = [
  ...teamEndpoints,
  ...apiKeyEndpoints,
  ...webhookDashboardEndpoints,
  ...storeEventEndpoints,
  ...stockKeyEndpoints,
  ...blocklistMatchEndpoints,
  ...affiliateDashboardEndpoints,
  ...couponAmountEndpoints,
  ...dashboardAnalyticsEndpoints,
  ...disputeEndpoints,
  ...returnPhotoEndpoints,
  ...savedReplyEndpoints,
  ...ticketOrderEndpoints,
  ...clientSessionEndpoints,
  ...maskedKeyEndpoints,
  ...readerEndpoints,
  ...stringVersionEndpoints,
  ...fileVersionEndpoints,
  ...countEndpoints,
  ...requestLogEndpoints,
  ...savedViewEndpoints,
  ...doctorEndpoints,
  ...backupEndpoints,
  ...systemEndpoints,
  ...testMailEndpoints,
]

const maskedEndpoints = securityEndpoints.map(withMaskedValues)

/** Returns the API to which the permission of an endpoint belongs. */
const apiKindOf = (endpoint: Endpoint | undefined): KeyKind =>
  endpoint?.permission.startsWith('client_security:') ? 'security' : 'store'

/**
 * Renders a refusal of the Client Security API for the forms of the dashboard, which word the broken rules in their own
 * language (decision 515).
 */
function renderFormRefusal(error: Refusal): Answer {
  const answer = renderSecurityRefusal(error)
  if (error.code !== 'VALIDATION_FAILED') return answer
  const { details } = wordsOf(error)
  return { ...answer, body: JSON.stringify({ success: false, error: sentenceOf(error), details }) }
}

/** Renders a refusal of an operation in the form of the API in the path. */
export const renderDashboardRefusal: Render = (error, requestId, url = '') =>
  /^\/dashboard\/api\/stores\/[^/]*\/security\//.test(url) && !(error instanceof DashboardRefusal)
    ? renderFormRefusal(error)
    : renderStoreRefusal(error, requestId)

/**
 * Mounts the private API of the dashboard: the operations of the Store API and of the Client Security API with
 * a session cookie, and the endpoints that only the dashboard has (decision 134).
 */
export async function mountDashboardApi(server: FastifyInstance, auth: AuthenticationContext) {
  const { app } = auth
  const authenticate =
    (kind: KeyKind): Surface['authenticate'] =>
    (request, reply, endpoint) =>
      authenticateUser(auth, kind, { request, reply, endpoint })
  await server.register(async (scope) => mountStoreApi(scope, app, authenticate('store')), {
    prefix: `${STORE_PREFIX}/v1`,
  })
  await server.register(
    async (scope) =>
      mountSecurityApi(scope, app, authenticate('security'), {
        endpoints: maskedEndpoints,
        render: renderFormRefusal,
      }),
    {
      prefix: `${STORE_PREFIX}/security/v1`,
    },
  )
  await server.register(
    async (scope) => {
      mountStream(scope, auth)
      const ownRoutes = [STREAM_PATH, VERSION_CONTENT_PATH].map((path) => ({
        method: 'GET' as const,
        path,
      }))
      const idempotency = createIdempotency(app.vault)
      const surface = { app, idempotency, ownRoutes, render: renderStoreRefusal }
      const authenticateByKind: Surface['authenticate'] = (request, reply, endpoint) =>
        authenticate(apiKindOf(endpoint))(request, reply, endpoint)
      const endpoints = dashboardEndpoints.map(withMaskedValues)
      mount(scope, { ...surface, authenticate: authenticateByKind }, endpoints)
      mountContent(
        scope,
        { app, authenticate: authenticateByKind },
        {
          path: VERSION_CONTENT_PATH,
          params: FileVersionPath,
          endpoint: fileVersionEndpoints.find((item) => item.id === 'file_versions.list'),
          read: (context, params, headers) => downloadVersion(context, params, headers),
        },
      )
    },
    { prefix: STORE_PREFIX },
  )
  mountUserEndpoints(server, auth)
}

/** Mounts the endpoints that belong to no store: sign-in, and the account of the user. */
function mountUserEndpoints(server: FastifyInstance, auth: AuthenticationContext) {
  const { app } = auth
  const pipeline: Pipeline<UserEndpoint, UserSession | undefined> = {
    admit: (request, reply, endpoint) => admit(auth, endpoint, request, reply),
    async admitUnknown(request) {
      if (!(await sessionOf(app, request))) throw signInRequired()
    },
    run: async (admittedCall) => {
      const { endpoint, caller: session, request, reply } = admittedCall
      return successAnswer(
        admittedCall,
        await runEndpoint(endpoint, request, reply, { app, session }),
      )
    },
  }
  mountPipeline(server, pipeline, userEndpoints)
}

/** Checks a call of an endpoint that belongs to no store, and returns the session. */
export async function admit(
  auth: AuthenticationContext,
  endpoint: UserEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UserSession | undefined> {
  const { app } = auth
  const session = await sessionOf(app, request)
  if (!session && endpoint.session === 'required') throw signInRequired()
  if (session && endpoint.session === 'required') checkUser(request, session)
  // Checked before the origin, because a browser that uses plain http with another host name needs this message.
  if (endpoint.session === 'none') checkHttps(app, request)
  checkOrigin(app, request)
  if (session) await countUserCall(auth, reply, session)
  else await countAnonymousCall(auth, request)
  if (session && endpoint.step_up) checkStepUp(session, app.clock.now())
  return session
}

/** Runs an endpoint. `body` replaces the body of the request, which is a form on the pages. */
export async function runEndpoint(
  endpoint: UserEndpoint,
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
    app: withUserActor(app, session, request),
    browser,
    session,
    setCookies: (cookies: Cookies) => setCookies(reply, publicUrl, cookies),
  }
  return withNamedRecord({ endpoint, request }, async () =>
    endpoint.handle({ ...call, ...readRequest(endpoint, raw) }),
  )
}
