import { iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import { failuresLeft, turnOffTime } from './forecast.rules.ts'
import { FAILURES_MAX, GRACE_MS } from './health.rules.ts'
import { selectHealth } from './queries/health.ts'
import type { WebhookHealth } from './schema.ts'

/** How each endpoint fares, and when it is turned off if nothing succeeds (decision 14). */
export async function showHealth({ db, store }: StoreContext): Promise<WebhookHealth[]> {
  const endpoints = await selectHealth(db, store.id, FAILURES_MAX)
  return endpoints.map(({ id, enabled, failures_in_row, last_success_at, pending }) => {
    const last = last_success_at === null ? null : Date.parse(last_success_at)
    const health = { failures_in_row, last_success_at: last }
    const planned = pending.map(({ at, step }) => ({ at: Date.parse(at), step }))
    const off = enabled ? turnOffTime(health, planned) : undefined
    return {
      ...{ id, failures_in_row, last_success_at },
      failures_left: failuresLeft(health),
      not_before: enabled && last !== null ? iso(last + GRACE_MS) : null,
      turns_off_at: off === undefined ? null : iso(off),
    }
  })
}
