import { setTimeout as pause } from 'node:timers/promises'
import { timeLimit } from './clock.ts'

// The only module of tests that waits. A test waits for something (`until`), watches that something does not happen
// (`stays`), or lets time pass because time is what it tests (`elapse`).

/** It ends a test that hangs: a busy machine takes as long as it needs. */
const TIMEOUT_MS = 600_000
const POLL_MS = 20

/** Waits until a condition is true. On a timeout the error contains the code of the condition. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeout_ms = TIMEOUT_MS,
  poll_ms = POLL_MS,
): Promise<void> {
  if (!(await isReached(condition, timeout_ms, poll_ms))) {
    throw new Error(`Not true within ${timeout_ms} ms: ${condition}`)
  }
}

/** Waits until a condition is true. Returns false if the time is over before. */
export async function isReached(
  condition: () => boolean | Promise<boolean>,
  timeout_ms: number,
  poll_ms = POLL_MS,
): Promise<boolean> {
  const isOver = timeLimit(timeout_ms)
  while (!(await condition())) {
    if (isOver()) return false
    await pause(poll_ms)
  }
  return true
}

/** Watches that a condition stays true for this long, which is as long as its opposite would usually need. */
export async function stays(
  condition: () => boolean | Promise<boolean>,
  ms: number,
): Promise<void> {
  const isOver = timeLimit(ms)
  do {
    if (!(await condition())) throw new Error(`No longer true: ${condition}`)
    await pause(POLL_MS)
  } while (!isOver())
}

/**
 * Lets real time pass, where the time is the case itself: a peer that answers slowly, a kill at any moment, a caller
 * who waits before a repeat. To wait for a result, use `until`.
 */
export const elapse = (ms: number): Promise<void> => pause(ms)
