import { inTransaction } from '../../../db/database.ts'
import { never } from '../../../kernel/never.ts'
import { banByReport, lockKey } from '../keys/index.ts'
import { insertReport } from '../reports/index.ts'
import { auditDevice } from './audit-device.ts'
import type { LiveSession, ProgramCall } from './call.ts'
import * as q from './queries/index.ts'
import type { NewClientReport } from './schema.ts'

/**
 * Saves a report and applies the app's rule for its kind. A rule can ban only the key or the device
 * of the reporting session.
 */
export function saveReport(
  { context, app }: ProgramCall,
  { row }: LiveSession,
  { kind, detail }: NewClientReport,
): Promise<void> {
  const { store, now } = context
  const action = (Object.hasOwn(row.report_rules, kind) && row.report_rules[kind]) || 'log'
  const { key_id, device_id } = row
  return inTransaction(context.db, async (tx) => {
    const { id: session_id } = row
    const record = { app_id: app.id, key_id, device_id, session_id, kind, detail, action }
    await insertReport(tx, store.id, { ...record, created_at: now })
    switch (action) {
      case 'log':
        return
      case 'ban_device':
        if (key_id === null || device_id === null) return
        // Lock order everywhere: the key before its devices and sessions.
        await lockKey(tx, context, key_id)
        await q.banDevice(tx, store.id, device_id)
        await auditDevice(tx, context, 'device.ban', { key_id, device_id })
        return q.endSessionsOfDevice(tx, store.id, { keyId: key_id, deviceId: device_id, now })
      case 'ban_key':
        if (key_id === null) return
        await banByReport(tx, context, key_id, `Reported: ${kind}`)
        return
      default:
        return never(action)
    }
  })
}
