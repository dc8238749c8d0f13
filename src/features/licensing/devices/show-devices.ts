import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { CursorPage, Device } from './schema.ts'

/** Returns a page of a key's devices, newest first. */
export async function listDevices(
  { db, store, now }: StoreContext,
  keyId: number,
  query: CursorPage,
) {
  const rows = await q.selectDevices(db, store.id, keyId, { ...query, now })
  const { page, next_cursor } = cutPage(rows, query.limit)
  return { devices: page.map(toDevice), next_cursor }
}

/** Returns a page of a key's sessions, newest first. */
export async function listSessions({ db, store }: StoreContext, keyId: number, query: CursorPage) {
  const rows = await q.selectSessions(db, store.id, keyId, query)
  const { page, next_cursor } = cutPage(rows, query.limit)
  return { sessions: page, next_cursor }
}

const toDevice = ({ public_key, app_id, fingerprint_hash, ...device }: q.DeviceRow): Device => ({
  ...device,
  fingerprint_hash: fingerprint_hash.toString('hex'),
})
