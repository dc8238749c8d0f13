import type { Job } from '../app.ts'
import { MINUTE_MS } from '../kernel/time.ts'
import type { RunnerState } from './run.ts'

export async function runAtInterval(run: RunnerState, job: Job): Promise<void> {
  const { every_ms = MINUTE_MS, afterWrites_ms } = job
  const { writes, meter } = run.app
  const alarm = run.newAlarm()
  if (afterWrites_ms !== undefined) writes.onWrite(() => alarm.wake(afterWrites_ms))
  meter.recordJobDue(job.name, 0)
  while (!run.isStopped()) {
    const result = await run.attempt(job)
    // A failed job stays late.
    if (result !== 'failed') meter.recordJobDue(job.name, every_ms)
    if (result !== 'more' && !run.isStopped()) await alarm.wait(every_ms)
  }
}
