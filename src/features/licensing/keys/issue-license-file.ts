import { createHash } from 'node:crypto'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid, notFound, Refusal } from '../../../kernel/errors.ts'
import { iso, later } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { appNamed, openSigners, signerAt } from '../apps/index.ts'
import {
  type DeviceRow,
  hashFingerprint,
  isMachineBanned,
  nextFileSeq,
  selectDevice,
  selectDeviceByFingerprint,
} from '../devices/index.ts'
import type { NewLicenseFile } from './action-schema.ts'
import { statusOf } from './license.rules.ts'
import * as q from './queries/keys.ts'

export interface LicenseFile {
  license_file: string
  expires_at: string
}

/** Issues an offline license file for a device of a key, signed with the app's signing key. */
export function issueLicenseFile(
  context: StoreContext,
  actor: Actor,
  keyId: number,
  body: NewLicenseFile,
): Promise<LicenseFile> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const [row] = await q.lockKeys(tx, store.id, [keyId])
    const key = found(row, 'Key')
    const device = await deviceOf(tx, context, key, body)
    const file = await writeFile(tx, context, key, { device, ...body })
    const change = { action: 'license_key.issue_file', record_type: key.object, record_id: keyId }
    await recordChanges(tx, context, actor, [{ ...change, after: file.expires_at }])
    return file
  })
}

async function deviceOf(
  tx: Tx,
  { store, vault }: StoreContext,
  key: q.KeyRow,
  { device_id, fingerprint }: NewLicenseFile,
): Promise<DeviceRow> {
  const device =
    fingerprint === undefined
      ? await selectDevice(tx, store.id, device_id ?? 0)
      : await selectDeviceByFingerprint(
          tx,
          store.id,
          key.id,
          hashFingerprint(vault, key.app_id, fingerprint),
        )
  if (device?.key_id !== key.id) throw notFound('Device', device_id)
  return device
}

interface ForDevice {
  device: DeviceRow
  fingerprint?: string | undefined
  ttl_seconds: number
}

/**
 * The file has three base64url parts: header, payload and an Ed25519 signature. The signature covers
 * `license-file/v1`, a line break and the first two parts. The file never outlasts the license.
 */
async function writeFile(
  tx: Tx,
  context: StoreContext,
  key: q.KeyRow,
  { device, fingerprint, ttl_seconds }: ForDevice,
): Promise<LicenseFile> {
  const { store, vault, now } = context
  checkUsable(key, device, now)
  const { fingerprint_hash } = device
  if (await isMachineBanned(tx, store.id, { appId: key.app_id, fingerprint_hash, now })) {
    throw deviceBanned()
  }
  if (fingerprint === undefined && device.public_key === null) {
    throw invalid('fingerprint', 'Required: this device has no public key. Send its fingerprint.')
  }
  const app = await appNamed(tx, context, key.app_id)
  const at = machineNow(context)
  const signer = signerAt(
    await openSigners(tx, vault, { storeId: store.id, appId: app.id, at }),
    at,
  )
  const end = later(now, ttl_seconds)
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
    // From both clocks an offline program computes how far the store's clock is ahead.
    server_time: iso(at),
    not_before: now,
    expires_at,
    seq: found(await nextFileSeq(tx, store.id, device.id), 'Device'),
  })
  const signature = signer.sign(`license-file/v1\n${header}.${payload}`)
  return { license_file: `${header}.${payload}.${signature}`, expires_at }
}

function checkUsable(key: q.KeyRow, device: DeviceRow, now: string): void {
  const status = statusOf(key, now)
  if (status === 'banned' || status === 'suspended' || status === 'expired') {
    throw new Refusal(409, `The license is ${status}. No file can be issued for it.`)
  }
  if (device.status === 'banned') throw deviceBanned()
}

const deviceBanned = () => new Refusal(409, 'The device is banned. Lift its ban first.')

/** A hash that a program can compute offline. The stored hash needs a secret of the server. */
const offlineHash = (publicId: string, fingerprint: string): string =>
  createHash('sha256').update(`${publicId}\n${fingerprint}`).digest('hex')

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Issues a file on behalf of the license holder. It is not recorded as a change by an API key. */
export async function writeLicenseFile(
  tx: Tx,
  context: StoreContext,
  keyId: number,
  forDevice: ForDevice,
): Promise<LicenseFile> {
  const [key] = await q.lockKeys(tx, context.store.id, [keyId])
  return writeFile(tx, context, found(key, 'Key'), forDevice)
}
