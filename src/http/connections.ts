import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { neighbourhoodOf, rangeMatcher } from '../kernel/net.ts'
import { MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'

export interface ConnectionLimits {
  /** From the connection to its first byte. */
  firstByte_ms: number
  /** From the connection, or from the first byte of a later request, to the end of the head. */
  head_ms: number
  /** To the end of the head, where the socket is one of those kept for health checks. */
  healthHead_ms: number
  /** A response of which the client reads nothing for so long is given up. */
  stall_ms: number
  /** How long a socket that was refused or expired may take to close. */
  linger_ms: number
  sweep_ms: number
  /** Sockets in all; the last of them are kept for health checks. */
  total: number
  /** 0 means no limit. */
  perAddress: number
  /** Addresses and ranges without a limit of their own. */
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

/** Sockets that only a health check from this machine may take (decision 121). */
export const HEALTH_RESERVE = 8

export interface ConnectionEvents {
  /** Answers a socket of an address that has too many; it is closed afterwards. */
  refuse(socket: Socket): void
  /** Answers a socket whose head did not come in time; it is closed afterwards. */
  expire(socket: Socket): void
  /** Called for each refused socket. */
  onRefused(limit: 'total' | 'address', address: string): void
}

type Phase = 'silent' | 'head' | 'busy' | 'idle' | 'closing'

interface Connection {
  reserved: boolean
  phase: Phase
  /** When the phase, or the stall of a response, began. */
  since: number
  /** Bytes read when the connection became idle. */
  read: number
  /** Bytes that the client took, when last looked. */
  taken: number
  /** Requests whose response is not finished. */
  requests: number
}

const isLoopback = rangeMatcher(['127.0.0.0/8', '::1'])

/**
 * Limits how many sockets are open and how long each may take. Node's own timeouts leave a socket half
 * open that never reads, and forget one that sends blank lines between requests (decision 121).
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #perAddress = new Map<string, number>()
  readonly #isExempt: (ip: string) => boolean
  readonly #limits: ConnectionLimits
  readonly #events: ConnectionEvents
  readonly #timer: NodeJS.Timeout

  constructor(server: Server, limits: ConnectionLimits, events: ConnectionEvents) {
    this.#limits = limits
    this.#events = events
    this.#isExempt = rangeMatcher(limits.exempt)
    server.on('connection', (socket) => this.#accept(socket))
    server.on('request', (request, response) => this.#begin(request, response))
    // In the check phase of the event loop, so that bytes that waited for a busy process were read.
    this.#timer = setInterval(() => setImmediate(() => this.#sweep()), limits.sweep_ms).unref()
  }

  /** Whether the socket was only accepted for a health check. */
  isReserved(socket: Socket): boolean {
    return this.#open.get(socket)?.reserved ?? false
  }

  /** Destroys the socket soon, whether or not its client reads the last answer. */
  close(socket: Socket) {
    const connection = this.#open.get(socket)
    if (connection && connection.phase !== 'closing') enter(connection, 'closing')
  }

  stop() {
    clearInterval(this.#timer)
  }

  #accept(socket: Socket) {
    const ip = socket.remoteAddress ?? ''
    const address = neighbourhoodOf(ip)
    const limit = this.#limitReached(address, ip)
    const reserved = limit !== undefined && isLoopback(ip) && this.#hasReserve()
    this.#open.set(socket, newConnection(reserved))
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => this.#forget(socket, address))
    if (limit === undefined || reserved) return
    this.#events.onRefused(limit, ip)
    if (limit === 'total') {
      // An answer would keep a socket open where none is left.
      socket.destroy()
    } else {
      this.close(socket)
      this.#events.refuse(socket)
      socket.destroySoon()
    }
  }

  #limitReached(address: string, ip: string): 'total' | 'address' | undefined {
    const { total, perAddress } = this.#limits
    if (this.#open.size >= total - HEALTH_RESERVE) return 'total'
    if (perAddress === 0 || (this.#perAddress.get(address) ?? 0) < perAddress) return undefined
    return this.#isExempt(ip) ? undefined : 'address'
  }

  #hasReserve(): boolean {
    const taken = [...this.#open.values()].filter(({ reserved }) => reserved)
    return taken.length < HEALTH_RESERVE
  }

  #forget(socket: Socket, address: string) {
    this.#open.delete(socket)
    const left = (this.#perAddress.get(address) ?? 1) - 1
    if (left > 0) this.#perAddress.set(address, left)
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
    for (const [socket, connection] of this.#open) {
      advance(socket, connection)
      if (isOverdue(connection, this.#limits)) this.#end(socket, connection)
    }
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
  taken: 0,
  requests: 0,
})

function enter(connection: Connection, phase: Phase) {
  connection.phase = phase
  connection.since = steadyClock.now()
}

/** Looks what came since the last sweep: the first byte of a head, or a client that reads. */
function advance(socket: Socket, connection: Connection) {
  if (connection.phase === 'silent' && socket.bytesRead > 0) connection.phase = 'head'
  if (connection.phase === 'idle' && socket.bytesRead > connection.read) enter(connection, 'head')
  if (connection.phase !== 'busy') return
  const taken = socket.bytesWritten - socket.writableLength
  if (taken === connection.taken && socket.writableLength > 0) return
  connection.taken = taken
  connection.since = steadyClock.now()
}

function isOverdue({ phase, since, reserved }: Connection, limits: ConnectionLimits): boolean {
  const most_ms = {
    silent: reserved ? limits.healthHead_ms : limits.firstByte_ms,
    head: reserved ? limits.healthHead_ms : limits.head_ms,
    busy: limits.stall_ms,
    // Node's keepAliveTimeout ends these.
    idle: Number.POSITIVE_INFINITY,
    closing: limits.linger_ms,
  }[phase]
  return steadyClock.now() - since >= most_ms
}
