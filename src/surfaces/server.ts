import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { loadPatterns } from '../features/licensing/index.ts'
import { loadCleaner } from '../features/store/index.ts'
import { allowCompression } from '../http/compression.ts'
import type { Surface } from '../http/mount.ts'
import { openServer, type Render } from '../http/server.ts'
import { openAppDirectory } from './app-book.ts'
import { watchCalls } from './call-watch.ts'
import { mountClientApi } from './client-api.ts'
import {
  DASHBOARD_PREFIX,
  mountDashboardApi,
  renderDashboardRefusal,
} from './dashboard/dashboard-api.ts'
import { mountDashboardPages } from './dashboard/pages.ts'
import { openDocuments } from './documents.ts'
import { mountDownloads } from './downloads.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { mountOperations, type Operations } from './operations.ts'
import { mountPartnerLinks } from './partner-links.ts'
import { mountReference } from './reference.ts'
import { mountSecurityApi, renderSecurityRefusal, SECURITY_PREFIX } from './security-api.ts'
import { authenticateSecurity } from './security-authentication.ts'
import { mountStopMail } from './stop-mail.ts'
import { mountStoreApi } from './store-api.ts'
import type { Authentication } from './store-authentication.ts'

/** Renders refusals of unknown routes in the form of the API that the path belongs to. */
export const renderByPath: Render = (error, requestId, url = '') =>
  url.startsWith('/security/')
    ? renderSecurityRefusal(error)
    : renderDashboardRefusal(error, requestId, url)

/** All surfaces on one server. */
export async function openSurfaces(
  app: App,
  authentication: Authentication,
  operations: Omit<Operations, 'metrics' | 'rateLimits'> & { metrics?: Metrics },
): Promise<FastifyInstance> {
  await Promise.all([loadCleaner(), loadPatterns()])
  const metrics = operations.metrics ?? createMetrics(app.clock)
  const book = openAppDirectory(app, authentication.auth.book)
  const server = openServer(app.log, app.config.trustedProxies, renderByPath)
  metrics.watch(server)
  const documents = openDocuments(operations.version, operations.storeApiUrl)
  const { rateLimits } = authentication
  await server.register(async (scope) => {
    await allowCompression(scope)
    mountOperations(scope, app, { ...operations, metrics, documents, rateLimits })
    mountReference(scope, documents, operations)
  })
  mountDownloads(server, app)
  mountStopMail(server, app)
  mountPartnerLinks(server, app, authentication.auth.clicks)
  await server.register(
    async (scope) => {
      // Before compression, which replaces the text of an answer.
      watchCalls(scope, authentication.auth, 'store')
      await allowCompression(scope)
      mountStoreApi(scope, app, authentication.authenticate)
    },
    { prefix: '/v1' },
  )
  const authenticateSeller: Surface['authenticate'] = (request, reply, e) =>
    authenticateSecurity(authentication.auth, { request, reply, e })
  await server.register(
    async (scope) => {
      watchCalls(scope, authentication.auth, 'security')
      mountSecurityApi(scope, app, authenticateSeller)
    },
    { prefix: SECURITY_PREFIX },
  )
  await server.register(async (scope) => mountClientApi(scope, app, authentication.auth, book), {
    prefix: `${SECURITY_PREFIX}/client`,
  })
  await server.register(async (scope) => mountDashboardApi(scope, authentication.auth), {
    prefix: DASHBOARD_PREFIX,
  })
  mountDashboardPages(server, authentication.auth)
  await server.ready()
  return server
}
