import type { StoreContext } from '../../../store-context.ts'
import { selectStoreSessions } from './queries/sessions.ts'
import type { ListedSession, SessionQuery } from './schema.ts'

/** A page of the sessions of a store. A live session has the latest lease, so the live ones come first. */
export async function listStoreSessions(
  { db, store, now }: StoreContext,
  { cursor, ...query }: SessionQuery,
): Promise<{ sessions: ListedSession[]; next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : positionOf(cursor)
  const rows = await selectStoreSessions(db, store.id, { ...query, after, now })
  const sessions = rows.slice(0, query.limit)
  const last = sessions.at(-1)
  return { sessions, next_cursor: rows.length > query.limit && last ? cursorOf(last) : null }
}

const cursorOf = ({ lease_expires_at, id }: ListedSession): string =>
  `${Date.parse(lease_expires_at)}-${id}`

function positionOf(cursor: string): { lease_expires_at: string; id: number } {
  const [lease_ms, id] = cursor.split('-').map(Number) as [number, number]
  return { lease_expires_at: new Date(lease_ms).toISOString(), id }
}
