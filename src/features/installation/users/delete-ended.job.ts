import type { Job } from '../../../app.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'

const BATCH = 1_000

/** Deletes sessions, links, invitations and sign-in budgets that have ended. */
export const deleteEndedSessionsJob: Job = {
  name: 'delete-ended-sessions',
  every_ms: 10 * MINUTE_MS,
  run: ({ db, clock }) => q.deleteEnded(db, clock.now(), BATCH),
}
