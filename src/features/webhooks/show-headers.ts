import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { selectStandardHeaders } from './queries/webhooks.ts'
import type { HeaderSettings } from './schema.ts'

export const showHeaders = async (
  { db, store }: StoreContext,
  id: string,
): Promise<HeaderSettings> =>
  requireRecord(await selectStandardHeaders(db, store.id, id), 'Endpoint')
