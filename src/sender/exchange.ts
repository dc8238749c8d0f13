import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import type { Target } from '../network/address.rules.ts'
import type { AnswerListener } from './answer-reader.ts'
import {
  answeredOutcome,
  bodyText,
  failedOutcome,
  failureOf,
  type Outcome,
  SendFailure,
} from './outcome.rules.ts'
import type { Trace } from './tracing.ts'

interface ExchangeOptions {
  target: Target
  /** The pool whose connections the exchange may use. */
  pool: string
  /** The whole request as sent. */
  bytes: Buffer
  trace: Trace | undefined
  /** Called after a wait for a connection. Resolves to false if the request is no longer due. Never rejects. */
  recheck: (() => Promise<boolean>) | undefined
  /** Called once, with the result. */
  resolve: (outcome: Outcome) => void
}

/** A connection, which carries one exchange at a time. */
export interface Connection {
  /** True if the connection is open. A close by the receiver may not be detected yet. */
  isUsable(): boolean
  post(exchange: Exchange): void
  /** Closes the connection at once, even during an exchange. */
  destroy(): void
}

/** The settings of exchanges, and the callback for the end of each. */
export interface ExchangeOwner {
  deadline_ms: number
  body_max: number
  /** True if an answer with an incomplete body is a failure. */
  isWholeBodyNeeded: boolean
  /** `isClean`: the answer was read to its end, so the connection may serve another request. */
  onEnd(exchange: Exchange, isClean: boolean): void
}

/** The longest wait for a connection, as a share of the deadline. The remaining time is for the answer. */
const WAIT_SHARE = 0.5
/** The wait above which `recheck` is called. The connection is idle during that call, so a short wait skips it. */
const RECHECK_AFTER_MS = 100
/** The maximum number of interim answers (1xx). A further one ends the exchange. */
const INTERIM_MAX = 1_000

/** One request and its answer. A timer ends the exchange at the deadline, to the millisecond. */
export class Exchange implements AnswerListener {
  readonly target: Target
  readonly pool: string
  readonly bytes: Buffer
  readonly #owner: ExchangeOwner
  readonly #trace: Trace | undefined
  readonly #recheck: (() => Promise<boolean>) | undefined
  readonly #resolve: (outcome: Outcome) => void
  #connection: Connection | undefined = undefined
  #hasBegun = false
  #started = performance.now()
  #timer: NodeJS.Timeout | undefined = undefined
  #isEnded = false
  #isWritten = false
  #interimCount = 0
  #status: number | undefined = undefined
  #answeredAfter_ms = 0
  #chunks: Buffer[] = []
  #size = 0

  constructor(owner: ExchangeOwner, options: ExchangeOptions) {
    this.#owner = owner
    this.#trace = options.trace
    this.#recheck = options.recheck
    this.#resolve = options.resolve
    this.target = options.target
    this.pool = options.pool
    this.bytes = options.bytes
  }

  /**
   * Starts the wait for a free connection. If none becomes free, the attempt does not count against the receiver.
   */
  wait(): void {
    this.#timer ??= setTimeout(onWaitTimeout, this.#owner.deadline_ms * WAIT_SHARE, this)
  }

