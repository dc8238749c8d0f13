import { setTimeout as pause } from 'node:timers/promises'

/** Long enough for a machine that is ten times slower than usual. */
const TIMEOUT_MS = 60_000
const POLL_MS = 20

/** Waits until a condition is true. On a timeout the error contains the code of the condition. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeout_ms = TIMEOUT_MS,
): Promise<void> {
  const end = Date.now() + timeout_ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not true within ${timeout_ms} ms: ${condition}`)
    await pause(POLL_MS)
  }
}
