import { expect, test } from 'vitest'
import { selectReaders } from '../../src/features/licensing/sessions/queries/reads.ts'
import type { ServedStore } from '../concurrency/open-served-database.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead } from './plans.ts'

// Only the dashboard has this list. No user signs in here, so the query is called directly.

const ROWS = 1_000_000
const LIMIT = 100

let store: ServedStore

const tradepost = bigStore(async (servedStore) => {
  store = servedStore
  return [
    `insert into record_read (store_id, kind, record_id, key_id, reads, last_at)
     select ${servedStore.storeId}, 'string', 1, n, 1, timestamptz '2026-01-01Z' + n / 10 * interval '1 s'
       from generate_series(1, ${ROWS}) n`,
    'vacuum analyze record_read',
  ]
})

test('the list of the newest readers of a record reads none of its 1,000,000 other readers', async () => {
  const target = { store_id: store.storeId, kind: 'string', record_id: 1 } as const
  const { json, plans } = await tradepost.explain(async () => ({
    readers: await selectReaders(store.app.db, target, LIMIT),
  }))
  expect(json.readers).toHaveLength(LIMIT)
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(2 * LIMIT)
})
