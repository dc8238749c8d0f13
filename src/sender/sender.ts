import { setImmediate as nextTurn } from 'node:timers/promises'
import { SECOND_MS } from '../kernel/time.ts'
import { checkTarget, type RefusedTarget, type Target } from '../network/address.rules.ts'
import { createResolver, type HostResolver } from '../network/resolver.ts'
import { BatchedWriter } from './batched-writer.ts'
import { Connections, type Limits } from './connections.ts'
import { Exchange, type ExchangeOwner } from './exchange.ts'
import { failedOutcome, failureOf, type Outcome, SendFailure } from './outcome.rules.ts'
import { type Headers, requestBytes } from './request.rules.ts'
import { traceRequest } from './tracing.ts'

interface SendRequest {
  url: string
  /** Fixed headers override these. */
  headers: Headers
  body: Uint8Array
  /**
   * The connection pool. Each pool has its own connections to an origin, so pools do not wait for
   * each other.
   */
  pool?: number
  /** Called after a wait for a connection. If it returns false, the request is not sent. Never rejects. */
  recheck?: () => Promise<boolean>
}

export interface SenderOptions {
  /** Lower-case hosts that may resolve to private addresses and use http (decision 15). */
  allowedHosts: ReadonlySet<string>
  resolver?: HostResolver
  /** The maximum time from the start, including DNS, to the end of the header block (decision 49). */
  deadline_ms?: number
  limits?: Partial<Limits>
  /**
   * The maximum size of a body that is needed whole. A body that is longer, incomplete, not UTF-8 or contains NUL is
   * then a failure. By default only the status decides, and the first 4 KiB of the body are stored.
   */
  whole_body_max?: number
  /** For tests: the only trusted CA, in PEM. */
  ca?: string
}

export interface SenderStats {
  in_flight: number
  /** Requests in flight that wait for a free connection. */
  waiting: number
  origins: number
  sockets: number
  /** Requests that were refused because of their address, since the start. */
  blocked: number
}

export interface Sender {
  /** Sends one POST. Never rejects: failures are outcomes. */
  send(request: SendRequest): Promise<Outcome>
  /**
   * Ends waiting requests unsent, waits for running requests for at most `deadline_ms`, and closes all
   * connections.
   */
  close(): Promise<void>
  stats(): SenderStats
}

const DEADLINE_MS = 10 * SECOND_MS
const LIMITS: Limits = { sockets_per_origin: 10, origins: 2_000 }
const BODY_MAX = 4 * 1024
const TARGETS_MAX = 2_000

/** Creates a sender of webhooks (decisions 15 and 16). */
export function createSender(options: SenderOptions): Sender {
  const { allowedHosts, deadline_ms = DEADLINE_MS } = options
  const resolver = options.resolver ?? createResolver({ allowedHosts })
  const counters = { sockets: 0, blocked: 0 }
  const context = { resolver, ca: options.ca, counters, outbox: new BatchedWriter() }
  const connections = new Connections(context, { ...LIMITS, ...options.limits })
  const targetOf = cacheTargets(allowedHosts)
  let in_flight = 0
  let resolveClosed: (() => void) | undefined
  let closing: Promise<void> | undefined
  const owner: ExchangeOwner = {
    deadline_ms,
    body_max: options.whole_body_max ?? BODY_MAX,
    isWholeBodyNeeded: options.whole_body_max !== undefined,
    onEnd(exchange, isClean) {
      connections.end(exchange, isClean)
      in_flight--
      if (in_flight === 0) resolveClosed?.()
    },
  }

  const close = () => {
    closing ??= shutDown()
    return closing
  }

  return { send, close, stats: () => ({ in_flight, ...connections.stats() }) }

  function send(request: SendRequest): Promise<Outcome> {
    if (resolveClosed) {
      const failure = new SendFailure('connection_refused', 'The sender is shutting down.')
      return Promise.resolve({ ...failedOutcome(failure, 0), unsent: true })
    }
    const target = targetOf(request.url)
    if ('refusal' in target) {
      counters.blocked++
      return Promise.resolve(failedOutcome(new SendFailure('blocked_address', target.message), 0))
    }
    try {
      return post(target, request)
    } catch (error) {
      return Promise.resolve(failedOutcome(failureOf(error), 0))
    }
  }

  function post(
    target: Target,
    { headers, body, pool = 0, recheck }: SendRequest,
  ): Promise<Outcome> {
    const trace = traceRequest(target, headers)
    const bytes = requestBytes(target, trace?.headers ?? headers, body)
    in_flight++
    return new Promise((resolve) => {
      const poolKey = `${pool} ${target.origin}`
      connections.run(
        new Exchange(owner, { target, pool: poolKey, bytes, trace, recheck, resolve }),
      )
    })
  }

  async function shutDown(): Promise<void> {
    await new Promise<void>((resolve) => {
      resolveClosed = resolve
      connections.endWaiting()
      if (in_flight === 0) resolve()
    })
    // The caller of the last `send` gets its outcome before the connections close, and saves it.
    await nextTurn()
    connections.closeAll()
    resolver.close()
  }
}

// Parsing a URL is a significant part of a delivery, and the same few URLs repeat.
function cacheTargets(allowedHosts: ReadonlySet<string>): (url: string) => Target | RefusedTarget {
  const cache = new Map<string, Target | RefusedTarget>()
  return (url) => {
    const cached = cache.get(url)
    if (cached) return cached
    if (cache.size >= TARGETS_MAX) cache.clear()
    const target = checkTarget(url, allowedHosts)
    cache.set(url, target)
    return target
  }
}
