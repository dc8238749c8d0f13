import type { Socket } from 'node:net'
import type { Target } from '../network/address.rules.ts'
import type { HostResolver, Resolution } from '../network/resolver.ts'
import { AnswerReader } from './answer-reader.ts'
import type { BatchedWriter } from './batched-writer.ts'
import { openSocket } from './connect.ts'
import type { Connection, Exchange } from './exchange.ts'
import { failureOf, SendFailure } from './outcome.rules.ts'

/** The objects that all connections of a sender share. */
export interface ConnectionContext {
  resolver: HostResolver
  /** For tests: the only trusted CA, in PEM. */
  ca?: string | undefined
  counters: { sockets: number; blocked: number }
  outbox: BatchedWriter
}

/** The target of connections, and the newest TLS session with it. */
export interface Destination {
  readonly target: Target
  session: Buffer | undefined
}

const EMPTY = Buffer.alloc(0)

/**
 * One HTTP/1.1 connection, opened for its first request, with one request at a time (decision 110).
 */
export class HttpConnection implements Connection {
  readonly #context: ConnectionContext
  readonly #destination: Destination
  readonly #onClosed: (unwritten: Exchange | undefined) => void
  #socket: Socket | undefined = undefined
  #isOpen = false
  #isDestroyed = false
  #exchange: Exchange | undefined = undefined
  /** The reader of the current answer; undefined before the request is written. */
  #reader: AnswerReader | undefined = undefined
  #keep_ms = 0

  /**
   * `onClosed` is called if the connection breaks while no request is written. Its argument is the exchange
   * whose request is not written yet, if there is one.
   */
  constructor(
    context: ConnectionContext,
    destination: Destination,
    onClosed: (unwritten: Exchange | undefined) => void,
  ) {
    this.#context = context
    this.#destination = destination
    this.#onClosed = onClosed
  }

  isUsable(): boolean {
    return this.#isOpen && this.#socket?.writable === true
  }

  post(exchange: Exchange): void {
    this.#exchange = exchange
    const { outbox } = this.#context
    // A receiver may close the connection right after its answer. The extra turn of the event loop detects that
    // before the request is written and lost.
    if (this.#isOpen) outbox.add(() => outbox.add(() => this.#write()))
    else this.#connect()
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#clear()
    this.#socket?.destroy()
  }

  // A host name is resolved and vetted again for each new socket, because its addresses may have
  // changed.
  #connect(): void {
    this.#context.resolver
      .resolve(this.#destination.target.host)
      .then(
        (resolution) => this.#open(resolution),
        () => this.#fail(new SendFailure('dns_error', 'The host name could not be looked up.')),
      )
      .catch((error) => this.#fail(error))
  }

  #open(resolution: Resolution): void {
    if (this.#isDestroyed) return
    if ('message' in resolution) {
      if (resolution.error_code === 'blocked_address') this.#context.counters.blocked++
      this.#fail(new SendFailure(resolution.error_code, resolution.message))
      return
    }
    const { target, session } = this.#destination
    const tls = { ca: this.#context.ca, session }
    const socket = openSocket(target, resolution.addresses, tls, {
      onOpen: (failure) => (failure ? this.#fail(failure) : this.#onOpen(socket)),
      onBytes: (bytes) => this.#read(bytes),
    })
    this.#socket = socket
    socket.on('session', (newSession: Buffer) => {
      this.#destination.session = newSession
    })
  }

  #onOpen(socket: Socket): void {
    const { counters } = this.#context
    this.#isOpen = true
    counters.sockets++
    socket.on('close', () => {
      counters.sockets--
      this.#onBroken(undefined)
    })
    socket.on('error', (error) => this.#onBroken(error))
    socket.on('end', () => this.#onBroken(undefined))
    socket.on('timeout', () => {
      if (!this.#exchange) this.#onBroken(undefined)
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
    // Bytes that arrive without a request could be taken for the next answer.
    if (!exchange || !reader) this.#onBroken(undefined)
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

  // A receiver may answer before it has read the whole request. It must read the remaining bytes before the next request.
  #awaitWritten(exchange: Exchange, reader: AnswerReader): void {
    this.#socket?.write('', (error) => {
      if (!error) this.#readAnswer(exchange, reader, EMPTY)
    })
  }

  #complete(exchange: Exchange, keep_ms: number): void {
    this.#clear()
    if (keep_ms > 0) this.#keepFor(keep_ms)
    exchange.onComplete(keep_ms > 0)
  }

  /** Drops the references to the finished exchange, so that an idle connection keeps no data in memory. */
  #clear(): void {
    this.#exchange = undefined
    this.#reader = undefined
  }

  /** Every byte sent or received restarts the keep-alive timer. */
  #keepFor(keep_ms: number): void {
    if (keep_ms === this.#keep_ms) return
    this.#keep_ms = keep_ms
    this.#socket?.setTimeout(keep_ms)
  }

  #onBroken(error: Error | undefined): void {
    const exchange = this.#exchange
    const reader = this.#reader
    if (!exchange || !reader) {
      this.destroy()
      this.#onClosed(exchange)
    } else if (!error && reader.end()) exchange.onComplete(false)
    else this.#fail(error ?? new Error())
  }

  #fail(error: Error): void {
    this.#exchange?.onError(failureOf(error))
  }
}
