import type { App } from '../app.ts'
import { isUnavailable } from '../db/failure.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { Job } from './job.ts'

export interface Runner {
  /** Starts no further job and waits for running ones, for 10 s at most. */
  stop(): Promise<void>
}

/** A job that is cut off is repeated by the next process. */
const STOP_WAIT_MS = 10 * SECOND_MS

/**
 * Runs each job at its interval, never twice at once. A failure is logged, and the job runs again
 * next time.
 */
export function startJobs(app: App, jobs: readonly Job[]): Runner {
  let stopped = false
  const sleepers = new Set<() => void>()
  const loops = jobs.map((job) => loop(job))

  async function loop(job: Job): Promise<void> {
    while (!stopped) {
      const more = await attempt(job)
      if (!more && !stopped) await sleep(job.every_ms)
    }
  }

  async function attempt(job: Job): Promise<boolean> {
    try {
      return await job.run(app)
    } catch (error) {
      const level = isUnavailable(error) ? 'warn' : 'error'
      app.log[level]({ job: job.name, err: error }, 'Job failed')
      return false
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        sleepers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      sleepers.add(wake)
    })
  }

  const wakeAll = () => {
    for (const wake of sleepers) wake()
  }

  return {
    async stop() {
      stopped = true
      wakeAll()
      await Promise.race([Promise.all(loops), sleep(STOP_WAIT_MS)])
      wakeAll()
    },
  }
}
