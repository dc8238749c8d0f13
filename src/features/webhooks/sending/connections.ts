import type { Target } from '../../../network/address.rules.ts'
import type { Exchange } from './exchange.ts'
import { type Destination, Line, type Wiring } from './line.ts'

export interface Limits {
  sockets_per_origin: number
  origins: number
}

interface Origin extends Destination {
  lines: Set<Line>
  idle: Line[]
  waiting: Set<Exchange>
}

/**
 * The lines of a sender by pool and origin, a few for each; an exchange that finds none free waits its
 * turn. Pools are apart, so that a receiver that hangs for one store does not keep another's waiting.
 * The origins longest unused are forgotten, with their idle connections.
 */
// undici's Pool goes on using a connection that it no longer counts after that failed once, so its
// limit does not hold, and what waits in it cannot be taken out at the deadline.
export class Connections {
  readonly #wiring: Wiring
  readonly #limits: Limits
  readonly #origins = new Map<string, Origin>()
  readonly #carried = new Map<Exchange, { line: Line; origin: Origin }>()

  constructor(wiring: Wiring, limits: Limits) {
    this.#wiring = wiring
    this.#limits = limits
  }

  run(exchange: Exchange): void {
    const origin = this.#originOf(exchange)
    const line = origin.idle.pop() ?? this.#newLine(origin)
    if (line) this.#start(exchange, line, origin)
    else origin.waiting.add(exchange)
  }

  /** Takes an exchange off its line, which only a `clean` end leaves fit for the next one. */
  end(exchange: Exchange, clean: boolean): void {
    const { line, origin } = this.#carried.get(exchange) ?? {}
    if (!line || !origin) {
      this.#origins.get(exchange.pool)?.waiting.delete(exchange)
      return
    }
    this.#carried.delete(exchange)
    if (clean) origin.idle.push(line)
    else this.#drop(line, origin)
    const [next] = origin.waiting
    const free = next && (origin.idle.pop() ?? this.#newLine(origin))
    if (!next || !free) return
    origin.waiting.delete(next)
    this.#start(next, free, origin)
  }

  stats(): { origins: number; sockets: number; waiting: number; blocked: number } {
    let waiting = 0
    for (const origin of this.#origins.values()) waiting += origin.waiting.size
    return { origins: this.#origins.size, waiting, ...this.#wiring.counters }
  }

  closeAll(): void {
    for (const { lines } of this.#origins.values()) for (const line of lines) line.cut()
    this.#origins.clear()
  }

  #start(exchange: Exchange, line: Line, origin: Origin): void {
    exchange.carry()
    this.#carried.set(exchange, { line, origin })
    line.post(exchange)
  }

  #originOf({ pool, target }: Exchange): Origin {
    const known = this.#origins.get(pool)
    if (known) this.#origins.delete(pool)
    else if (this.#origins.size >= this.#limits.origins) this.#forgetOldest()
    const origin = known ?? newOrigin(target)
    this.#origins.set(pool, origin)
    return origin
  }

  // More than one where a time of many busy origins has left too many behind.
  #forgetOldest(): void {
    for (const [key, origin] of this.#origins) {
      if (this.#origins.size < this.#limits.origins) return
      if (origin.waiting.size > 0 || origin.idle.length < origin.lines.size) continue
      for (const line of origin.lines) line.cut()
      this.#origins.delete(key)
    }
  }

  #newLine(origin: Origin): Line | undefined {
    if (origin.lines.size >= this.#limits.sockets_per_origin) return undefined
    const line = new Line(this.#wiring, origin, () => {
      // A line that carries an exchange already connects anew for it.
      if (origin.idle.includes(line)) this.#drop(line, origin)
    })
    origin.lines.add(line)
    return line
  }

  #drop(line: Line, origin: Origin): void {
    origin.lines.delete(line)
    origin.idle = origin.idle.filter((each) => each !== line)
    line.cut()
  }
}

const newOrigin = (target: Target): Origin => ({
  target,
  session: undefined,
  lines: new Set(),
  idle: [],
  waiting: new Set(),
})
