import type { Job } from '../app.ts'
import { MINUTE_MS } from '../kernel/time.ts'
import type { RunnerState } from './run.ts'

export async function runAtInterval(run: RunnerState, job: Job): Promise<void> {
  const { every_ms = MINUTE_MS, afterWrites_ms } = job
  const { writes } = run.app
  const alarm = run.newAlarm()
  if (afterWrites_ms !== undefined) writes.onWrite(() => alarm.wake(afterWrites_ms))
  while (!run.isStopped()) {
    const hasMore = await run.attempt(job)
    if (!hasMore && !run.isStopped()) await alarm.wait(every_ms)
  }
}
