import { inTransaction } from '../../../db/database.ts'
import { invalid, Refusal, requireRecord } from '../../../kernel/errors.ts'
import { hashFingerprint, selectDevice } from '../devices/index.ts'
import { type LicenseFile, lockKey, writeLicenseFile } from '../keys/index.ts'
import { auditDevice } from './audit-device.ts'
import type { LiveSession, ProgramCall } from './call.ts'
import type { OwnFile } from './schema.ts'

/** Issues an offline license file for the device of the session. */
export function ownLicenseFile(
  { context, app }: ProgramCall,
  { row }: LiveSession,
  { fingerprint, ttl_seconds }: OwnFile,
): Promise<LicenseFile> {
  const { key_id, device_id } = row
  if (key_id === null || device_id === null) {
    throw new Refusal(409, 'This session has no license or no device. Start a session with both.')
  }
  return inTransaction(context.db, async (tx) => {
    // The key is locked first, as by a report that bans the device.
    await lockKey(tx, context, key_id)
    const device = requireRecord(await selectDevice(tx, context, device_id), 'Device')
    const hash = fingerprint && hashFingerprint(context.vault, app.id, fingerprint)
    if (hash && !hash.equals(device.fingerprint_hash)) {
      throw invalid('fingerprint', 'Use the fingerprint with which this device was registered.')
    }
    await auditDevice(tx, context, 'device.issue_file', { key_id, device_id })
    return writeLicenseFile(tx, context, key_id, { device, fingerprint, ttl_seconds })
  })
}
