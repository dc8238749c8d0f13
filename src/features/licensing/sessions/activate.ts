import { inTransaction } from '../../../db/database.ts'
import { invalid, Refusal } from '../../../kernel/errors.ts'
import { candidateHashes } from '../keys/index.ts'
import { licenseAnswer, type ProgramCall } from './call.ts'
import { appRefusal, evaluateLicense } from './evaluate-license.rules.ts'
import { gatherLicenseFacts } from './gather-license-facts.ts'
import * as q from './queries/index.ts'
import { registerDevice } from './register-device.ts'
import type { LicenseAnswer, NewSession } from './schema.ts'
import { startSession } from './start-session.ts'

/**
 * Evaluates a license, registers the device and starts a session. The key is locked, so only one of several
 * concurrent calls for the last device or session of the key succeeds.
 */
export function activate(call: ProgramCall, body: NewSession): Promise<LicenseAnswer> {
  const { license_key, device, app_version, app_checksum } = body
  if (license_key === undefined) return activatePublic(call, body)
  const { context, app } = call
  const hmacs = candidateHashes(context.vault, app.id, license_key)
  return inTransaction(context.db, async (tx) => {
    await q.lockKeyByHash(tx, context.store.id, app.id, hmacs)
    const license = await gatherLicenseFacts(tx, call, { hmacs, device, countSessions: true })
    const { row, facts } = license
    const code = evaluateLicense(facts, {
      startsSession: true,
      has_device: device !== undefined,
      app_version,
      app_checksum,
    })
    if (code === 'NOT_FOUND') await call.countUnknownKey()
    refusePaused(row)
    if (code !== 'VALID') return licenseAnswer(call, code, row)
    if (row.device_policy.key_required && device && !device.public_key) {
      throw invalid(
        'device.public_key',
        'This program requires a device key. Send the public key of the device.',
      )
    }
    return registerDevice(tx, call, license, body)
  })
}

/** Starts a session without a license, if the app allows such sessions. They can read only public records. */
function activatePublic(call: ProgramCall, body: NewSession): Promise<LicenseAnswer> {
  const { device, app_version, app_checksum } = body
  return inTransaction(call.context.db, async (tx) => {
    const query = { hmacs: [], device, countSessions: false }
    const { row, facts } = await gatherLicenseFacts(tx, call, query)
    if (!row.allow_public_session) throw invalid('license_key', 'This field is required.')
    const code = appRefusal(facts.app, { app_version, app_checksum })
    if (code) return licenseAnswer(call, code, row)
    refusePaused(row)
    if (facts.banned) return licenseAnswer(call, 'DEVICE_BANNED', row)
    const { session } = await startSession(tx, call, row, { key_id: null, app_version })
    return { ...licenseAnswer(call, 'VALID', row), session }
  })
}

function refusePaused({ app_status }: q.FactsRow): void {
  if (app_status === 'paused') throw new Refusal(403, 'This program is paused. Try again later.')
}
