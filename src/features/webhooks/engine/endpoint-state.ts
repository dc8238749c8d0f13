import { MINUTE_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { SLOTS_MAX, slotsAfter } from './slots.rules.ts'

/** An endpoint with all slots in use hangs if no attempt ended or began for this time. */
export const HANG_AFTER_MS = 200
/** The time for which a slow endpoint is remembered after its last attempt. */
export const SLOW_MS = 10 * MINUTE_MS

/**
 * The state of an endpoint as a process knows it. Each method is a transition; times are by `performance.now()`.
 *
 * | | running | queued | slots it can serve | taken elsewhere |
 * | :- | :- | :- | :- | :- |
 * | `begin` | + 1 | | | |
 * | `queue` | | + 1 | | |
 * | `dequeue` | | − 1 | | |
 * | `end` | − 1 | | by the outcome | |
 * | `takeElsewhere` | | | | as given |
 */
export class EndpointState {
  /** The attempts under way. */
  running = 0
  /** The attempts that wait for a slot. */
  queued = 0
  /** The slots that the endpoint can serve by its answers: from 1 to `SLOTS_MAX`, also between two numbers. */
  #served = SLOTS_MAX
  /** The slots that other processes use (decision 126). */
  #takenElsewhere = 0
  /** The time when the last attempt ended, or the first of those under way began. */
  #movedAt = Number.NEGATIVE_INFINITY

  begin(now: number): void {
    if (this.running === 0) this.#movedAt = now
    this.running++
  }

  queue(): void {
    this.queued++
  }

  dequeue(): void {
    this.queued--
  }

  /** An attempt without an outcome has sent nothing. */
  end(outcome: Outcome | undefined, now: number): void {
    this.running--
    this.#movedAt = now
    if (outcome) this.#served = slotsAfter(this.#served, outcome)
  }

  takeElsewhere(slots: number): void {
    this.#takenElsewhere = slots
  }

  /** The slots that other processes do not use. */
  get available(): number {
    return Math.max(0, SLOTS_MAX - this.#takenElsewhere)
  }

  /** The attempts that may run at once. */
  get slots(): number {
    return Math.min(Math.floor(this.#served), this.available)
  }

  /** The further attempts that may run at once. */
  get freeSlots(): number {
    return Math.max(0, this.slots - this.running - this.queued)
  }

  /** Has at most one attempt in the queue for each slot, so that one queued behind attempts that hang ends in its lease. */
  get isFull(): boolean {
    return this.running >= this.slots && this.queued >= this.slots
  }

  isHanging(now: number): boolean {
    return this.slots === 0 || now - this.#movedAt > HANG_AFTER_MS
  }

  /** True if nothing is known of the endpoint that one without a state would not have. */
  isUnused(now: number): boolean {
    const isSlow = this.#served < SLOTS_MAX && now - this.#movedAt <= SLOW_MS
    return this.running === 0 && this.queued === 0 && this.#takenElsewhere === 0 && !isSlow
  }
}
