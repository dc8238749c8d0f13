import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { StoreDirectory } from '../features/installation/index.ts'
import { receiveCallback } from '../features/store/index.ts'
import { type RateLimiter, requireAllowed } from '../http/rate-limit.ts'
import { notFound } from '../kernel/errors.ts'
import { isHash } from '../kernel/ids.ts'
import { networkOf } from '../kernel/net.ts'

/** The largest body of a callback (decision 456). */
const BODY_BYTES_MAX = 256 * 1024
/** The maximum number of refused callbacks of an IPv4 address or an IPv6 /64 in a minute. Accepted ones are not counted. */
const REFUSED_MAX = 600

type CallbackRequest = FastifyRequest<{ Params: { provider: string; hash: string } }>

/**
 * Returns the name under which callbacks to a store without the provider are counted. A provider sends the callbacks of all
 * stores from few addresses, and continues after one store has disconnected it (decision 456).
 */
const unconnectedName = ({ ip, params: { hash } }: CallbackRequest): string =>
  `${networkOf(ip)} ${isHash(hash) ? hash : ''}`

interface CallbackOptions {
  stores: StoreDirectory
  /** Counts refused callbacks by IP address. */
  refusedCallbacks: RateLimiter
}

/**
 * Mounts the address to which payment providers send callbacks. It needs no key: the signature of the provider over the
 * bytes of the body is checked. The answer comes when the callback is stored, and it is applied afterwards.
 */
export function mountCallbacks(
  server: FastifyInstance,
  app: App,
  { stores, refusedCallbacks }: CallbackOptions,
) {
  /** Requests that name a store of this installation, connected or not. */
  const namingStores = new WeakSet<CallbackRequest>()
  server.post(
    '/callbacks/:provider/:hash',
    {
      bodyLimit: BODY_BYTES_MAX,
      onRequest: async (request: CallbackRequest) => {
        // The signature decides about the bytes, whichever type they are said to have (decision 456).
        delete request.headers['content-type']
        // Before the body is read, so that an address above its limit costs no work.
        for (const name of [networkOf(request.ip), unconnectedName(request)]) {
          const allowance = await refusedCallbacks.peek(name, REFUSED_MAX, app.clock.now())
          requireAllowed(allowance, 'Too many callbacks from this IP address were refused.')
        }
      },
      onSend: async (request: CallbackRequest, { statusCode }) => {
        if (statusCode < 400 || statusCode >= 500 || statusCode === 429) return
        const isUnconnected = statusCode === 404 && namingStores.has(request)
        const name = isUnconnected ? unconnectedName(request) : networkOf(request.ip)
        await refusedCallbacks.count(name, REFUSED_MAX, app.clock.now())
      },
    },
    async (request: CallbackRequest, reply: FastifyReply) => {
      const { provider, hash } = request.params
      const store = isHash(hash) ? await stores.find(hash) : undefined
      if (!store) throw notFound('The store', hash)
      namingStores.add(request)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      await receiveCallback(app, store, { provider, headers: request.headers, body })
      return reply.send({ received: true })
    },
  )
}
