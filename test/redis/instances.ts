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

/** A busy machine may be late, and a test of exact counts must not count alone for it. */
const PATIENT_MS = 60_000

/** Another process on the database of `tradepost`, in this one: its own keys, stores, apps and counts. */
export async function openInstance(
  tradepost: Tradepost,
  redisUrl: string,
  deadline_ms = PATIENT_MS,
): Promise<Instance> {
  const { app: first } = tradepost
  const config = { ...first.config, redisUrl }
  const app = { ...first, config, caches: createCaches(first.clock) }
  const authentication = openAuthentication(app, { deadline_ms })
  await authentication.rateLimits.opened
  const server = await openSurfaces(app, authentication, {
    version: 'test',
    storeApiUrl: 'http://127.0.0.1:4100/v1',
    leaving: () => false,
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

/** A Tradepost whose calls go to these instances in turns. */
export function balanced(tradepost: Tradepost, instances: readonly Instance[]): Tradepost {
  let turn = 0
  const inject = (request: InjectOptions) => {
    const instance = instances[turn++ % instances.length]
    if (!instance) throw new Error('There is no instance.')
    return instance.server.inject(request)
  }
  return { ...tradepost, server: { inject } as unknown as FastifyInstance }
}
