import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type DeviceRow, selectDevices } from './queries/devices.ts'
import { selectSessions } from './queries/sessions.ts'
import type { CursorPage, Device, Session } from './schema.ts'

/** A page of a key's devices, newest first. */
export async function listDevices(
  { db, store }: StoreContext,
  keyId: number,
  query: CursorPage,
): Promise<{ devices: Device[]; next_cursor: number | null }> {
  const rows = await selectDevices(db, store.id, keyId, query)
  const { page, next_cursor } = cutPage(rows, query.limit)
  return { devices: page.map(shown), next_cursor }
}

/** A page of a key's sessions, newest first. */
export async function listSessions(
  { db, store }: StoreContext,
  keyId: number,
  query: CursorPage,
): Promise<{ sessions: Session[]; next_cursor: number | null }> {
  const rows = await selectSessions(db, store.id, keyId, query)
  const { page, next_cursor } = cutPage(rows, query.limit)
  return { sessions: page, next_cursor }
}

const shown = ({ public_key: _, app_id: _a, fingerprint_hash, ...device }: DeviceRow): Device => ({
  ...device,
  fingerprint_hash: fingerprint_hash.toString('hex'),
})
