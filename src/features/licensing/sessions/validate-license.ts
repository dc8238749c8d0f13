import { MINUTE_MS } from '../../../kernel/time.ts'
import { candidateHashes } from '../keys/index.ts'
import { licenseAnswer, type ProgramCall } from './call.ts'
import { evaluateLicense } from './evaluate-license.rules.ts'
import { gatherLicenseFacts } from './gather-license-facts.ts'
import type { LicenseAnswer, Validation } from './schema.ts'

/** Evaluates a license. It starts no session, registers no device and takes no lock. */
export async function validateLicense(call: ProgramCall, body: Validation): Promise<LicenseAnswer> {
  const { context, app } = call
  const { row, facts, registeredDevice } = await gatherLicenseFacts(context.db, call, {
    hmacs: candidateHashes(context.vault, app.id, body.license_key),
    device: body.device,
    countSessions: false,
  })
  const code = evaluateLicense(facts, {
    startsSession: false,
    has_device: body.device !== undefined,
    app_version: undefined,
    app_checksum: undefined,
  })
  if (row.key_id === null) await call.countUnknownKey()
  if (code !== 'VALID' || row.key_id === null) return licenseAnswer(call, code, row)
  if (shouldRecord(row.last_validated_at, context.now)) call.countUse('license_key', row.key_id)
  return {
    ...licenseAnswer(call, code, row),
    license: { level: row.level, entitlements: row.entitlements, expires_at: row.expires_at },
    ...(registeredDevice && { device: { id: registeredDevice.id, registered: true } }),
  }
}

/** Returns true if a minute has passed since the last recorded validation of the key. */
const shouldRecord = (lastValidatedAt: string | null, now: string): boolean =>
  lastValidatedAt === null || Date.parse(now) - Date.parse(lastValidatedAt) >= MINUTE_MS
