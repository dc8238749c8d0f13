import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'
import type { HeaderSettings } from './schema.ts'

export const showHeaders = async (
  { db, store }: StoreContext,
  id: string,
): Promise<HeaderSettings> =>
  requireRecord(await q.selectStandardHeaders(db, store.id, id), 'Endpoint')
