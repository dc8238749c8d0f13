import type { App, Job } from '../app.ts'
import { isUnavailable } from '../db/failure.ts'
import { type Alarm, createAlarm } from './alarm.ts'

/** The state that the loops of a runner share. */
export interface Run {
  app: App
  isStopped(): boolean
  /** An alarm that also rings at the stop. */
  alarm(): Alarm
  /** Runs a job once. Returns true if it wants to run again at once, and false if it failed. */
  attempt(job: Job): Promise<boolean>
  /** Logs an error. */
  failed(job: string, error: unknown): void
  stop(): void
}

export function openRun(app: App): Run {
  let stopped = false
  const alarms: Alarm[] = []

  function failed(job: string, err: unknown): void {
    app.log[isUnavailable(err) ? 'warn' : 'error']({ job, err }, 'Job failed')
  }

  return {
    app,
    failed,
    isStopped: () => stopped,
    alarm() {
      const alarm = createAlarm()
      alarms.push(alarm)
      return alarm
    },
    async attempt(job) {
      try {
        return await job.run(app)
      } catch (error) {
        failed(job.name, error)
        return false
      }
    },
    stop() {
      stopped = true
      for (const alarm of alarms) alarm.ring(0)
    },
  }
}
