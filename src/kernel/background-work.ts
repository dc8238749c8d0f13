/** Work that goes on after its call was answered. */
interface BackgroundWork {
  /** Starts the work, or queues it. Returns false, and does nothing, if too much work waits already. */
  start(work: () => Promise<void>): boolean
}

/**
 * Runs at most `running` works at the same time, and lets at most `waiting` others wait, so that no number of calls
 * takes the database from the others. A work handles its own errors.
 */
export function createBackgroundWork(limits: { running: number; waiting: number }): BackgroundWork {
  const queue: (() => Promise<void>)[] = []
  let runningCount = 0

  async function run(work: () => Promise<void>): Promise<void> {
    runningCount++
    try {
      for (let next: typeof work | undefined = work; next; next = queue.shift()) await next()
    } finally {
      runningCount--
    }
  }

  return {
    start(work) {
      if (runningCount < limits.running) {
        void run(work)
        return true
      }
      if (queue.length >= limits.waiting) return false
      queue.push(work)
      return true
    },
  }
}
