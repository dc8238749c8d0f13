import type { App } from '../app.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { createAlarm } from './alarm.ts'
import { openRun } from './run.ts'
import { runAtInterval } from './run-at-interval.ts'
import { runWhenDue } from './run-when-due.ts'

export interface Runner {
  /** Starts no further job and waits for running ones, for 10 s at most. */
  stop(): Promise<void>
}

/** A job that is cut off is repeated by the next process. */
const STOP_WAIT_MS = 10 * SECOND_MS

/**
 * Runs the jobs of the app when their rows are due, or at their interval, never twice at once. A
 * failure is logged, and the job runs again next time.
 */
export function startJobs(app: App): Runner {
  const run = openRun(app)
  const due = app.jobs.filter((job) => job.due)
  const others = app.jobs.filter((job) => !job.due)
  const loops = [runWhenDue(run, due), ...others.map((job) => runAtInterval(run, job))]

  return {
    async stop() {
      run.stop()
      const patience = createAlarm()
      await Promise.race([Promise.all(loops), patience.wait(STOP_WAIT_MS)])
      patience.ring(0)
    },
  }
}
