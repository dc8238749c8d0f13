import type { Job } from '../app.ts'
import { MINUTE_MS } from '../kernel/time.ts'
import type { Run } from './run.ts'

export async function runAtInterval(run: Run, job: Job): Promise<void> {
  const { every_ms = MINUTE_MS, afterWrites_ms } = job
  const { writes } = run.app
  const alarm = run.alarm()
  if (afterWrites_ms !== undefined) writes.onWrite(() => alarm.ring(afterWrites_ms))
  while (!run.isStopped()) {
    const more = await run.attempt(job)
    if (!more && !run.isStopped()) await alarm.wait(every_ms)
  }
}
