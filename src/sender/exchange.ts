import { isUtf8 } from 'node:buffer'
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
  /** The pool whose connections it may use. */
  pool: string
  /** The whole request as sent. */
  bytes: Buffer
  trace: Trace | undefined
  /** Called after a wait for a connection. Never rejects. */
  stillDue: (() => Promise<boolean>) | undefined
  /** Called once, with the result. */
  resolve: (outcome: Outcome) => void
}

/** A connection, which carries one exchange at a time. */
export interface Connection {
  /** True if it is open, as far as is known. */
  isUsable(): boolean
  post(exchange: Exchange): void
  /** Closes it at once, even during an exchange. */
  cut(): void
}

/** The owner of exchanges; receives their events. */
export interface ExchangeOwner {
  deadline_ms: number
  body_max: number
  /** True if an answer whose body is cut off is a failure. */
  isWholeBodyNeeded: boolean
  /** `clean`: the answer was read to its end, so the connection may serve another request. */
  ended(exchange: Exchange, clean: boolean): void
}

/**
 * The longest wait for a connection, as a share of the deadline. The rest must be enough for the
 * answer.
 */
const WAIT_SHARE = 0.5
/**
 * After a shorter wait `stillDue` is not called, because the connection is idle during the call.
 */
const UNASKED_MS = 100
/** More interim answers (1xx) than this end the exchange. */
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
  /** The connection that carries it. */
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

  /**
   * Starts the wait for a free connection. If the wait ends in vain, the receiver is not to blame.
   */
  wait(): void {
    this.#timer ??= setTimeout(onWaitedInVain, this.#owner.deadline_ms * WAIT_SHARE, this)
  }

  /** False, and ends the exchange unsent, if it is no longer due after its wait. */
  async isStillDue(): Promise<boolean> {
    if (this.#stillDue === undefined || this.#elapsed() < UNASKED_MS) return !this.#over
    if (!(await this.#stillDue()))
      this.#end(false, new SendFailure('timeout', 'The request was no longer due.'))
    return !this.#over
  }

  /** Assigns a connection. The first one starts the deadline. */
  begin(connection: Connection): void {
    this.#connection = connection
    if (this.#began) return
    this.#began = true
    clearTimeout(this.#timer)
    this.#started = performance.now()
    this.#timer = setTimeout(onDeadline, this.#owner.deadline_ms, this)
  }

  /** Detaches from the connection, if there is one. */
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
    // One byte more than the limit is kept, to detect that there was more.
    const part = bytes.subarray(0, this.#owner.body_max + 1 - this.#size)
    this.#chunks.push(Buffer.from(part))
    this.#size += part.length
    if (this.#size > this.#owner.body_max) this.#end(false, this.#tooLong())
  }

  /** Called when the answer is complete. `clean`: the connection may serve another request. */
  onComplete(clean: boolean): void {
    this.#end(clean)
  }

  onError(error: unknown): void {
    this.#end(false, failureOf(error))
  }

  onDeadline(): void {
    const left_ms = this.#owner.deadline_ms - this.#elapsed()
    // Node measures from the start of the event loop turn that set the timer, so it may fire early.
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

  #tooLong(): SendFailure {
    const why = `The answer is longer than ${this.#owner.body_max} bytes.`
    return new SendFailure('invalid_response', why)
  }

  /** A body that is needed whole must not be changed to fit the database. */
  #whyNoText(): SendFailure | undefined {
    const bytes = this.#bytes()
    if (isUtf8(bytes) && !bytes.includes(0)) return undefined
    return new SendFailure(
      'invalid_response',
      'The answer is not UTF-8 text. Answer with text, without compression.',
    )
  }

  // A status that arrived in time decides the outcome, even if the body fails, unless that is needed whole.
  #end(clean: boolean, failure?: SendFailure): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    const { body_max, isWholeBodyNeeded } = this.#owner
    const spoiled = isWholeBodyNeeded ? (failure ?? this.#whyNoText()) : undefined
    const outcome =
      this.#status === undefined || (spoiled && this.#status < 300)
        ? failed(failure ?? spoiled ?? failureOf(new Error()), Math.round(this.#elapsed()))
        : answered(this.#status, bodyText(this.#bytes(), body_max), Math.round(this.#answered_ms))
    const isUnsent = failure?.ours || !this.#isReceiversFault()
    const result = isUnsent ? { ...outcome, unsent: true as const } : outcome
    this.#trace?.ended(this.#status === undefined ? failure : undefined)
    this.#owner.ended(this, clean)
    this.#resolve(result)
  }

  /** True if the failure is the receiver's, not for want of a connection. */
  #isReceiversFault(): boolean {
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
