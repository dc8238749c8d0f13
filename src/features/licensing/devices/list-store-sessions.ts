import { iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { ListedSession, SessionQuery } from './schema.ts'

/** Lists the sessions of a store by the end of their lease, latest first. */
export async function listStoreSessions(
  { db, store, now }: StoreContext,
  { cursor, ...query }: SessionQuery,
) {
  const after = cursor === undefined ? undefined : positionOf(cursor)
  const rows = await q.selectStoreSessions(db, store.id, { ...query, after, now })
  const sessions = rows.slice(0, query.limit)
  const last = sessions.at(-1)
  return { sessions, next_cursor: rows.length > query.limit && last ? cursorOf(last) : null }
}

const cursorOf = ({ lease_expires_at, id }: ListedSession): string =>
  `${Date.parse(lease_expires_at)}-${id}`

function positionOf(cursor: string): { lease_expires_at: string; id: number } {
  const [lease_ms = 0, id = 0] = cursor.split('-').map(Number)
  return { lease_expires_at: iso(lease_ms), id }
}
