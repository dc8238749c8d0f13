import {
  expectedWait,
  type Load,
  mayJoin,
  type QueueLimits,
  usualAfter,
  whyGiveUp,
} from './queue.rules.ts'

const LOOK_EVERY_MS = 250
/** A process that was itself blocked cannot measure how long the database was. */
const LOOK_MAX_MS = 2 * LOOK_EVERY_MS
const USUAL_AT_FIRST_MS = 50

/** No connection became free in time; the message describes the queue. */
export class DatabaseBusyError extends Error {
  readonly retryAfter_s: number

  constructor(message: string, retryAfter_s = 1) {
    super(message)
    this.retryAfter_s = retryAfter_s
  }
}

/** `failed`: the connection broke, so its time does not count for the average. */
export type Free = (outcome: 'served' | 'failed') => void

interface Waiter {
  since: number
  admit(): void
  refuse(error: DatabaseBusyError): void
}

/**
 * Admits as many callers at once as there are connections; the others wait in order (decision 132).
 */
export class ConnectionQueue {
  readonly #connections: number
  readonly #limits: QueueLimits
  readonly #now: () => number
  #held = 0
  #waiters: Waiter[] = []
  #usual_ms = USUAL_AT_FIRST_MS
  #still_ms = 0
  #looked = 0
  #timer: NodeJS.Timeout | undefined

  constructor(connections: number, limits: QueueLimits, now = () => performance.now()) {
    this.#connections = connections
    this.#limits = limits
    this.#now = now
  }

  async enter(): Promise<Free> {
    if (this.#held < this.#connections) {
      this.#held++
      return this.#holder()
    }
    const load = this.#load(this.#waiters.length)
    if (!mayJoin(load, this.#limits)) throw this.#tooLong(load)
    return new Promise((resolve, reject) => {
      const admit = () => resolve(this.#holder())
      this.#waiters.push({ since: this.#now(), admit, refuse: reject })
      this.#watch()
    })
  }

  #load(ahead: number): Load {
    return {
      connections: this.#connections,
      ahead,
      usual_ms: this.#usual_ms,
      still_ms: this.#still_ms,
    }
  }

  #holder(): Free {
    const since = this.#now()
    let freed = false
    return (outcome) => {
      if (freed) return
      freed = true
      if (outcome === 'served') this.#usual_ms = usualAfter(this.#usual_ms, this.#now() - since)
      this.#still_ms = 0
      // The connection goes directly to the next waiter, so that a new caller cannot overtake it.
      const next = this.#waiters.shift()
      if (next) next.admit()
      else this.#held--
    }
  }

  /** Checks the waiting callers periodically, while there are any. */
  #watch() {
    if (this.#timer) return
    this.#looked = this.#now()
    this.#still_ms = 0
    // setImmediate lets answers that have arrived be read before a caller is refused.
    this.#timer = setInterval(() => setImmediate(() => this.look()), LOOK_EVERY_MS)
    this.#timer.unref()
  }

  look() {
    const now = this.#now()
    this.#still_ms += Math.min(now - this.#looked, LOOK_MAX_MS)
    this.#looked = now
    const kept: Waiter[] = []
    for (const waiter of this.#waiters) {
      const waited_ms = now - waiter.since
      const why = whyGiveUp(waited_ms, this.#load(kept.length), this.#limits)
      if (why === undefined) kept.push(waiter)
      else waiter.refuse(this.#refusal(why, waited_ms))
    }
    this.#waiters = kept
    if (kept.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tooLong(load: Load): DatabaseBusyError {
    const wait_s = Math.max(1, Math.ceil(expectedWait(load) / 1_000))
    return new DatabaseBusyError(
      `The queue for a database connection is full: ${load.ahead} calls wait for ${this.#all()}, and this one would wait about ${wait_s} s. Repeat the call.`,
      Math.min(wait_s, 60),
    )
  }

  #refusal(why: 'slow' | 'stalled', waited_ms: number): DatabaseBusyError {
    const waited = `${Math.floor(waited_ms / 1_000)} s`
    return new DatabaseBusyError(
      why === 'slow'
        ? `The queue for a database connection is too long: this call waited ${waited} for ${this.#all()}, and ${this.#waiters.length - 1} others still wait. Repeat the call.`
        : `The database does not answer: none of ${this.#all()} became free in ${waited}. Repeat the call.`,
    )
  }

  #all = () => (this.#connections === 1 ? 'the one connection' : `${this.#connections} connections`)
}
