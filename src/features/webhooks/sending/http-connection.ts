import type { Socket } from 'node:net'
import { Client } from 'undici'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Target } from '../../../network/address.rules.ts'
import type { HostResolver, Resolution } from '../../../network/resolver.ts'
import { openSocket } from './connect.ts'
import type { Connection, Exchange } from './exchange.ts'
import { failureOf, SendFailure } from './outcome.rules.ts'

/** What every connection of a sender shares. */
export interface Wiring {
  resolver: HostResolver
  deadline_ms: number
  /** PEM of the only authority to trust, for tests. */
  ca?: string | undefined
  counters: { sockets: number; blocked: number }
}

/** Where a connection leads; `session` is the newest TLS session with it. */
export interface Destination {
  readonly target: Target
  session: Buffer | undefined
}

type Connected = (failure: SendFailure | undefined, socket: Socket | undefined) => void

const KEEP_ALIVE_MS = 4 * SECOND_MS
const HEADER_MAX = 16 * 1024
/** undici's own timers come later than ours, in case ours has a fault. */
const BACKSTOP_MS = 5 * SECOND_MS

/** One connection to a destination, made when it is needed, one request at a time. */
export class HttpConnection implements Connection {
  readonly #wiring: Wiring
  readonly #destination: Destination
  readonly #client: Client
  /** A socket that undici does not hold yet. */
  #opening: Socket | undefined = undefined
  #cut = false

  constructor(wiring: Wiring, destination: Destination, closed: () => void) {
    this.#wiring = wiring
    this.#destination = destination
    this.#client = new Client(destination.target.origin, {
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A receiver's `Keep-Alive: timeout=600` shall not hold a socket for ten minutes.
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_MAX,
      headersTimeout: wiring.deadline_ms + BACKSTOP_MS,
      bodyTimeout: wiring.deadline_ms + BACKSTOP_MS,
      connect: (_options, callback) =>
        this.#connect((failure, socket) =>
          socket ? callback(null, socket) : callback(failureOf(failure), null),
        ),
    })
    this.#client.on('connect', () => {
      wiring.counters.sockets++
    })
    this.#client.on('disconnect', () => {
      wiring.counters.sockets--
      closed()
    })
  }

  post(exchange: Exchange): void {
    const { target, headers, body } = exchange
    const { origin, path } = target
    const request = { method: 'POST', origin, path, headers, body, blocking: false }
    this.#client.dispatch(request, exchange)
  }

  cut(): void {
    if (this.#cut) return
    this.#cut = true
    this.#opening?.destroy()
    this.#client.destroy(null, () => undefined)
  }

  // Runs for each new socket, so that a name is vetted anew whenever its addresses may be others.
  #connect(done: Connected): void {
    this.#wiring.resolver.resolve(this.#destination.target.host).then(
      (found) => this.#open(found, done),
      () => done(new SendFailure('dns_error', 'The host name could not be looked up.'), undefined),
    )
  }

  #open(found: Resolution, done: Connected): void {
    if (this.#cut) return
    if ('why' in found) {
      if (found.error_code === 'blocked_address') this.#wiring.counters.blocked++
      done(new SendFailure(found.error_code, found.why), undefined)
      return
    }
    const { target, session } = this.#destination
    const secrecy = { ca: this.#wiring.ca, session }
    const socket = openSocket(target, found.addresses, secrecy, (failure) => {
      this.#opening = undefined
      done(failure, failure ? undefined : socket)
    })
    this.#opening = socket
    socket.on('session', (newest: Buffer) => {
      this.#destination.session = newest
    })
  }
}
