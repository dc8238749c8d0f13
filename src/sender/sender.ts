import { setImmediate as turn } from 'node:timers/promises'
import { SECOND_MS } from '../kernel/time.ts'
import { checkTarget, type Refusal, type Target } from '../network/address.rules.ts'
import { createResolver, type HostResolver } from '../network/resolver.ts'
import { Connections, type Limits } from './connections.ts'
import { Exchange, type ExchangeOwner } from './exchange.ts'
import { Outbox } from './outbox.ts'
import { failed, failureOf, type Outcome, SendFailure } from './outcome.rules.ts'
import { type Headers, requestBytes } from './request.rules.ts'
import { traceRequest } from './tracing.ts'

export interface SendRequest {
  url: string
  /** The fixed ones win over these. */
  headers: Headers
  body: Uint8Array
  /** Whose connections it takes: of one origin each pool has its own, and waits for no other. */
  pool?: number
  /** Asked before it goes, where it had to wait for a connection: false gives it back unsent. Never rejects. */
  stillDue?: () => Promise<boolean>
}

export interface SenderOptions {
  /** Hosts in lower case that may be private and may speak http (decision 15). */
  allowedHosts: ReadonlySet<string>
  resolver?: HostResolver
  /** From the start, DNS included, to the end of the header block (decision 49). */
  deadline_ms?: number
  limits?: Partial<Limits>
  /** PEM of the only authority to trust, for tests. */
  ca?: string
}

export interface SenderStats {
  in_flight: number
  /** Of those in flight, the ones that no connection was free for. */
  waiting: number
  origins: number
  sockets: number
  /** Sends refused for their address since the start. */
  blocked: number
}

export interface Sender {
  /** POSTs once. Never rejects: what goes wrong is in the outcome. */
  send(request: SendRequest): Promise<Outcome>
  /**
   * Gives back unsent what waits for a connection, lets what is under way end, at most `deadline_ms`,
   * then closes every connection.
   */
  close(): Promise<void>
  stats(): SenderStats
}

const DEADLINE_MS = 10 * SECOND_MS
const LIMITS: Limits = { sockets_per_origin: 10, origins: 2_000 }
const BODY_MAX = 4 * 1024
const TARGETS_MAX = 2_000

/** The sender of webhooks: bytes, a URL and headers go in, an outcome comes out (decisions 15 and 16). */
export function createSender(options: SenderOptions): Sender {
  const { allowedHosts, deadline_ms = DEADLINE_MS } = options
  const resolver = options.resolver ?? createResolver({ allowedHosts })
  const counters = { sockets: 0, blocked: 0 }
  const wiring = { resolver, ca: options.ca, counters, outbox: new Outbox() }
  const connections = new Connections(wiring, { ...LIMITS, ...options.limits })
  const targetOf = rememberTargets(allowedHosts)
  let in_flight = 0
  let closed: (() => void) | undefined
  let closing: Promise<void> | undefined
  const owner: ExchangeOwner = {
    deadline_ms,
    body_max: BODY_MAX,
    ended(exchange, clean) {
      connections.end(exchange, clean)
      in_flight--
      if (in_flight === 0) closed?.()
    },
  }

  const close = () => {
    closing ??= shutDown()
    return closing
  }

  return { send, close, stats: () => ({ in_flight, ...connections.stats() }) }

  function send(request: SendRequest): Promise<Outcome> {
    if (closed) {
      const failure = new SendFailure('connection_refused', 'The sender is shutting down.')
      return Promise.resolve({ ...failed(failure, 0), unsent: true })
    }
    const target = targetOf(request.url)
    if ('refusal' in target) {
      counters.blocked++
      return Promise.resolve(failed(new SendFailure('blocked_address', target.why), 0))
    }
    try {
      return post(target, request)
    } catch (error) {
      return Promise.resolve(failed(failureOf(error), 0))
    }
  }

  function post(
    target: Target,
    { headers, body, pool = 0, stillDue }: SendRequest,
  ): Promise<Outcome> {
    const trace = traceRequest(target, headers)
    const bytes = requestBytes(target, trace?.headers ?? headers, body)
    in_flight++
    return new Promise((resolve) => {
      const own = `${pool} ${target.origin}`
      connections.run(new Exchange(owner, { target, pool: own, bytes, trace, stillDue, resolve }))
    })
  }

  async function shutDown(): Promise<void> {
    await new Promise<void>((resolve) => {
      closed = resolve
      connections.giveBack()
      if (in_flight === 0) resolve()
    })
    // Who sent what ended last hears of it first: its outcome is still to be written down.
    await turn()
    connections.closeAll()
    resolver.close()
  }
}

// Taking a URL apart is no small part of a delivery, and the same few come again and again.
function rememberTargets(allowedHosts: ReadonlySet<string>): (url: string) => Target | Refusal {
  const known = new Map<string, Target | Refusal>()
  return (url) => {
    const remembered = known.get(url)
    if (remembered) return remembered
    if (known.size >= TARGETS_MAX) known.clear()
    const target = checkTarget(url, allowedHosts)
    known.set(url, target)
    return target
  }
}
