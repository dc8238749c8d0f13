import { inTransaction } from '../../../db/database.ts'
import { found, invalid, PlainError } from '../../../kernel/errors.ts'
import { hashFingerprint, selectDevice } from '../devices/index.ts'
import { type LicenseFile, writeFileOf } from '../keys/index.ts'
import { auditDevice } from './audit-device.ts'
import type { Call, LiveSession } from './call.ts'
import type { OwnFile } from './schema.ts'

/** R11: an offline file for the device of the session. */
export function ownLicenseFile(
  { context, app }: Call,
  { row }: LiveSession,
  { fingerprint, ttl_seconds }: OwnFile,
): Promise<LicenseFile> {
  const { key_id, device_id } = row
  if (key_id === null || device_id === null) {
    throw new PlainError(409, 'This session has no license with a device.')
  }
  return inTransaction(context.db, async (tx) => {
    const device = found(await selectDevice(tx, context.store.id, device_id), 'Device')
    const said = fingerprint && hashFingerprint(context.vault, app.id, fingerprint)
    if (said && !said.equals(device.fingerprint_hash)) {
      throw invalid('fingerprint', 'Use the fingerprint that this device was registered with.')
    }
    await auditDevice(tx, context, 'device.issue_file', { key_id, device_id })
    return writeFileOf(tx, context, key_id, { device, fingerprint, ttl_seconds })
  })
}
