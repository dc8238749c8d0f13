import type { Db } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { hashComponents, hashFingerprint, isMachineBanned } from '../devices/index.ts'
import { statusOf } from '../keys/index.ts'
import type { Call } from './call.ts'
import { type DeviceFacts, type LicenseFacts, sameParts } from './evaluate-license.rules.ts'
import * as q from './queries/facts.ts'
import type { ClientDevice } from './schema.ts'

export interface LicenseQuery {
  hmacs: readonly Buffer[]
  device: ClientDevice | undefined
  countSessions: boolean
}

/** A device in the form in which it is stored: fingerprint and components are keyed hashes. */
export interface HashedDevice {
  fingerprint_hash: Buffer
  components: Record<string, string>
  public_key: Buffer | null
}

export interface GatheredLicense {
  row: q.FactsRow
  facts: LicenseFacts
  machine: HashedDevice | undefined
  /** The registered device of the key that matches this machine. */
  known: q.KnownDevice | undefined
}

type CallScope = Pick<Call, 'context' | 'app' | 'ip'>

function hashDevice({ context, app }: CallScope, device: ClientDevice): HashedDevice {
  return {
    fingerprint_hash: hashFingerprint(context.vault, app.id, device.fingerprint),
    components: hashComponents(context.vault, app.id, device.components ?? {}),
    public_key: device.public_key ? Buffer.from(device.public_key, 'base64url') : null,
  }
}

/** Reads the facts that decide whether a license key is valid, as this transaction sees them. */
export async function gatherLicenseFacts(
  db: Db,
  call: CallScope,
  { hmacs, device, countSessions }: LicenseQuery,
): Promise<GatheredLicense> {
  const { context, app, ip } = call
  const machine = device && hashDevice(call, device)
  const row = found(
    await q.selectFacts(db, context.store.id, {
      appId: app.id,
      hmacs,
      ip,
      now: context.now,
      countSessions,
      fingerprint_hash: machine?.fingerprint_hash,
    }),
    'App',
  )
  const known = machine && (await findDevice(db, call, row, machine))
  return {
    row,
    machine,
    known,
    facts: {
      app: { ...row, status: row.app_status },
      key: row.key_id === null ? undefined : { ...row, status: statusOf(row, context.now) },
      device: known && machine && deviceFacts(row, known, machine),
      banned: row.banned,
    },
  }
}

/** Finds the device by its fingerprint; then by its components, if the app's policy allows that. */
async function findDevice(
  db: Db,
  { context, app }: CallScope,
  row: q.FactsRow,
  machine: HashedDevice,
): Promise<q.KnownDevice | undefined> {
  if (row.key_id === null) return undefined
  if (row.device_id !== null && row.device_status !== null) {
    return {
      id: row.device_id,
      status: row.device_status,
      public_key: row.device_key,
      components: row.device_components ?? {},
    }
  }
  const { match } = row.device_policy
  if (match === 'exact' || Object.keys(machine.components).length === 0) return undefined
  const candidates = await q.selectCandidates(db, context.store.id, row.key_id)
  const known = candidates.find((item) => sameParts(match, item.components, machine.components))
  if (!known) return undefined
  // A ban of the registered fingerprint also holds for this machine's new one.
  const { fingerprint_hash } = known
  const registered = { appId: app.id, fingerprint_hash, now: context.now }
  return (await isMachineBanned(db, context.store.id, registered))
    ? { ...known, status: 'banned' }
    : known
}

function deviceFacts(row: q.FactsRow, known: q.KnownDevice, machine: HashedDevice): DeviceFacts {
  const { public_key } = known
  return {
    banned: known.status === 'banned',
    same_key:
      public_key === null || (machine.public_key !== null && public_key.equals(machine.public_key)),
    same_parts: sameParts(row.device_policy.match, known.components, machine.components),
  }
}
