import type { Job } from '../jobs/job.ts'
import { HOUR_MS } from '../kernel/time.ts'
import { oldestKept } from './idempotency.ts'
import { deleteAnswersBefore } from './queries.ts'

/** Removes idempotent answers that can no longer be replayed. */
export const forgetAnswersJob: Job = {
  name: 'forget-answers',
  every_ms: HOUR_MS / 60,
  run: ({ db, clock }) => deleteAnswersBefore(db, oldestKept(clock.now() - HOUR_MS)),
}
