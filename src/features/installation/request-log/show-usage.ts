import { requireRecord } from '../../../kernel/errors.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { listKeys } from '../api-keys/index.ts'
import * as q from './queries.ts'
import type { KeyUsage } from './schema.ts'

const SHOWN_DAYS = 30

const startOfDay = (moment: string): string => `${moment.slice(0, 10)}T00:00:00.000Z`

/** Returns the operations that a key called in the past 30 days, and its used and unused permissions. */
export async function showUsage(context: StoreContext, id: number): Promise<KeyUsage> {
  const { db, store } = context
  const keys = await listKeys(context)
  const { permissions, created_at } = requireRecord(
    keys.find((key) => key.id === id),
    'API key',
  )
  const shownFrom = startOfDay(iso(machineNow(context) - SHOWN_DAYS * DAY_MS))
  const firstDay = await q.selectFirstDay(db, store.id)
  const countedFrom = startOfDay(firstDay ?? iso(machineNow(context)))
  const since = [shownFrom, created_at, countedFrom].sort().at(-1) ?? shownFrom
  const operations = await q.selectUses(db, { store_id: store.id, api_key_id: id }, shownFrom)
  const usedPermissions = new Set(operations.map(({ permission }) => permission))
  return {
    since,
    complete: since === shownFrom,
    operations,
    used_permissions: permissions.filter((item) => usedPermissions.has(item)),
    unused_permissions: permissions.filter((item) => !usedPermissions.has(item)),
  }
}
