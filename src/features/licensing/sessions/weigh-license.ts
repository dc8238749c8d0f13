import type { Db } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { hashComponents, hashFingerprint, isMachineBanned } from '../devices/index.ts'
import { statusOf } from '../keys/index.ts'
import type { Call } from './call.ts'
import { type DeviceFacts, type Facts, sameParts } from './outcome.rules.ts'
import * as q from './queries/facts.ts'
import type { ClientDevice } from './schema.ts'

/** What is asked about, with everything hashed as it is kept. */
export interface Question {
  hmacs: readonly Buffer[]
  device: ClientDevice | undefined
  countSeats: boolean
}

/** A machine as it is kept: nothing of it in clear but its name, its system and its public key. */
export interface HashedDevice {
  fingerprint_hash: Buffer
  components: Record<string, string>
  public_key: Buffer | null
}

export interface Evaluated {
  row: q.FactsRow
  facts: Facts
  machine: HashedDevice | undefined
  /** The device of the key that this machine is. */
  known: q.KnownDevice | undefined
}

type Asker = Pick<Call, 'context' | 'app' | 'ip'>

function hashDevice({ context, app }: Asker, device: ClientDevice): HashedDevice {
  return {
    fingerprint_hash: hashFingerprint(context.vault, app.id, device.fingerprint),
    components: hashComponents(context.vault, app.id, device.components ?? {}),
    public_key: device.public_key ? Buffer.from(device.public_key, 'base64url') : null,
  }
}

/** Gathers all that decides on a license key, as it is now in this transaction. */
export async function evaluateLicense(
  db: Db,
  asker: Asker,
  { hmacs, device, countSeats }: Question,
): Promise<Evaluated> {
  const { context, app, ip } = asker
  const machine = device && hashDevice(asker, device)
  const asked = { appId: app.id, hmacs, ip, now: context.now, countSeats }
  const row = found(
    await q.selectFacts(db, context.store.id, {
      ...asked,
      fingerprint_hash: machine?.fingerprint_hash,
    }),
    'App',
  )
  const known = machine && (await deviceOf(db, asker, row, machine))
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

/** By its fingerprint; else by its parts, where the app's policy asks for them. */
async function deviceOf(
  db: Db,
  { context, app }: Asker,
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
  // Banned by the fingerprint that it registered with, it does not come back with another.
  const { fingerprint_hash } = known
  const asked = { appId: app.id, fingerprint_hash, now: context.now }
  return (await isMachineBanned(db, context.store.id, asked))
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
