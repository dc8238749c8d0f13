import type { Tx } from '../../../db/database.ts'
import { awaitsActivation, endFrom } from '../keys/index.ts'
import { auditDevice } from './audit-device.ts'
import { licenseAnswer, type ProgramCall } from './call.ts'
import { thumbprintOf } from './device-key.ts'
import type { GatheredLicense } from './gather-license-facts.ts'
import type { DeviceRegistration } from './queries/sessions.ts'
import type { LicenseAnswer, NewSession } from './schema.ts'
import { startSession } from './start-session.ts'

/**
 * Registers the device, or updates it if it is already registered, and starts a session on it. The first
 * activation begins the term of the license.
 */
export async function registerDevice(
  tx: Tx,
  call: ProgramCall,
  license: GatheredLicense,
  body: NewSession,
): Promise<LicenseAnswer> {
  const { now } = call.context
  const { row, registeredDevice } = license
  const registration = registrationOf(call, license, body)
  const isNew = registration !== undefined && registeredDevice === undefined
  const expires_at = awaitsActivation(row) ? endFrom(row, now) : row.expires_at
  // No key has the id 0, so a public session activates none.
  const keyId = row.key_id ?? 0
  const { session, device_id } = await startSession(tx, call, row, {
    key_id: row.key_id,
    app_version: body.app_version,
    ...(registration && { registration }),
    ...((isNew || row.first_activated_at === null) && {
      activation: { keyId, newDevices: isNew ? 1 : 0, now, expires_at },
    }),
  })
  if (isNew && device_id !== null) {
    await auditDevice(tx, call.context, 'device.activate', { key_id: keyId, device_id })
  }
  return {
    ...licenseAnswer(call, 'VALID', row),
    session,
    license: { level: row.level, entitlements: row.entitlements, expires_at },
    ...(device_id !== null && { device: { id: device_id, registered: true } }),
  }
}

function registrationOf(
  { context, app }: ProgramCall,
  { row, machine, registeredDevice }: GatheredLicense,
  { device }: NewSession,
): DeviceRegistration | undefined {
  if (!machine) return undefined
  const { public_key } = machine
  return {
    registeredId: registeredDevice?.id,
    row: {
      ...machine,
      app_id: app.id,
      key_id: row.key_id ?? 0,
      public_key_thumbprint: public_key && thumbprintOf(public_key),
      name: device?.name ?? null,
      platform: device?.platform ?? null,
      now: context.now,
    },
  }
}
