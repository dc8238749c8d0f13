import type { Socket } from 'node:net'
import type { Target } from '../network/address.rules.ts'
import type { HostResolver, Resolution } from '../network/resolver.ts'
import { AnswerReader } from './answer-reader.ts'
import { openSocket } from './connect.ts'
import type { Connection, Exchange } from './exchange.ts'
import type { Outbox } from './outbox.ts'
import { failureOf, SendFailure } from './outcome.rules.ts'

/** The parts that all connections of a sender share. */
export interface Wiring {
  resolver: HostResolver
  /** For tests: the only trusted CA, in PEM. */
  ca?: string | undefined
  counters: { sockets: number; blocked: number }
  outbox: Outbox
}

/** The target of a connection; `session` is the newest TLS session with it. */
export interface Destination {
  readonly target: Target
  session: Buffer | undefined
}

const NOTHING = Buffer.alloc(0)

/**
 * One HTTP/1.1 connection, opened for its first request, with one request at a time (decision 110).
 */
export class HttpConnection implements Connection {
  readonly #wiring: Wiring
  readonly #destination: Destination
  readonly #closed: (unwritten: Exchange | undefined) => void
  #socket: Socket | undefined = undefined
  #isOpen = false
  #cut = false
  #exchange: Exchange | undefined = undefined
  /** The reader of the current answer; undefined before the request is written. */
  #reader: AnswerReader | undefined = undefined
  #keep_ms = 0

  /**
   * `closed` is called if the connection broke before a request was written; it receives the
   * pending exchange.
   */
  constructor(
    wiring: Wiring,
    destination: Destination,
    closed: (unwritten: Exchange | undefined) => void,
  ) {
    this.#wiring = wiring
    this.#destination = destination
    this.#closed = closed
  }

  isUsable(): boolean {
    return this.#isOpen && this.#socket?.writable === true
  }

  post(exchange: Exchange): void {
    this.#exchange = exchange
    const { outbox } = this.#wiring
    // A receiver may close right after its answer. The extra turn detects that before a request is
    // lost.
    if (this.#isOpen) outbox.add(() => outbox.add(() => this.#write()))
    else this.#connect()
  }

  cut(): void {
    this.#cut = true
    this.#leave()
    this.#socket?.destroy()
  }

  // A host name is resolved and vetted again for each new socket, because its addresses may have
  // changed.
  #connect(): void {
    this.#wiring.resolver
      .resolve(this.#destination.target.host)
      .then(
        (found) => this.#open(found),
        () => this.#fail(new SendFailure('dns_error', 'The host name could not be looked up.')),
      )
      .catch((error) => this.#fail(error))
  }

  #open(found: Resolution): void {
    if (this.#cut) return
    if ('why' in found) {
      if (found.error_code === 'blocked_address') this.#wiring.counters.blocked++
      this.#fail(new SendFailure(found.error_code, found.why))
      return
    }
    const { target, session } = this.#destination
    const secrecy = { ca: this.#wiring.ca, session }
    const socket = openSocket(target, found.addresses, secrecy, {
      onOpen: (failure) => (failure ? this.#fail(failure) : this.#opened(socket)),
      onBytes: (bytes) => this.#read(bytes),
    })
    this.#socket = socket
    socket.on('session', (newest: Buffer) => {
      this.#destination.session = newest
    })
  }

  #opened(socket: Socket): void {
    const { counters } = this.#wiring
    this.#isOpen = true
    counters.sockets++
    socket.on('close', () => {
      counters.sockets--
      this.#broken(undefined)
    })
    socket.on('error', (error) => this.#broken(error))
    socket.on('end', () => this.#broken(undefined))
    socket.on('timeout', () => {
      if (!this.#exchange) this.#broken(undefined)
    })
    this.#write()
  }

  #write(): void {
    const exchange = this.#exchange
    const socket = this.#socket
    if (!exchange || !socket) return
    this.#reader = new AnswerReader(exchange)
    socket.write(exchange.bytes)
    exchange.onSent(socket)
  }

  #read(bytes: Buffer): void {
    const exchange = this.#exchange
    const reader = this.#reader
    // Bytes without a request could be taken for the next answer.
    if (!exchange || !reader) this.#broken(undefined)
    else this.#readAnswer(exchange, reader, bytes)
  }

  #readAnswer(exchange: Exchange, reader: AnswerReader, bytes: Buffer): void {
    try {
      const keep_ms = reader.read(bytes)
      if (keep_ms === undefined || exchange !== this.#exchange) return
      if (this.#socket?.writableLength) this.#awaitWritten(exchange, reader)
      else this.#complete(exchange, keep_ms)
    } catch (error) {
      exchange.onError(error)
    }
  }

  // A receiver may answer before it has read the whole request, and still read the rest.
  #awaitWritten(exchange: Exchange, reader: AnswerReader): void {
    this.#socket?.write('', (error) => {
      if (!error) this.#readAnswer(exchange, reader, NOTHING)
    })
  }

  #complete(exchange: Exchange, keep_ms: number): void {
    this.#leave()
    if (keep_ms > 0) this.#keepFor(keep_ms)
    exchange.onComplete(keep_ms > 0)
  }

  /** Releases everything of the finished exchange, so that an idle connection holds no data. */
  #leave(): void {
    this.#exchange = undefined
    this.#reader = undefined
  }

  /** Every byte sent or received restarts the keep-alive timer. */
  #keepFor(keep_ms: number): void {
    if (keep_ms === this.#keep_ms) return
    this.#keep_ms = keep_ms
    this.#socket?.setTimeout(keep_ms)
  }

  #broken(error: Error | undefined): void {
    const exchange = this.#exchange
    const reader = this.#reader
    if (!exchange || !reader) {
      this.cut()
      this.#closed(exchange)
    } else if (!error && reader.end()) exchange.onComplete(false)
    else this.#fail(error ?? new Error())
  }

  #fail(error: Error): void {
    this.#exchange?.onError(failureOf(error))
  }
}
