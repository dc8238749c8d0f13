import { iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import { remainingFailures, turnOffTime } from './forecast.rules.ts'
import { FAILURES_MAX, GRACE_MS } from './health.rules.ts'
import * as q from './queries/index.ts'
import type { WebhookHealth } from './schema.ts'

/** Returns the health of each endpoint, and the time when it is turned off if all attempts fail (decision 14). */
export async function showHealth({ db, store }: StoreContext): Promise<WebhookHealth[]> {
  const endpoints = await q.selectHealth(db, store.id, FAILURES_MAX)
  return endpoints.map(({ id, enabled, failures_in_row, last_success_at, pending }) => {
    const lastSuccessMs = last_success_at === null ? null : Date.parse(last_success_at)
    const health = { failures_in_row, last_success_at: lastSuccessMs }
    const plannedAttempts = pending.map(({ at, step }) => ({ at: Date.parse(at), step }))
    const turnsOffAt = enabled ? turnOffTime(health, plannedAttempts) : undefined
    return {
      id,
      failures_in_row,
      last_success_at,
      failures_left: remainingFailures(health),
      not_before: enabled && lastSuccessMs !== null ? iso(lastSuccessMs + GRACE_MS) : null,
      turns_off_at: turnsOffAt === undefined ? null : iso(turnsOffAt),
    }
  })
}
