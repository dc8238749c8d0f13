import { found } from '../../../kernel/errors.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { listKeys } from '../api-keys/index.ts'
import { selectFirstDay, selectUses } from './queries.ts'
import type { KeyUsage } from './schema.ts'

const SHOWN_DAYS = 30

const startOfDay = (moment: string): string => `${moment.slice(0, 10)}T00:00:00.000Z`

/** Which operations a key called in the past 30 days, and which of its permissions it never used. */
export async function showUsage(context: StoreContext, id: number): Promise<KeyUsage> {
  const { db, store } = context
  const keys = await listKeys(context)
  const { permissions, created_at } = found(
    keys.find((key) => key.id === id),
    'API key',
  )
  const oldest = startOfDay(iso(machineNow(context) - SHOWN_DAYS * DAY_MS))
  const first = await selectFirstDay(db, store.id)
  const counted = startOfDay(first ?? iso(machineNow(context)))
  const since = [oldest, created_at, counted].sort().at(-1) ?? oldest
  const operations = await selectUses(db, { store_id: store.id, api_key_id: id }, oldest)
  const used = new Set(operations.map(({ permission }) => permission))
  return {
    since,
    complete: since === oldest,
    operations,
    used_permissions: permissions.filter((item) => used.has(item)),
    unused_permissions: permissions.filter((item) => !used.has(item)),
  }
}
