import type { App } from '../app.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { createAlarm } from './alarm.ts'
import { openRun } from './run.ts'
import { runAtInterval } from './run-at-interval.ts'
import { runWhenDue } from './run-when-due.ts'

interface Runner {
  /** Starts no further jobs, and waits for running jobs for up to 10 s. */
  stop(): Promise<void>
}

/** After this time, running jobs are abandoned. The next process repeats them. */
const STOP_WAIT_MS = 10 * SECOND_MS

/**
 * Runs the jobs of the app when their rows are due, or at their interval. A job never runs twice at once. A
 * failure is logged, and the job runs again next time.
 */
export function startJobs(app: App): Runner {
  const state = openRun(app)
  const dueJobs = app.jobs.filter((job) => job.due)
  const intervalJobs = app.jobs.filter((job) => !job.due)
  const loops = [
    runWhenDue(state, dueJobs),
    ...intervalJobs.map((job) => runAtInterval(state, job)),
  ]

  return {
    async stop() {
      state.stop()
      const timeout = createAlarm()
      const finished = Promise.all(loops).then(() =>
        Promise.all(app.jobs.map((job) => job.finish?.())),
      )
      await Promise.race([finished, timeout.wait(STOP_WAIT_MS)])
      timeout.wake(0)
    },
  }
}
