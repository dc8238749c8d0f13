import type { Connection, Exchange } from './exchange.ts'
import { type Destination, HttpConnection, type Wiring } from './http-connection.ts'

export interface Limits {
  sockets_per_origin: number
  origins: number
}

/** The share of origins kept when the oldest are dropped. */
const KEPT_SHARE = 0.9

interface Origin extends Destination {
  /** Increases with each use of any origin. */
  used: number
  connections: Set<Connection>
  idle: Connection[]
  waiting: Set<Exchange>
}

/**
 * Connections by pool and origin, a few for each. An exchange waits if none is free. Pools are
 * separate, so a receiver that hangs for one store does not delay another store. Origins unused for
 * longest are dropped with their idle connections.
 */
export class Connections {
  readonly #wiring: Wiring
  readonly #limits: Limits
  readonly #origins = new Map<string, Origin>()
  #uses = 0

  constructor(wiring: Wiring, limits: Limits) {
    this.#wiring = wiring
    this.#limits = limits
  }

  run(exchange: Exchange): void {
    const origin = this.#originOf(exchange)
    const connection = this.#free(origin)
    if (connection) this.#start(exchange, connection)
    else {
      exchange.wait()
      origin.waiting.add(exchange)
    }
  }

  /**
   * Detaches an exchange from its connection. The connection is reused only after a `clean` end.
   */
  end(exchange: Exchange, clean: boolean): void {
    const origin = this.#origins.get(exchange.pool)
    if (!origin) return
    const connection = exchange.leave()
    if (!connection) {
      origin.waiting.delete(exchange)
      return
    }
    this.#release(connection, origin, clean)
  }

  stats(): { origins: number; sockets: number; waiting: number; blocked: number } {
    let waiting = 0
    for (const origin of this.#origins.values()) waiting += origin.waiting.size
    return { origins: this.#origins.size, waiting, ...this.#wiring.counters }
  }

  /** Ends the exchanges that wait for a connection. */
  giveBack(): void {
    for (const { waiting } of this.#origins.values())
      for (const exchange of waiting) exchange.onWaitedInVain()
  }

  closeAll(): void {
    for (const { connections } of this.#origins.values())
      for (const connection of connections) connection.cut()
    this.#origins.clear()
  }

  #release(connection: Connection, origin: Origin, clean: boolean): void {
    if (clean) origin.idle.push(connection)
    else this.#drop(connection, origin)
    const [next] = origin.waiting
    const free = next && this.#free(origin)
    if (!next || !free) return
    origin.waiting.delete(next)
    void this.#startLater(next, free, origin)
  }

  /** Keeps the connection for an exchange that waited while `stillDue` is checked. */
  async #startLater(exchange: Exchange, connection: Connection, origin: Origin): Promise<void> {
    const isDue = await exchange.isStillDue()
    const isKept = origin.connections.has(connection)
    if (isDue && isKept) return this.#start(exchange, connection)
    if (isKept) this.#release(connection, origin, connection.isUsable())
    if (isDue) this.run(exchange)
  }

  #start(exchange: Exchange, connection: Connection): void {
    exchange.begin(connection)
    connection.post(exchange)
  }

  #originOf({ pool, target }: Exchange): Origin {
    let origin = this.#origins.get(pool)
    if (!origin) {
      if (this.#origins.size >= this.#limits.origins) this.#dropOldest()
      origin = {
        target,
        session: undefined,
        used: 0,
        connections: new Set(),
        idle: [],
        waiting: new Set(),
      }
      this.#origins.set(pool, origin)
    }
    origin.used = ++this.#uses
    return origin
  }

  // Drops a batch at once, so that not every new origin scans all of them.
  #dropOldest(): void {
    const unused = [...this.#origins].filter(([, origin]) => isUnused(origin))
    unused.sort(([, a], [, b]) => a.used - b.used)
    const kept = Math.floor(this.#limits.origins * KEPT_SHARE)
    for (const [key, { connections }] of unused.slice(0, this.#origins.size - kept)) {
      for (const connection of connections) connection.cut()
      this.#origins.delete(key)
    }
  }

  #free(origin: Origin): Connection | undefined {
    for (let idle = origin.idle.pop(); idle; idle = origin.idle.pop()) {
      if (idle.isUsable()) return idle
      this.#drop(idle, origin)
    }
    return this.#newConnection(origin)
  }

  #newConnection(origin: Origin): Connection | undefined {
    if (origin.connections.size >= this.#limits.sockets_per_origin) return undefined
    const connection = new HttpConnection(this.#wiring, origin, (unwritten) => {
      this.#drop(connection, origin)
      unwritten?.leave()
      if (unwritten) this.run(unwritten)
    })
    origin.connections.add(connection)
    return connection
  }

  #drop(connection: Connection, origin: Origin): void {
    origin.connections.delete(connection)
    origin.idle = origin.idle.filter((each) => each !== connection)
    connection.cut()
  }
}

const isUnused = ({ waiting, idle, connections }: Origin): boolean =>
  waiting.size === 0 && idle.length === connections.size
