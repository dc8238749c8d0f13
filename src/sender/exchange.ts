import type { Socket } from 'node:net'
import type { Target } from '../network/address.rules.ts'
import type { AnswerListener } from './answer-reader.ts'
import {
  answered,
  bodyText,
  failed,
  failureOf,
  type Outcome,
  SendFailure,
} from './outcome.rules.ts'
import type { Trace } from './tracing.ts'

export interface ExchangeOptions {
  target: Target
  /** The connections that it may take. */
  pool: string
  /** The whole request, as it goes on the wire. */
  bytes: Buffer
  trace: Trace | undefined
  /** Asked after a wait for a connection. Never rejects. */
  stillDue: (() => Promise<boolean>) | undefined
  /** Hears how it went, once. */
  resolve: (outcome: Outcome) => void
}

/** A connection, which carries one exchange at a time. */
export interface Connection {
  /** Whether it is open, as far as is known. */
  isUsable(): boolean
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
}

/** How long it waits for a connection, as a share of its deadline: less than that is not enough to answer. */
const WAIT_SHARE = 0.5
/** After a shorter wait nobody is asked: a connection that waits for the answer serves nobody meanwhile. */
const UNASKED_MS = 100
/** Interim answers (1xx) taken before the receiver is held to be playing. */
const INTERIM_MAX = 1_000

/** One request and its answer. Its own timer ends it at the deadline, to the millisecond. */
export class Exchange implements AnswerListener {
  readonly target: Target
  readonly pool: string
  readonly bytes: Buffer
  readonly #owner: ExchangeOwner
  readonly #trace: Trace | undefined
  readonly #stillDue: (() => Promise<boolean>) | undefined
  readonly #resolve: (outcome: Outcome) => void
  /** What has taken it. */
  #connection: Connection | undefined = undefined
  #began = false
  #started = performance.now()
  #timer: NodeJS.Timeout | undefined = undefined
  #over = false
  #written = false
  #interim = 0
  #status: number | undefined = undefined
  #answered_ms = 0
  #chunks: Buffer[] = []
  #size = 0

  constructor(owner: ExchangeOwner, options: ExchangeOptions) {
    this.#owner = owner
    this.#trace = options.trace
    this.#stillDue = options.stillDue
    this.#resolve = options.resolve
    this.target = options.target
    this.pool = options.pool
    this.bytes = options.bytes
  }

  /** No connection is free. It does not wait long, and if it waits in vain, its receiver is not to blame. */
  wait(): void {
    this.#timer ??= setTimeout(onWaitedInVain, this.#owner.deadline_ms * WAIT_SHARE, this)
  }

  /** Whether it is to be sent, now that it waited; what is not ends unsent. */
  async isStillDue(): Promise<boolean> {
    if (this.#stillDue === undefined || this.#elapsed() < UNASKED_MS) return !this.#over
    if (!(await this.#stillDue()))
      this.#end(false, new SendFailure('timeout', 'It was not to be sent any more.'))
    return !this.#over
  }

  /** A connection takes it; with the first its deadline begins. */
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

  onSent(socket: Socket): void {
    this.#written = true
    this.#trace?.sent(socket)
  }

  onHeaders(status: number): void {
    if (this.#over) return
    if (status >= 200) {
      this.#status = status
      this.#answered_ms = this.#elapsed()
      this.#trace?.answered(status)
    } else if (++this.#interim > INTERIM_MAX) {
      this.onError(new SendFailure('invalid_response', 'The receiver sends interim answers only.'))
    }
  }

  onData(bytes: Buffer): void {
    if (this.#over) return
    // One byte more than is kept tells that there was more.
    const taken = bytes.subarray(0, this.#owner.body_max + 1 - this.#size)
    this.#chunks.push(Buffer.from(taken))
    this.#size += taken.length
    if (this.#size > this.#owner.body_max) this.#end(false)
  }

  /** The answer is whole; whether its connection may serve another request. */
  onComplete(clean: boolean): void {
    this.#end(clean)
  }

  onError(error: unknown): void {
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
    const isUnsent = failure?.ours || !this.#hadItsTime()
    const told = isUnsent ? { ...outcome, unsent: true as const } : outcome
    this.#trace?.ended(this.#status === undefined ? failure : undefined)
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
