import { MINUTE_MS } from './time.ts'

/** A failure that lasts is logged again after this time, so that a newer log file shows it too. */
const REMIND_MS = 10 * MINUTE_MS

/**
 * Decides which failures of repeated work are logged. A full disk fails every job each second; only the first
 * failure is logged, and then a failure for another reason (decision 211).
 */
interface RepeatedFailures {
  /** Records a failure. Returns true if it is to be logged. */
  isNew(work: string, error: unknown): boolean
  /** Records a success. Returns true if the work had failed before. */
  end(work: string): boolean
}

export function createRepeatedFailures(now = () => performance.now()): RepeatedFailures {
  const lastLogged = new Map<string, { reason: string; logged_ms: number }>()
  return {
    isNew(work, error) {
      const reason = reasonOf(error)
      const last = lastLogged.get(work)
      if (last?.reason === reason && now() - last.logged_ms < REMIND_MS) return false
      lastLogged.set(work, { reason, logged_ms: now() })
      return true
    },
    end: (work) => lastLogged.delete(work),
  }
}

/** Returns the code of an error, or its message without numbers, such as the length of a queue. */
function reasonOf(error: unknown): string {
  const { code, name, message } = (error ?? {}) as Record<string, unknown>
  return code === undefined ? `${name}: ${String(message).replace(/\d+/g, '0')}` : String(code)
}
