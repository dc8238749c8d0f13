import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { KeyMinute } from './schema.ts'

/** Returns the keys with calls in the past 60 s, the key with the most calls first. */
export const listMinute = (context: StoreContext): Promise<KeyMinute[]> =>
  q.selectMinute(context.db, context.store.id, iso(machineNow(context) - MINUTE_MS))
