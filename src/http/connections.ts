import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { neighbourhoodOf, rangeMatcher } from '../kernel/net.ts'
import { MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'

export interface ConnectionLimits {
  /** From accepting the connection to its first byte. */
  firstByte_ms: number
  /**
   * From accepting the connection, or from the first byte of a later request, to the end of the
   * head.
   */
  head_ms: number
  /** To the end of the head, for sockets reserved for health checks. */
  healthHead_ms: number
  /** The longest time in which the client reads nothing of a response. */
  stall_ms: number
  /** How long a refused or expired socket may take to close. */
  linger_ms: number
  sweep_ms: number
  /** The maximum of all sockets; the last ones are reserved for health checks. */
  total: number
  /** 0 means no limit. */
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
 * Refusals that are answered between two sweeps. An answer costs two system calls, so a flood
 * beyond this is closed without one: it would delay the callers behind it in the accept queue.
 */
export const REFUSALS_ANSWERED = 64

/** Sockets reserved for health checks from this machine (decision 121). */
export const HEALTH_RESERVE = 8

export interface ConnectionEvents {
  /** Sends the refusal to an address with too many sockets; the socket is closed afterwards. */
  refuse(socket: Socket): void
  /** Sends the refusal of a late head; the socket is closed afterwards. */
  expire(socket: Socket): void
  /** Called for each refused socket. */
  onRefused(limit: 'total' | 'address', address: string): void
}

type Phase = 'silent' | 'head' | 'busy' | 'idle' | 'closing'

interface Connection {
  reserved: boolean
  phase: Phase
  /** The start of the phase, or the last progress of a response. */
  since: number
  /** Bytes read when the connection became idle. */
  read: number
  /** Bytes that the client had read at the last sweep. */
  acknowledged: number
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
  readonly #open = new Map<Socket, Connection>()
  #reserved = 0
  #refused = 0
  readonly #perAddress = new Map<string, number>()
  readonly #isExempt: (ip: string) => boolean
  readonly #limits: ConnectionLimits
  readonly #events: ConnectionEvents
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server, limits: ConnectionLimits, events: ConnectionEvents) {
    this.#limits = limits
    this.#events = events
    this.#isExempt = rangeMatcher(limits.exempt)
    // Refused sockets never reach Node's listener, so a flood of them costs no HTTP parser each.
    const serve = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket) => {
      if (this.#accept(socket)) for (const listener of serve) listener.call(server, socket)
    })
    server.on('request', (request, response) => this.#begin(request, response))
  }

  /** Sweeps while sockets are open: a timer that always runs wakes an idle process. */
  #watch() {
    if (this.#timer) return
    // Sweeps run in the check phase, after the poll phase has read bytes that arrived while the
    // process was busy.
    const sweep = () => setImmediate(() => this.#sweep())
    this.#timer = setInterval(sweep, this.#limits.sweep_ms).unref()
  }

  /** True if the socket was accepted only for a health check. */
  isReserved(socket: Socket): boolean {
    return this.#open.get(socket)?.reserved ?? false
  }

  /** Destroys the socket after `linger_ms`, even if the client has not read the last answer. */
  close(socket: Socket) {
    const connection = this.#open.get(socket)
    if (connection && connection.phase !== 'closing') enter(connection, 'closing')
  }

  stop() {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Returns false if the socket is refused. */
  #accept(socket: Socket): boolean {
    const ip = socket.remoteAddress ?? ''
    const address = neighbourhoodOf(ip)
    const limit = this.#limitReached(address, ip)
    const reserved = limit !== undefined && isLoopback(ip) && this.#reserved < HEALTH_RESERVE
    if (reserved) this.#reserved++
    this.#open.set(socket, newConnection(reserved))
    this.#watch()
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => this.#remove(socket, address))
    if (limit === undefined || reserved) return true
    // The client's bytes and the errors of its socket are ignored.
    socket.on('error', () => {}).resume()
    this.#events.onRefused(limit, ip)
    if (limit === 'total' || ++this.#refused > REFUSALS_ANSWERED) {
      // Sending an answer would also keep a socket open beyond the total limit.
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
    if (this.#open.size >= total - HEALTH_RESERVE) return 'total'
    if (perAddress === 0 || (this.#perAddress.get(address) ?? 0) < perAddress) return undefined
    return this.#isExempt(ip) ? undefined : 'address'
  }

  #remove(socket: Socket, address: string) {
    if (this.#open.get(socket)?.reserved) this.#reserved--
    this.#open.delete(socket)
    const remaining = (this.#perAddress.get(address) ?? 1) - 1
    if (remaining > 0) this.#perAddress.set(address, remaining)
    else this.#perAddress.delete(address)
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse) {
    const connection = this.#open.get(socket)
    if (!connection) return
    connection.requests++
    if (connection.phase !== 'closing') enter(connection, 'busy')
    response.once('close', () => {
      if (--connection.requests > 0 || connection.phase !== 'busy') return
      enter(connection, 'idle')
      connection.read = socket.bytesRead
    })
  }

  #sweep() {
    this.#refused = 0
    for (const [socket, connection] of this.#open) {
      advance(socket, connection)
      if (isOverdue(connection, this.#limits)) this.#end(socket, connection)
    }
    if (this.#open.size === 0) this.stop()
  }

  #end(socket: Socket, { phase }: Connection) {
    if (phase === 'head' && socket.writable) {
      this.close(socket)
      this.#events.expire(socket)
    } else socket.destroy()
  }
}

const newConnection = (reserved: boolean): Connection => ({
  reserved,
  phase: 'silent',
  since: steadyClock.now(),
  read: 0,
  acknowledged: 0,
  requests: 0,
})

function enter(connection: Connection, phase: Phase) {
  connection.phase = phase
  connection.since = steadyClock.now()
}

/** Updates the phase from the bytes read and written since the last sweep. */
function advance(socket: Socket, connection: Connection) {
  if (connection.phase === 'silent' && socket.bytesRead > 0) connection.phase = 'head'
  if (connection.phase === 'idle' && socket.bytesRead > connection.read) enter(connection, 'head')
  if (connection.phase !== 'busy') return
  const acknowledged = socket.bytesWritten - socket.writableLength
  if (acknowledged === connection.acknowledged && socket.writableLength > 0) return
  connection.acknowledged = acknowledged
  connection.since = steadyClock.now()
}

function isOverdue({ phase, since, reserved }: Connection, limits: ConnectionLimits): boolean {
  const most_ms = {
    silent: reserved ? limits.healthHead_ms : limits.firstByte_ms,
    head: reserved ? limits.healthHead_ms : limits.head_ms,
    busy: limits.stall_ms,
    // Idle sockets are closed by Node's keepAliveTimeout.
    idle: Number.POSITIVE_INFINITY,
    closing: limits.linger_ms,
  }[phase]
  return steadyClock.now() - since >= most_ms
}
