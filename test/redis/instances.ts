import type { FastifyInstance, InjectOptions } from 'fastify'
import { createCaches } from '../../src/kernel/caches.ts'
import { openSurfaces } from '../../src/surfaces/server.ts'
import { type Authentication, openAuthentication } from '../../src/surfaces/store-authentication.ts'
import type { Tradepost } from '../harness.ts'

/** The parts of a process that tests call: its surfaces and its counters. */
export interface Instance extends Pick<Tradepost, 'server' | 'app'> {
  authentication: Authentication
  close(): Promise<void>
}

/** The deadline of a call of Redis. It is long, because a process that misses it counts its own calls only. */
const REDIS_DEADLINE_MS = 60_000

/**
 * Opens a second instance on the database of `tradepost`, in this process. Like a separate process, it has its own
 * caches and counters.
 */
export async function openInstance(
  tradepost: Tradepost,
  redisUrl: string,
  deadline_ms = REDIS_DEADLINE_MS,
): Promise<Instance> {
  const config = { ...tradepost.app.config, redisUrl }
  const app = { ...tradepost.app, config, caches: createCaches(tradepost.app.clock) }
  const authentication = openAuthentication(app, { deadline_ms })
  await authentication.rateLimits.opened
  const server = await openSurfaces(app, authentication, {
    version: 'test',
    storeApiUrl: 'http://127.0.0.1:4100/v1',
    isStopping: () => false,
  })
  return {
    app,
    server,
    authentication,
    async close() {
      authentication.rateLimits.close()
      await server.close()
    },
  }
}

/** Returns a Tradepost that sends each call to the next instance. */
export function balanced(tradepost: Tradepost, instances: readonly Instance[]): Tradepost {
  let calls = 0
  const inject = (request: InjectOptions) => {
    const instance = instances[calls++ % instances.length]
    if (!instance) throw new Error('There is no instance.')
    return instance.server.inject(request)
  }
  return { ...tradepost, server: { inject } as unknown as FastifyInstance }
}
