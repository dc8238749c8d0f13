import { MINUTE_MS } from '../../../kernel/time.ts'
import { hashesOf } from '../keys/index.ts'
import { type Call, licenseAnswer } from './call.ts'
import { evaluateLicense } from './evaluate-license.rules.ts'
import { gatherLicenseFacts } from './gather-license-facts.ts'
import type { LicenseAnswer, Validation } from './schema.ts'

/** R5: evaluates a license. It starts no session, registers no device and takes no lock. */
export async function validateLicense(call: Call, body: Validation): Promise<LicenseAnswer> {
  const { context, app } = call
  const { row, facts, known } = await gatherLicenseFacts(context.db, call, {
    hmacs: hashesOf(context.vault, app.id, body.license_key),
    device: body.device,
    countSessions: false,
  })
  const code = evaluateLicense(facts, {
    start: false,
    has_device: body.device !== undefined,
    app_version: undefined,
    app_checksum: undefined,
  })
  if (row.key_id === null) await call.countUnknownKey()
  if (code !== 'VALID' || row.key_id === null) return licenseAnswer(call, code, row)
  if (isDue(row.last_validated_at, context.now)) call.note('validated', row.key_id)
  return {
    ...licenseAnswer(call, code, row),
    license: { level: row.level, entitlements: row.entitlements, expires_at: row.expires_at },
    ...(known && { device: { id: known.id, registered: true } }),
  }
}

/** A use is recorded at most once a minute for each key. */
const isDue = (last: string | null, now: string): boolean =>
  last === null || Date.parse(now) - Date.parse(last) >= MINUTE_MS
