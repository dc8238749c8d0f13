import type { Connection, Exchange } from './exchange.ts'
import { type ConnectionContext, type Destination, HttpConnection } from './http-connection.ts'

export interface Limits {
  sockets_per_origin: number
  origins: number
}

/** The share of origins that remain when the oldest are dropped. */
const RETAINED_SHARE = 0.9

interface OriginPool extends Destination {
  /** Increases with each use of any origin. */
  lastUse: number
  connections: Set<Connection>
  idle: Connection[]
  waiting: Set<Exchange>
}

/**
 * Connections by pool and origin, a few for each. An exchange waits if none of them is free. Pools are separate,
 * so a receiver that hangs for one store does not delay another store. The origins that were not used for the
 * longest time are dropped with their idle connections.
 */
export class Connections {
  readonly #context: ConnectionContext
  readonly #limits: Limits
  readonly #origins = new Map<string, OriginPool>()
  #useCount = 0

  constructor(context: ConnectionContext, limits: Limits) {
    this.#context = context
    this.#limits = limits
  }

  run(exchange: Exchange): void {
    const origin = this.#originOf(exchange)
    const connection = this.#acquire(origin)
    if (connection) this.#start(exchange, connection)
    else {
      exchange.wait()
      origin.waiting.add(exchange)
    }
  }

  /** Detaches an exchange from its connection, which is reused only if it `isClean`: the answer was read to its end. */
  end(exchange: Exchange, isClean: boolean): void {
    const origin = this.#origins.get(exchange.pool)
    if (!origin) return
    const connection = exchange.detach()
    if (!connection) {
      origin.waiting.delete(exchange)
      return
    }
    this.#release(connection, origin, isClean)
  }

  stats(): { origins: number; sockets: number; waiting: number; blocked: number } {
    let waiting = 0
    for (const origin of this.#origins.values()) waiting += origin.waiting.size
    return { origins: this.#origins.size, waiting, ...this.#context.counters }
  }

  /** Ends the exchanges that wait for a connection. */
  endWaiting(): void {
    for (const { waiting } of this.#origins.values())
      for (const exchange of waiting) exchange.onWaitTimeout()
  }

  closeAll(): void {
    for (const { connections } of this.#origins.values())
      for (const connection of connections) connection.destroy()
    this.#origins.clear()
  }

  #release(connection: Connection, origin: OriginPool, isClean: boolean): void {
    if (isClean) origin.idle.push(connection)
    else this.#drop(connection, origin)
    const [next] = origin.waiting
    const freeConnection = next && this.#acquire(origin)
    if (!next || !freeConnection) return
    origin.waiting.delete(next)
    void this.#startWaiting(next, freeConnection, origin)
  }

  /** Reserves the connection for an exchange that waited, until its `recheck` has returned. */
  async #startWaiting(
    exchange: Exchange,
    connection: Connection,
    origin: OriginPool,
  ): Promise<void> {
    const isDue = await exchange.confirmDue()
    const isOpen = origin.connections.has(connection)
    if (isDue && isOpen) return this.#start(exchange, connection)
    if (isOpen) this.#release(connection, origin, connection.isUsable())
    if (isDue) this.run(exchange)
  }

  #start(exchange: Exchange, connection: Connection): void {
    exchange.begin(connection)
    connection.post(exchange)
  }

  #originOf({ pool, target }: Exchange): OriginPool {
    let origin = this.#origins.get(pool)
    if (!origin) {
      if (this.#origins.size >= this.#limits.origins) this.#dropOldest()
      origin = {
        target,
        session: undefined,
        lastUse: 0,
        connections: new Set(),
        idle: [],
        waiting: new Set(),
      }
      this.#origins.set(pool, origin)
    }
    origin.lastUse = ++this.#useCount
    return origin
  }

  // Drops many at once, so that not every new origin has to scan all origins.
  #dropOldest(): void {
    const unusedOrigins = [...this.#origins].filter(([, origin]) => isUnused(origin))
    unusedOrigins.sort(([, a], [, b]) => a.lastUse - b.lastUse)
    const retainedCount = Math.floor(this.#limits.origins * RETAINED_SHARE)
    for (const [key, { connections }] of unusedOrigins.slice(
      0,
      this.#origins.size - retainedCount,
    )) {
      for (const connection of connections) connection.destroy()
      this.#origins.delete(key)
    }
  }

  #acquire(origin: OriginPool): Connection | undefined {
    for (let idle = origin.idle.pop(); idle; idle = origin.idle.pop()) {
      if (idle.isUsable()) return idle
      this.#drop(idle, origin)
    }
    return this.#newConnection(origin)
  }

  #newConnection(origin: OriginPool): Connection | undefined {
    if (origin.connections.size >= this.#limits.sockets_per_origin) return undefined
    const connection = new HttpConnection(this.#context, origin, (unwritten) => {
      this.#drop(connection, origin)
      unwritten?.detach()
      if (unwritten) this.run(unwritten)
    })
    origin.connections.add(connection)
    return connection
  }

  #drop(connection: Connection, origin: OriginPool): void {
    origin.connections.delete(connection)
    origin.idle = origin.idle.filter((item) => item !== connection)
    connection.destroy()
  }
}

const isUnused = ({ waiting, idle, connections }: OriginPool): boolean =>
  waiting.size === 0 && idle.length === connections.size
