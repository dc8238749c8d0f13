import type { App, Job } from '../app.ts'
import { isUnavailable } from '../db/failure.ts'
import { createRepeatedFailures } from '../kernel/repeated-failures.ts'
import { type Alarm, createAlarm } from './alarm.ts'

/** The state that the loops of a runner share. */
export interface RunnerState {
  app: App
  isStopped(): boolean
  /** Creates an alarm whose wait also ends when the runner stops. */
  newAlarm(): Alarm
  /** Runs a job once. Returns `more` if the job is to run again at once. */
  attempt(job: Job): Promise<'more' | 'done' | 'failed'>
  /** Logs a failure unless the same failure of this job was logged since its last success. */
  logFailure(job: string, error: unknown): void
  /** Logs the first success after a failure. */
  logSuccess(job: string): void
  stop(): void
}

export function openRun(app: App): RunnerState {
  let isStopped = false
  const alarms: Alarm[] = []
  const failures = createRepeatedFailures()

  function logFailure(job: string, err: unknown): void {
    if (failures.isNew(job, err))
      app.log[isUnavailable(err) ? 'warn' : 'error']({ job, err }, 'Job failed')
  }

  function logSuccess(job: string): void {
    if (failures.end(job)) app.log.info({ job }, 'Job succeeded again')
  }

  return {
    app,
    logFailure,
    logSuccess,
    isStopped: () => isStopped,
    newAlarm() {
      const alarm = createAlarm()
      alarms.push(alarm)
      return alarm
    },
    async attempt(job) {
      const startedAt = performance.now()
      const record = (ok: boolean) =>
        app.meter.recordJobRun(job.name, { ok, duration_ms: performance.now() - startedAt })
      try {
        const hasMore = await job.run(app)
        logSuccess(job.name)
        record(true)
        return hasMore ? 'more' : 'done'
      } catch (error) {
        logFailure(job.name, error)
        record(false)
        return 'failed'
      }
    },
    stop() {
      isStopped = true
      for (const alarm of alarms) alarm.wake(0)
    },
  }
}
