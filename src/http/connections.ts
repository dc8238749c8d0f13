import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf, rangeMatcher } from '../kernel/net.ts'
import { MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'

export interface ConnectionLimits {
  /** The longest time from accepting the connection to its first byte. */
  firstByte_ms: number
  /**
   * The longest time from accepting the connection, or from the first byte of a later request, to the
   * end of the head.
   */
  head_ms: number
  /** The longest time to the end of the head, for sockets reserved for health checks. */
  healthHead_ms: number
  /** The longest time in which the client reads nothing of a response. */
  stall_ms: number
  /** The longest time for a refused or expired socket to close. */
  linger_ms: number
  sweep_ms: number
  /** The maximum of open sockets. The last ones are reserved for health checks. */
  total: number
  /** The maximum of open sockets of an address; 0 means no limit. */
  perAddress: number
  /** Addresses and ranges that have no limit per address. */
  exempt: readonly string[]
}

export const LIMITS: ConnectionLimits = {
  firstByte_ms: 10 * SECOND_MS,
  head_ms: 15 * SECOND_MS,
  healthHead_ms: SECOND_MS,
  stall_ms: 2 * MINUTE_MS,
  linger_ms: 500,
  sweep_ms: 250,
  total: Number.MAX_SAFE_INTEGER,
  perAddress: 256,
  exempt: [],
}

/**
 * The maximum number of refusals that are answered between two sweeps. Further sockets are closed without
 * an answer, because its two system calls would delay the callers that wait in the accept queue.
 */
export const ANSWERED_REFUSALS_MAX = 64

/** The sockets that are reserved for health checks from this machine (decision 121). */
export const HEALTH_RESERVE = 8

interface ConnectionEvents {
  /** Sends the refusal to an address with too many sockets. The socket is closed afterwards. */
  refuse(socket: Socket): void
  /** Sends the refusal of a late head. The socket is closed afterwards. */
  expire(socket: Socket): void
  /** Called for each refused socket. */
  onRefused(limit: 'total' | 'address', address: string): void
}

type Phase = 'silent' | 'head' | 'busy' | 'idle' | 'closing'

interface ClientConnection {
  isReserved: boolean
  phase: Phase
  /** The start of the phase, or the last progress of a response. */
  since: number
  /** Bytes read when the connection became idle. */
  bytesReadAtIdle: number
  /** Bytes that the client had read at the last sweep. */
  acknowledgedBytes: number
  /** Requests whose response is not finished. */
  requests: number
}

const isLoopback = rangeMatcher(['127.0.0.0/8', '::1'])

/**
 * Limits how many sockets are open and how long each may take. Node's own timeouts keep a socket
 * half open if its client never reads, and do not count blank lines between requests (decision
 * 121).
 */
export class Connections {
  readonly #sockets = new Map<Socket, ClientConnection>()
  #reservedCount = 0
  #refusedCount = 0
  readonly #perAddress = new Map<string, number>()
  readonly #isExempt: (ip: string) => boolean
  readonly #limits: ConnectionLimits
  readonly #events: ConnectionEvents
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server, limits: ConnectionLimits, events: ConnectionEvents) {
    this.#limits = limits
    this.#events = events
    this.#isExempt = rangeMatcher(limits.exempt)
    // Refused sockets do not reach Node's listener, which would create an HTTP parser for each.
    const nodeListeners = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket) => {
      if (this.#accept(socket)) for (const listener of nodeListeners) listener.call(server, socket)
    })
    server.on('request', (request, response) => this.#begin(request, response))
  }

  /** Sweeps only while sockets are open, because a timer would wake an idle process. */
  #watch() {
    if (this.#timer) return
    // Sweeps run in the check phase, after the poll phase has read bytes that arrived while the
    // process was busy.
    const sweep = () => setImmediate(() => this.#sweep())
    this.#timer = setInterval(sweep, this.#limits.sweep_ms).unref()
  }

  /** Returns true if the socket was accepted only for a health check. */
  isReserved(socket: Socket): boolean {
    return this.#sockets.get(socket)?.isReserved ?? false
  }

  /** Destroys the socket after `linger_ms`, even if the client has not read the last answer. */
  close(socket: Socket) {
    const connection = this.#sockets.get(socket)
    if (connection && connection.phase !== 'closing') setPhase(connection, 'closing')
  }

  stop() {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Returns false if the socket is refused. */
  #accept(socket: Socket): boolean {
    const ip = socket.remoteAddress ?? ''
    const address = networkOf(ip)
    const limit = this.#limitReached(address, ip)
    const isReserved = limit !== undefined && isLoopback(ip) && this.#reservedCount < HEALTH_RESERVE
    if (isReserved) this.#reservedCount++
    this.#sockets.set(socket, newConnection(isReserved))
    this.#watch()
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => this.#remove(socket, address))
    if (limit === undefined || isReserved) return true
    // The client's bytes and the errors of its socket are ignored.
    socket.on('error', () => {}).resume()
    this.#events.onRefused(limit, ip)
    if (limit === 'total' || ++this.#refusedCount > ANSWERED_REFUSALS_MAX) {
      // An answer would also keep a socket open beyond the total limit.
      socket.destroy()
    } else {
      this.close(socket)
      this.#events.refuse(socket)
      socket.destroySoon()
    }
    return false
  }

  #limitReached(address: string, ip: string): 'total' | 'address' | undefined {
    const { total, perAddress } = this.#limits
    if (this.#sockets.size >= total - HEALTH_RESERVE) return 'total'
    if (perAddress === 0 || (this.#perAddress.get(address) ?? 0) < perAddress) return undefined
    return this.#isExempt(ip) ? undefined : 'address'
  }

  #remove(socket: Socket, address: string) {
    if (this.#sockets.get(socket)?.isReserved) this.#reservedCount--
    this.#sockets.delete(socket)
    const remainingSockets = (this.#perAddress.get(address) ?? 1) - 1
    if (remainingSockets > 0) this.#perAddress.set(address, remainingSockets)
    else this.#perAddress.delete(address)
  }

  #begin(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    const connection = this.#sockets.get(socket)
    if (!connection) return
    connection.requests++
    if (connection.phase !== 'closing') setPhase(connection, 'busy')
    const becomeIdle = () => {
      if (connection.requests > 0 || connection.phase === 'closing') return
      setPhase(connection, 'idle')
      connection.bytesReadAtIdle = socket.bytesRead
    }
    response.once('close', () => {
      connection.requests--
      becomeIdle()
    })
    // The rest of a refused body arrives after the answer, and is not the head of the next request.
    request.once('close', becomeIdle)
  }

  #sweep() {
    this.#refusedCount = 0
    for (const [socket, connection] of this.#sockets) {
      updatePhase(socket, connection)
      if (isOverdue(connection, this.#limits)) this.#end(socket, connection)
    }
    if (this.#sockets.size === 0) this.stop()
  }

  #end(socket: Socket, { phase }: ClientConnection) {
    if (phase === 'head' && socket.writable) {
      this.close(socket)
      this.#events.expire(socket)
    } else socket.destroy()
  }
}

const newConnection = (isReserved: boolean): ClientConnection => ({
  isReserved,
  phase: 'silent',
  since: steadyClock.now(),
  bytesReadAtIdle: 0,
  acknowledgedBytes: 0,
  requests: 0,
})

function setPhase(connection: ClientConnection, phase: Phase) {
  connection.phase = phase
  connection.since = steadyClock.now()
}

/** Updates the phase from the bytes read and written since the last sweep. */
function updatePhase(socket: Socket, connection: ClientConnection) {
  if (connection.phase === 'silent' && socket.bytesRead > 0) connection.phase = 'head'
  if (connection.phase === 'idle' && socket.bytesRead > connection.bytesReadAtIdle)
    setPhase(connection, 'head')
  if (connection.phase !== 'busy') return
  const acknowledgedBytes = socket.bytesWritten - socket.writableLength
  if (acknowledgedBytes === connection.acknowledgedBytes && socket.writableLength > 0) return
  connection.acknowledgedBytes = acknowledgedBytes
  connection.since = steadyClock.now()
}

function isOverdue(
  { phase, since, isReserved }: ClientConnection,
  limits: ConnectionLimits,
): boolean {
  const limit_ms = {
    silent: isReserved ? limits.healthHead_ms : limits.firstByte_ms,
    head: isReserved ? limits.healthHead_ms : limits.head_ms,
    busy: limits.stall_ms,
    // Idle sockets are closed by Node's keepAliveTimeout.
    idle: Number.POSITIVE_INFINITY,
    closing: limits.linger_ms,
  }[phase]
  return steadyClock.now() - since >= limit_ms
}
