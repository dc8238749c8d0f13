import type { Request } from './action.ts'
import type { AccountAuditEvent, StoreContext } from './store.ts'

/** The number of recent audit events that are searched if the request has no record id, as on a settings page. */
const RECENT_EVENTS_MAX = 20

/**
 * Returns the newest audit event in which one of these fields, or a field of the request, was changed.
 * Returns undefined if there is none, or if the trail cannot be read.
 */
export async function readLastChange(
  { api }: StoreContext,
  { recordId, body }: Request,
  fields: readonly string[],
): Promise<AccountAuditEvent | undefined> {
  const names = [...fields, ...Object.keys(body ?? {})]
  const query = recordId === undefined ? { limit: RECENT_EVENTS_MAX } : { object_id: recordId }
  try {
    const { audit_events } = await api.account.listAuditEvents(query)
    return audit_events.find(({ changes }) => names.some((name) => name in changes))
  } catch {
    return undefined
  }
}
