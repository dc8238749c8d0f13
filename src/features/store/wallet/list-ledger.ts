import { iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { LEDGER_CURSOR, type LedgerEntry, type LedgerQuery } from './ledger-schema.ts'
import { type Position, selectLedger } from './queries/ledger.ts'

/**
 * A page of the changes of the wallet and of the balances of customers, the newest first (decision
 * 144). The entries are the records themselves, so they cannot differ from them.
 */
export async function listLedger(
  { db, store }: StoreContext,
  { limit, cursor }: LedgerQuery,
): Promise<{ entries: LedgerEntry[]; next_cursor: string | null }> {
  const rows = await selectLedger(db, store, { limit, after: positionOf(cursor) })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map(({ source, record_id, ...entry }) => entry),
    next_cursor: rows.length > limit && last ? cursorOf(last) : null,
  }
}

const cursorOf = ({ at, source, record_id }: Position): string =>
  `${Date.parse(at)}-${source}-${record_id}`

function positionOf(cursor: string | undefined): Position | undefined {
  const [, ms, source, id] = LEDGER_CURSOR.exec(cursor ?? '') ?? []
  if (ms === undefined) return undefined
  return { at: iso(Number(ms)), source: Number(source), record_id: Number(id) }
}
