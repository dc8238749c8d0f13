import { iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { LEDGER_CURSOR, type LedgerQuery } from './ledger-schema.ts'
import * as q from './queries/index.ts'

/**
 * Returns a page of the changes of the wallet and of the balances of customers, the newest first (decision
 * 144). Entries are read from payments, refunds, withdrawals and balance entries, so they always agree.
 */
export async function listLedger({ db, store }: StoreContext, { limit, cursor }: LedgerQuery) {
  const rows = await q.selectLedger(db, store, { limit, after: positionOf(cursor) })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map(({ source, record_id, ...entry }) => entry),
    next_cursor: rows.length > limit && last ? cursorOf(last) : null,
  }
}

const cursorOf = ({ at, source, record_id }: q.LedgerPosition): string =>
  `${Date.parse(at)}-${source}-${record_id}`

function positionOf(cursor: string | undefined): q.LedgerPosition | undefined {
  const [, ms, source, id] = LEDGER_CURSOR.exec(cursor ?? '') ?? []
  if (ms === undefined) return undefined
  return { at: iso(Number(ms)), source: Number(source), record_id: Number(id) }
}
