import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { ReadKind, RecordReader } from './schema.ts'

/** The maximum number of listed license keys. */
const READERS_MAX = 100

/** Returns the license keys that read a record, latest read first. */
export const listReaders = (
  { db, store }: StoreContext,
  { kind, record_id }: { kind: ReadKind; record_id: number },
): Promise<RecordReader[]> =>
  q.selectReaders(db, { store_id: store.id, kind, record_id }, READERS_MAX)
