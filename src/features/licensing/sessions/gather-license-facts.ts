import type { Db } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { hashComponents, hashFingerprint, isMachineBanned } from '../devices/index.ts'
import { keyStatusOf } from '../keys/index.ts'
import type { ProgramCall } from './call.ts'
import { componentsMatch, type DeviceFacts, type LicenseFacts } from './evaluate-license.rules.ts'
import * as q from './queries/index.ts'
import type { ClientDevice } from './schema.ts'

interface LicenseQuery {
  hmacs: readonly Buffer[]
  device: ClientDevice | undefined
  countSessions: boolean
}

/** A device whose fingerprint and components are keyed hashes, as in the database. */
interface HashedDevice {
  fingerprint_hash: Buffer
  components: Record<string, string>
  public_key: Buffer | null
}

export interface GatheredLicense {
  row: q.FactsRow
  facts: LicenseFacts
  machine: HashedDevice | undefined
  /** The registered device of the key that matches this machine. */
  registeredDevice: q.RegisteredDevice | undefined
}

type CallScope = Pick<ProgramCall, 'context' | 'app' | 'ip'>

function hashDevice({ context, app }: CallScope, device: ClientDevice): HashedDevice {
  return {
    fingerprint_hash: hashFingerprint(context.vault, app.id, device.fingerprint),
    components: hashComponents(context.vault, app.id, device.components ?? {}),
    public_key: device.public_key ? Buffer.from(device.public_key, 'base64url') : null,
  }
}

/** Reads the facts that decide whether a license key is valid. */
export async function gatherLicenseFacts(
  db: Db,
  call: CallScope,
  { hmacs, device, countSessions }: LicenseQuery,
): Promise<GatheredLicense> {
  const { context, app, ip } = call
  const machine = device && hashDevice(call, device)
  const row = requireRecord(
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
  const registeredDevice = machine && (await findDevice(db, call, row, machine))
  return {
    row,
    machine,
    registeredDevice,
    facts: {
      app: { ...row, status: row.app_status },
      key: row.key_id === null ? undefined : { ...row, status: keyStatusOf(row, context.now) },
      device: registeredDevice && machine && deviceFacts(row, registeredDevice, machine),
      banned: row.banned,
    },
  }
}

/** Finds the device by its fingerprint, or by its components if the app's policy allows that. */
async function findDevice(
  db: Db,
  { context, app }: CallScope,
  row: q.FactsRow,
  machine: HashedDevice,
): Promise<q.RegisteredDevice | undefined> {
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
  const registeredDevice = candidates.find((item) =>
    componentsMatch(match, item.components, machine.components),
  )
  if (!registeredDevice) return undefined
  // A machine with a changed fingerprint is still banned if its registered fingerprint is.
  const { fingerprint_hash } = registeredDevice
  const registeredMachine = { appId: app.id, fingerprint_hash, now: context.now }
  return (await isMachineBanned(db, context.store.id, registeredMachine))
    ? { ...registeredDevice, status: 'banned' }
    : registeredDevice
}

function deviceFacts(
  row: q.FactsRow,
  registeredDevice: q.RegisteredDevice,
  machine: HashedDevice,
): DeviceFacts {
  const { public_key } = registeredDevice
  return {
    banned: registeredDevice.status === 'banned',
    key_matches:
      public_key === null || (machine.public_key !== null && public_key.equals(machine.public_key)),
    components_match: componentsMatch(
      row.device_policy.match,
      registeredDevice.components,
      machine.components,
    ),
  }
}
