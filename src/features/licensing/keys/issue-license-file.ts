import { createHash } from 'node:crypto'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, notFound, Refusal, requireRecord } from '../../../kernel/errors.ts'
import { addSeconds, iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import { lockAppOrDefault, openSigners, signerAt } from '../apps/index.ts'
import {
  type DeviceRow,
  hashFingerprint,
  nextLicenseFileSeq,
  selectDevice,
  selectDeviceByFingerprint,
} from '../devices/index.ts'
import type { LicenseFile, NewLicenseFile } from './action-schema.ts'
import { keyStatusOf } from './license.rules.ts'
import type { KeyRow } from './queries/keys.ts'
import { lockKey } from './reset-devices.ts'

/** Issues an offline license file for a device of a key, signed with the app's signing key. */
export function issueLicenseFile(
  context: StoreContext,
  actor: KeyActor,
  keyId: number,
  body: NewLicenseFile,
): Promise<LicenseFile> {
  return inTransaction(context.db, async (tx) => {
    const key = await lockKey(tx, context, keyId)
    const device = await deviceOf(tx, context, key, body)
    const file = await createSignedFile(tx, context, key, { device, ...body })
    const change = { action: 'license_key.issue_file', record_type: key.object, record_id: keyId }
    await recordChanges(tx, context, actor, [{ ...change, after: file.expires_at }])
    return file
  })
}

async function deviceOf(
  tx: Tx,
  context: StoreContext,
  key: KeyRow,
  { device_id, fingerprint }: NewLicenseFile,
): Promise<DeviceRow> {
  const device =
    fingerprint === undefined
      ? await selectDevice(tx, context, device_id ?? 0)
      : await selectDeviceByFingerprint(
          tx,
          context,
          key.id,
          hashFingerprint(context.vault, key.app_id, fingerprint),
        )
  if (device?.key_id !== key.id) throw notFound('Device', device_id)
  return device
}

interface FileOptions {
  device: DeviceRow
  fingerprint?: string | undefined
  ttl_seconds: number
}

/**
 * Creates a file of three base64url parts: header, payload and an Ed25519 signature. The signature covers
 * `license-file/v1`, a line break and the first two parts. The file expires with the license or before it.
 */
async function createSignedFile(
  tx: Tx,
  context: StoreContext,
  key: KeyRow,
  { device, fingerprint, ttl_seconds }: FileOptions,
): Promise<LicenseFile> {
  const { store, vault, now } = context
  checkUsable(key, device, now)
  if (fingerprint === undefined && device.public_key === null) {
    throw invalid(
      'fingerprint',
      'Required, because this device has no public key. Send the fingerprint of the device.',
    )
  }
  const app = await lockAppOrDefault(tx, context, key.app_id)
  const now_ms = machineNow(context)
  const signer = signerAt(
    await openSigners(tx, vault, { storeId: store.id, appId: app.id, now_ms }),
    now_ms,
  )
  const end = addSeconds(now, ttl_seconds)
  const expires_at = key.expires_at !== null && key.expires_at < end ? key.expires_at : end
  const header = encode({ typ: 'license-file', v: 1, kid: signer.kid })
  const payload = encode({
    app: app.public_id,
    key_id: key.id,
    level: key.level,
    entitlements: key.entitlements,
    license_expires_at: key.expires_at,
    device: {
      id: device.id,
      fingerprint_hash: fingerprint === undefined ? null : offlineHash(app.public_id, fingerprint),
      public_key_thumbprint: device.public_key_thumbprint,
    },
    issued_at: now,
    // An offline program computes from `issued_at` and `server_time` how far the store's clock is ahead.
    server_time: iso(now_ms),
    not_before: now,
    expires_at,
    seq: requireRecord(await nextLicenseFileSeq(tx, store.id, device.id), 'Device'),
  })
  const signature = signer.sign(`license-file/v1\n${header}.${payload}`)
  return { license_file: `${header}.${payload}.${signature}`, expires_at }
}

function checkUsable(key: KeyRow, device: DeviceRow, now: string): void {
  const status = keyStatusOf(key, now)
  if (status === 'banned' || status === 'suspended' || status === 'expired') {
    throw new Refusal(
      409,
      `The license is ${status}, so no file can be issued. Unban, reinstate or extend the license first.`,
    )
  }
  if (device.status === 'banned')
    throw new Refusal(409, 'The device is banned. Lift its ban first.')
}

/** Returns a hash that a program can compute offline. The stored hash needs a secret of the server. */
const offlineHash = (publicId: string, fingerprint: string): string =>
  createHash('sha256').update(`${publicId}\n${fingerprint}`).digest('hex')

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Issues a file for the license holder. The caller records the audit event, since no API key acts. */
export async function writeLicenseFile(
  tx: Tx,
  context: StoreContext,
  keyId: number,
  options: FileOptions,
): Promise<LicenseFile> {
  return createSignedFile(tx, context, await lockKey(tx, context, keyId), options)
}
