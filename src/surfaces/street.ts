import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { openServer } from '../http/server.ts'
import { mountDownloads } from './downloads.ts'
import type { Gate } from './gate.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { mountOperations, type Operations } from './operations.ts'
import { mountStoreApi, renderStoreError } from './store-api.ts'

/** All surfaces on one server. */
export async function openStreet(
  app: App,
  gate: Gate,
  operations: Omit<Operations, 'metrics'> & { metrics?: Metrics },
): Promise<FastifyInstance> {
  const metrics = operations.metrics ?? createMetrics(app.clock)
  const server = openServer(app.log, app.config.trustedProxies, renderStoreError)
  metrics.watch(server)
  mountOperations(server, app, { ...operations, metrics })
  mountDownloads(server, app)
  await server.register(async (scope) => mountStoreApi(scope, app, gate), { prefix: '/v1' })
  await server.ready()
  return server
}
