import { MINUTE_MS } from '../../../kernel/time.ts'
import { hashesOf } from '../keys/index.ts'
import { answered, type Call } from './call.ts'
import { outcomeOf } from './outcome.rules.ts'
import type { Answered, Validation } from './schema.ts'
import { evaluateLicense } from './weigh-license.ts'

/** R5: says what a license is worth now. It takes no seat, activates nothing, and locks nothing. */
export async function validateLicense(call: Call, sent: Validation): Promise<Answered> {
  const { context, app } = call
  const { row, facts, known } = await evaluateLicense(context.db, call, {
    hmacs: hashesOf(context.vault, app.id, sent.license_key),
    device: sent.device,
    countSeats: false,
  })
  const code = outcomeOf(facts, {
    start: false,
    has_device: sent.device !== undefined,
    app_version: undefined,
    app_checksum: undefined,
  })
  if (row.key_id === null) await call.countUnknownKey()
  if (code !== 'VALID' || row.key_id === null) return answered(call, code, row)
  if (isDue(row.last_validated_at, context.now)) call.note('validated', row.key_id)
  return {
    ...answered(call, code, row),
    license: { level: row.level, entitlements: row.entitlements, expires_at: row.expires_at },
    ...(known && { device: { id: known.id, registered: true } }),
  }
}

/** A hot key is written down at most once a minute. */
const isDue = (last: string | null, now: string): boolean =>
  last === null || Date.parse(now) - Date.parse(last) >= MINUTE_MS