  /** Calls `recheck` after a wait. If it returns false, ends the exchange unsent and returns false. */
  async confirmDue(): Promise<boolean> {
    if (this.#recheck === undefined || this.#elapsed() < RECHECK_AFTER_MS) return !this.#isEnded
    if (!(await this.#recheck()))
      this.#fail(new SendFailure('timeout', 'The request was no longer due.'))
    return !this.#isEnded
  }

  /** Assigns a connection. The first one starts the deadline. */
  begin(connection: Connection): void {
    this.#connection = connection
    if (this.#hasBegun) return
    this.#hasBegun = true
    clearTimeout(this.#timer)
    this.#started = performance.now()
    this.#timer = setTimeout(onDeadline, this.#owner.deadline_ms, this)
  }

  /** Detaches from the connection, if there is one. */
  detach(): Connection | undefined {
    const connection = this.#connection
    this.#connection = undefined
    return connection
  }

  onSent(socket: Socket): void {
    this.#isWritten = true
    this.#trace?.onSent(socket)
  }

  onHeaders(status: number): void {
    if (this.#isEnded) return
    if (status >= 200) {
      this.#status = status
      this.#answeredAfter_ms = this.#elapsed()
      this.#trace?.onAnswer(status)
    } else if (++this.#interimCount > INTERIM_MAX) {
      this.onError(new SendFailure('invalid_response', 'The receiver sends interim answers only.'))
    }
  }

  onData(bytes: Buffer): void {
    if (this.#isEnded) return
    // One byte more than the limit is stored, to detect a longer body.
    const part = bytes.subarray(0, this.#owner.body_max + 1 - this.#size)
    this.#chunks.push(Buffer.from(part))
    this.#size += part.length
    if (this.#size > this.#owner.body_max) this.#fail(this.#tooLongFailure())
  }

  /** Called when the answer is complete. `isClean`: the connection may serve another request. */
  onComplete(isClean: boolean): void {
    this.#end({ isClean })
  }

  onError(error: unknown): void {
    this.#fail(failureOf(error))
  }

  onDeadline(): void {
    const remaining_ms = this.#owner.deadline_ms - this.#elapsed()
    // Node measures from the start of the event loop turn that set the timer, so it may fire early.
    if (remaining_ms > 0) this.#timer = setTimeout(onDeadline, Math.ceil(remaining_ms), this)
    else this.#fail(new SendFailure('timeout', this.#timeoutText()))
  }

  onWaitTimeout(): void {
    this.#fail(new SendFailure('timeout', 'No connection to this host was free in time.'))
  }

  #timeoutText(): string {
    const limit = `${this.#owner.deadline_ms / 1000} s`
    return this.#isWritten
      ? `The receiver did not answer within ${limit}.`
      : `No connection was made within ${limit}.`
  }

  #tooLongFailure(): SendFailure {
    const sentence = `The answer is longer than ${this.#owner.body_max} bytes.`
    return new SendFailure('invalid_response', sentence)
  }

  /** Returns a failure if the body, which must be stored unchanged, is not UTF-8 text or contains a NUL. */
  #textFailure(): SendFailure | undefined {
    const bytes = this.#bytes()
    if (isUtf8(bytes) && !bytes.includes(0)) return undefined
    return new SendFailure(
      'invalid_response',
      'The answer is not UTF-8 text. Answer with text, without compression.',
    )
  }

  #fail(failure: SendFailure): void {
    this.#end({ isClean: false, failure })
  }

  // A status that arrived in time decides the outcome even if the body fails, unless the whole body is needed.
  #end({ isClean, failure }: { isClean: boolean; failure?: SendFailure }): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#timer)
    const { body_max, isWholeBodyNeeded } = this.#owner
    const bodyFailure = isWholeBodyNeeded ? (failure ?? this.#textFailure()) : undefined
    const outcome =
      this.#status === undefined || (bodyFailure && this.#status < 300)
        ? failedOutcome(
            failure ?? bodyFailure ?? failureOf(new Error()),
            Math.round(this.#elapsed()),
          )
        : answeredOutcome(
            this.#status,
            bodyText(this.#bytes(), body_max),
            Math.round(this.#answeredAfter_ms),
          )
    const isUnsent = failure?.isLocal || !this.#reachedReceiver()
    const result = isUnsent ? { ...outcome, unsent: true as const } : outcome
    this.#trace?.onEnd(this.#status === undefined ? failure : undefined)
    this.#owner.onEnd(this, isClean)
    this.#resolve(result)
  }

  /** False if the exchange ended while it waited for a connection, which is not the receiver's fault. */
  #reachedReceiver(): boolean {
    return this.#isWritten || this.#connection !== undefined
  }

  #bytes(): Uint8Array {
    const [first] = this.#chunks
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }

  #elapsed(): number {
    return performance.now() - this.#started
  }
}

const onDeadline = (exchange: Exchange): void => exchange.onDeadline()
const onWaitTimeout = (exchange: Exchange): void => exchange.onWaitTimeout()
