import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { loadRe2 } from '../features/licensing/index.ts'
import { loadCleaner } from '../features/store/index.ts'
import { allowCompression } from '../http/compression.ts'
import type { Surface } from '../http/mount.ts'
import { openServer, type Render } from '../http/server.ts'
import { openAppDirectory } from './app-directory.ts'
import { watchCalls } from './call-watch.ts'
import { mountCallbacks } from './callbacks.ts'
import { mountClientApi } from './client-api.ts'
import { CORS_HEADERS } from './client-cors.ts'
import {
  DASHBOARD_PREFIX,
  mountDashboardApi,
  renderDashboardRefusal,
} from './dashboard/dashboard-api.ts'
import { type LoadDemo, mountDashboardPages } from './dashboard/pages.ts'
import { openDocuments } from './documents.ts'
import { mountDownloads } from './downloads.ts'
import { mountMcp } from './mcp/routes.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { mountOperations, type SurfaceOptions } from './operations.ts'
import { mountOrderPages } from './order-page/routes.ts'
import { mountPartnerLinks } from './partner-links.ts'
import { mountReference } from './reference.ts'
import { mountSecurityApi, renderSecurityRefusal, SECURITY_PREFIX } from './security-api.ts'
import { authenticateSecurity } from './security-authentication.ts'
import { mountStopMail } from './stop-mail.ts'
import { mountStoreApi } from './store-api.ts'
import type { Authentication } from './store-authentication.ts'
import { mountTestPaymentPage } from './test-payment-page.ts'

const CLIENT_PREFIX = `${SECURITY_PREFIX}/client`

/** Renders a refusal of an unknown route in the form of the API to which the path belongs. */
export const renderByPath: Render = (error, requestId, url = '') => {
  if (!url.startsWith('/security/')) return renderDashboardRefusal(error, requestId, url)
  const answer = renderSecurityRefusal(error)
  if (!url.startsWith(`${CLIENT_PREFIX}/`)) return answer
  // Refusals before the route is known, such as 503 during the start, pass no hook of the client API.
  return { ...answer, headers: { ...answer.headers, ...CORS_HEADERS } }
}

/**
 * Loads packages that block the process for up to 0.1 s, so that no call has to load them. A server is ready before
 * that (decision 451).
 */
export const loadSlowPackages = () => Promise.all([loadCleaner(), loadRe2()])

/** Opens a server with all surfaces. */
export async function openSurfaces(
  app: App,
  authentication: Authentication,
  options: Omit<SurfaceOptions, 'metrics' | 'rateLimits'> & {
    metrics?: Metrics
    /** Undefined if this process cannot create the demo store. */
    loadDemo?: LoadDemo
  },
): Promise<FastifyInstance> {
  const metrics = options.metrics ?? createMetrics(app.clock)
  const apps = openAppDirectory(app, authentication.auth.stores)
  const server = openServer(app.log, app.config.trustedProxies, renderByPath)
  metrics.watch(server)
  const documents = openDocuments(options.version, options.storeApiUrl)
  const { rateLimits } = authentication
  await server.register(async (scope) => {
    await allowCompression(scope)
    mountOperations(scope, app, { ...options, metrics, documents, rateLimits })
    mountReference(scope, documents, options)
  })
  mountDownloads(server, app)
  mountStopMail(server, app)
  mountPartnerLinks(server, app, authentication.auth.clicks)
  mountCallbacks(server, app, authentication.auth)
  mountTestPaymentPage(server, app, authentication.auth.pageCalls)
  mountOrderPages(server, app, authentication.auth)
  mountMcp(server, authentication, documents)
  await server.register(
    async (scope) => {
      // This hook must precede the compression hook, which replaces the text of an answer.
      watchCalls(scope, authentication.auth, 'store')
      await allowCompression(scope)
      mountStoreApi(scope, app, authentication.authenticate)
    },
    { prefix: '/v1' },
  )
  const authenticateSecurityCall: Surface['authenticate'] = (request, reply, endpoint) =>
    authenticateSecurity(authentication.auth, { request, reply, endpoint })
  await server.register(
    async (scope) => {
      watchCalls(scope, authentication.auth, 'security')
      mountSecurityApi(scope, app, authenticateSecurityCall)
    },
    { prefix: SECURITY_PREFIX },
  )
  await server.register(async (scope) => mountClientApi(scope, app, authentication.auth, apps), {
    prefix: CLIENT_PREFIX,
  })
  await server.register(async (scope) => mountDashboardApi(scope, authentication.auth), {
    prefix: DASHBOARD_PREFIX,
  })
  await server.register(
    async (scope) => mountDashboardPages(scope, authentication.auth, options.loadDemo),
    { prefix: '/dashboard' },
  )
  await server.ready()
  return server
}
