import type { Target } from '../../../network/address.rules.ts'
import {
  answered,
  bodyText,
  failed,
  failureOf,
  type Outcome,
  SendFailure,
} from './outcome.rules.ts'

export interface ExchangeOptions {
  target: Target
  /** The connections that it may take. */
  pool: string
  /** Names and values in turn. */
  headers: string[]
  body: Uint8Array
  /** Hears how it went, once. */
  resolve: (outcome: Outcome) => void
}

/** A connection, which carries one exchange at a time. */
export interface Connection {
  post(exchange: Exchange): void
  /** Closes it at once, whatever it was doing. */
  cut(): void
}

/** Who runs exchanges. */
export interface ExchangeOwner {
  deadline_ms: number
  body_max: number
  /** `clean`: the answer was read to its end, the connection may serve another request. */
  ended(exchange: Exchange, clean: boolean): void
  /** Nothing of the request has left: it may be sent on another connection. */
  again(exchange: Exchange): void
}

/** How long it waits for a connection, as a share of its deadline: less than that is not enough to answer. */
const WAIT_SHARE = 0.5
/** Interim answers (1xx) taken before the receiver is held to be playing. */
const INTERIM_MAX = 1_000

/**
 * One request and its answer, as undici's handler. Its own timer ends it at the deadline, to the
 * millisecond; undici's timers have a grain of 500 ms.
 */
// The handler's older form: for the newer one undici parses every header, and nobody reads them.
export class Exchange {
  readonly target: Target
  readonly pool: string
  readonly headers: string[]
  readonly body: Uint8Array
  /** What has taken it. */
  #connection: Connection | undefined = undefined
  #began = false
  readonly #owner: ExchangeOwner
  readonly #resolve: (outcome: Outcome) => void
  #started = performance.now()
  #timer: NodeJS.Timeout | undefined = undefined
  #over = false
  #written = false
  #repeated = false
  #interim = 0
  #status: number | undefined = undefined
  #answered_ms = 0
  #chunks: Buffer[] = []
  #size = 0

  constructor(owner: ExchangeOwner, { target, pool, headers, body, resolve }: ExchangeOptions) {
    this.#owner = owner
    this.#resolve = resolve
    this.target = target
    this.pool = pool
    this.headers = headers
    this.body = body
  }

  /** No connection is free. It does not wait long, and if it waits in vain, its receiver is not to blame. */
  wait(): void {
    this.#timer ??= setTimeout(onWaitedInVain, this.#owner.deadline_ms * WAIT_SHARE, this)
  }

  /** A connection takes it; its deadline begins with the first. */
  begin(connection: Connection): void {
    this.#connection = connection
    if (this.#began) return
    this.#began = true
    clearTimeout(this.#timer)
    this.#started = performance.now()
    this.#timer = setTimeout(onDeadline, this.#owner.deadline_ms, this)
  }

  /** Gives up its connection, if one has taken it. */
  leave(): Connection | undefined {
    const connection = this.#connection
    this.#connection = undefined
    return connection
  }

  onConnect(): void {
    this.#written = true
  }

  onHeaders(status: number): boolean {
    if (this.#over) return true
    if (status >= 200) {
      this.#status = status
      this.#answered_ms = this.#elapsed()
    } else if (++this.#interim > INTERIM_MAX) {
      this.onError(new SendFailure('invalid_response', 'The receiver sends interim answers only.'))
    }
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.#over) return true
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > this.#owner.body_max) this.#end(false)
    return true
  }

  onComplete(): void {
    this.#end(true)
  }

  onError(error: unknown): void {
    if (this.#over) return
    // undici fails what waits on an idle connection when that breaks, though nothing was sent.
    if (!this.#written && !this.#repeated && !(error instanceof SendFailure)) {
      this.#repeated = true
      this.#owner.again(this)
      return
    }
    this.#end(false, failureOf(error))
  }

  onDeadline(): void {
    const left_ms = this.#owner.deadline_ms - this.#elapsed()
    // Node counts from the start of the tick that set the timer, so it may come early.
    if (left_ms > 0) this.#timer = setTimeout(onDeadline, Math.ceil(left_ms), this)
    else this.#end(false, new SendFailure('timeout', this.#whyLate()))
  }

  onWaitedInVain(): void {
    this.#end(false, new SendFailure('timeout', 'No connection to this host was free in time.'))
  }

  #whyLate(): string {
    const limit = `${this.#owner.deadline_ms / 1000} s`
    return this.#written
      ? `The receiver did not answer within ${limit}.`
      : `No connection was made within ${limit}.`
  }

  // A status that came in time decides, whatever happens to its body.
  #end(clean: boolean, failure?: SendFailure): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    const { body_max } = this.#owner
    const outcome =
      this.#status === undefined
        ? failed(failure ?? failureOf(new Error()), Math.round(this.#elapsed()))
        : answered(this.#status, bodyText(this.#bytes(), body_max), Math.round(this.#answered_ms))
    const told = this.#hadItsTime() ? outcome : { ...outcome, unsent: true as const }
    this.#owner.ended(this, clean)
    this.#resolve(told)
  }

  /** Whether it failed for its receiver, not for want of a connection. */
  #hadItsTime(): boolean {
    return this.#written || this.#connection !== undefined
  }

  #bytes(): Uint8Array {
    const [only] = this.#chunks
    return only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks)
  }

  #elapsed(): number {
    return performance.now() - this.#started
  }
}

const onDeadline = (exchange: Exchange): void => exchange.onDeadline()
const onWaitedInVain = (exchange: Exchange): void => exchange.onWaitedInVain()
