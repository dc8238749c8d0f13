import {
  averageAfter,
  expectedWait,
  type Load,
  mayJoin,
  type QueueLimits,
  reasonToRefuse,
} from './queue.rules.ts'

const CHECK_MS = 250
/** The maximum time that one check counts. If a check is late, this process was blocked. */
const COUNTED_MAX_MS = 2 * CHECK_MS
/** The assumed time for which a caller has a connection, before the first measurement. */
const INITIAL_USE_MS = 50

/** The error if no connection became free in time. Its message describes the queue. */
export class DatabaseBusyError extends Error {
  readonly retryAfter_s: number

  constructor(message: string, retryAfter_s = 1) {
    super(message)
    this.retryAfter_s = retryAfter_s
  }
}

/** Releases the connection. The time of a `failed` use is not part of the average. */
export type Release = (outcome: 'served' | 'failed') => void

/** The connections of a process, and the callers that wait for them. */
export interface PoolState {
  connections: number
  used: number
  waiting: number
  /** The number of callers that were refused since the start. */
  refused: number
}

interface Waiter {
  since: number
  admit(): void
  refuse(error: DatabaseBusyError): void
}

/**
 * Admits as many concurrent callers as there are connections. Further callers wait in order (decision 132).
 */
export class ConnectionQueue {
  readonly #connections: number
  readonly #limits: QueueLimits
  readonly #now: () => number
  /** The connections in use. */
  #used = 0
  #waiters: Waiter[] = []
  #averageUse_ms = INITIAL_USE_MS
  /** The time since a connection was last released. */
  #stalled_ms = 0
  #checkedAt = 0
  #timer: NodeJS.Timeout | undefined
  #refused = 0

  constructor(connections: number, limits: QueueLimits, now = () => performance.now()) {
    this.#connections = connections
    this.#limits = limits
    this.#now = now
  }

  get state(): PoolState {
    return {
      connections: this.#connections,
      used: this.#used,
      waiting: this.#waiters.length,
      refused: this.#refused,
    }
  }

  async enter(): Promise<Release> {
    if (this.#used < this.#connections) {
      this.#used++
      return this.#startUse()
    }
    const load = this.#load(this.#waiters.length)
    if (!mayJoin(load, this.#limits)) {
      this.#refused++
      throw this.#queueFullError(load)
    }
    return new Promise((resolve, reject) => {
      const admit = () => resolve(this.#startUse())
      this.#waiters.push({ since: this.#now(), admit, refuse: reject })
      this.#watch()
    })
  }

  #load(ahead: number): Load {
    return {
      connections: this.#connections,
      ahead,
      averageUse_ms: this.#averageUse_ms,
      stalled_ms: this.#stalled_ms,
    }
  }

  #startUse(): Release {
    const since = this.#now()
    let isReleased = false
    return (outcome) => {
      if (isReleased) return
      isReleased = true
      if (outcome === 'served') {
        this.#averageUse_ms = averageAfter(this.#averageUse_ms, this.#now() - since)
      }
      this.#stalled_ms = 0
      // The connection goes directly to the next waiter, so that a new caller cannot overtake it.
      const next = this.#waiters.shift()
      if (next) next.admit()
      else this.#used--
    }
  }

  /** Checks the waiting callers periodically, while there are any. */
  #watch() {
    if (this.#timer) return
    this.#checkedAt = this.#now()
    this.#stalled_ms = 0
    // setImmediate lets answers that have arrived be read before a caller is refused.
    this.#timer = setInterval(() => setImmediate(() => this.check()), CHECK_MS)
    this.#timer.unref()
  }

  /** Refuses the callers that have waited for too long. */
  check() {
    const now = this.#now()
    this.#stalled_ms += Math.min(now - this.#checkedAt, COUNTED_MAX_MS)
    this.#checkedAt = now
    const remaining: Waiter[] = []
    for (const waiter of this.#waiters) {
      const waited_ms = now - waiter.since
      const reason = reasonToRefuse(waited_ms, this.#load(remaining.length), this.#limits)
      if (reason === undefined) remaining.push(waiter)
      else {
        this.#refused++
        waiter.refuse(this.#waitError(reason, waited_ms))
      }
    }
    this.#waiters = remaining
    if (remaining.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #queueFullError(load: Load): DatabaseBusyError {
    const wait_s = Math.max(1, Math.ceil(expectedWait(load) / 1_000))
    return new DatabaseBusyError(
      `The queue for a database connection is full: ${load.ahead} calls wait for ${this.#connectionsText()}, and this one would wait about ${wait_s} s. Repeat the call.`,
      Math.min(wait_s, 60),
    )
  }

  #waitError(reason: 'slow' | 'stalled', waited_ms: number): DatabaseBusyError {
    const waitText = `${Math.floor(waited_ms / 1_000)} s`
    return new DatabaseBusyError(
      reason === 'slow'
        ? `The queue for a database connection is too long: this call waited ${waitText} for ${this.#connectionsText()}, and ${this.#waiters.length - 1} others still wait. Repeat the call.`
        : `The database does not answer: ${this.#busyText()} in ${waitText}. Repeat the call.`,
    )
  }

  #busyText = () =>
    this.#connections === 1
      ? 'the only connection did not become free'
      : `none of ${this.#connections} connections became free`

  #connectionsText = () =>
    this.#connections === 1 ? 'the one connection' : `${this.#connections} connections`
}
