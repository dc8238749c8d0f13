import { createHash, randomBytes } from 'node:crypto'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, PlainError } from '../../../kernel/errors.ts'
import { later } from '../../../kernel/time.ts'
import { endFrom, hashesOf, waitsForUse } from '../keys/index.ts'
import { auditDevice } from './audit-device.ts'
import { answered, type Call } from './call.ts'
import { thumbprintOf } from './device-key.ts'
import { outcomeOf, whyNotApp } from './outcome.rules.ts'
import { type FactsRow, lockKeyByHash } from './queries/facts.ts'
import * as q from './queries/sessions.ts'
import type { Answered, NewSession } from './schema.ts'
import { type Evaluated, evaluateLicense } from './weigh-license.ts'

const TOKEN_BYTES = 32

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * R2: checks a license, activates the device and takes a seat, or says why not. The key is locked, so
 * of all who want its last device or seat at once one gets it.
 */
export function startSession(call: Call, sent: NewSession): Promise<Answered> {
  const { license_key } = sent
  if (license_key === undefined) return startPublicSession(call, sent)
  const { context, app } = call
  const hmacs = hashesOf(context.vault, app.id, license_key)
  return inTransaction(context.db, async (tx) => {
    await lockKeyByHash(tx, context.store.id, app.id, hmacs)
    const evaluated = await evaluateLicense(tx, call, {
      hmacs,
      device: sent.device,
      countSeats: true,
    })
    const { row, facts } = evaluated
    const code = outcomeOf(facts, {
      start: true,
      has_device: sent.device !== undefined,
      app_version: sent.app_version,
      app_checksum: sent.app_checksum,
    })
    if (code === 'NOT_FOUND') await call.countUnknownKey()
    refusePaused(row)
    if (code !== 'VALID') return answered(call, code, row)
    if (row.device_policy.key_required && sent.device && !sent.device.public_key) {
      throw invalid(
        'device.public_key',
        'Send it: this program knows devices by keys of their own.',
      )
    }
    return open(tx, call, evaluated, sent)
  })
}

function refusePaused({ app_status }: FactsRow): void {
  if (app_status === 'paused') throw new PlainError(403, 'This program is paused. Try again later.')
}

async function open(tx: Tx, call: Call, evaluated: Evaluated, sent: NewSession): Promise<Answered> {
  const { now } = call.context
  const { row, known } = evaluated
  const entering = sessionStartOf(call, evaluated, sent)
  const isNew = entering !== undefined && known === undefined
  const expires_at = waitsForUse(row) ? endFrom(row, now) : row.expires_at
  const keyId = row.key_id ?? 0
  const { session, device_id } = await registerDevice(tx, call, row, {
    key_id: row.key_id,
    app_version: sent.app_version,
    ...(entering && { entering }),
    ...((isNew || row.first_activated_at === null) && {
      activation: { keyId, newDevices: isNew ? 1 : 0, now, expires_at },
    }),
  })
  if (isNew && device_id !== null) {
    await auditDevice(tx, call.context, 'device.activate', { key_id: keyId, device_id })
  }
  return {
    ...answered(call, 'VALID', row),
    session,
    license: { level: row.level, entitlements: row.entitlements, expires_at },
    ...(device_id !== null && { device: { id: device_id, registered: true } }),
  }
}

/** The machine as it enters: registered, or noted that it was here. */
function sessionStartOf(
  { context, app }: Call,
  { row, machine, known }: Evaluated,
  { device }: NewSession,
): q.Entering | undefined {
  if (!machine) return undefined
  const { public_key } = machine
  return {
    knownId: known?.id,
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

interface Seated {
  key_id: number | null
  app_version: string | undefined
  entering?: q.Entering
  activation?: q.Activation
}

async function registerDevice(
  tx: Tx,
  { context, app }: Call,
  row: FactsRow,
  { key_id, app_version, ...more }: Seated,
) {
  const { store, now } = context
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires_at = later(now, row.session_ttl_seconds)
  const lease_expires_at = leaseOf(row, now, expires_at)
  const seat = {
    app_id: app.id,
    key_id,
    token_hash: hashToken(token),
    app_version: app_version ?? null,
    started_at: now,
    lease_expires_at,
    expires_at,
  }
  const device_id = await q.registerDevice(tx, store.id, seat, more)
  const { heartbeat_seconds } = row
  return { device_id, session: { token, expires_at, heartbeat_seconds, lease_expires_at } }
}

/** A heartbeat is due after its time and may be late by the grace; the session's own end is the last. */
export function leaseOf(
  { heartbeat_seconds, grace_seconds }: Pick<FactsRow, 'heartbeat_seconds' | 'grace_seconds'>,
  now: string,
  end: string,
): string {
  const lease = later(now, heartbeat_seconds + grace_seconds)
  return lease < end ? lease : end
}

/** A session without a license, for what is public, where the app allows it. */
function startPublicSession(call: Call, sent: NewSession): Promise<Answered> {
  return inTransaction(call.context.db, async (tx) => {
    const question = { hmacs: [], device: sent.device, countSeats: false }
    const { row, facts } = await evaluateLicense(tx, call, question)
    if (!row.allow_public_session) throw invalid('license_key', 'This field is required.')
    const code = whyNotApp(facts.app, {
      app_version: sent.app_version,
      app_checksum: sent.app_checksum,
    })
    if (code) return answered(call, code, row)
    refusePaused(row)
    if (facts.banned) return answered(call, 'DEVICE_BANNED', row)
    const { app_version } = sent
    const { session } = await registerDevice(tx, call, row, { key_id: null, app_version })
    return { ...answered(call, 'VALID', row), session }
  })
}
