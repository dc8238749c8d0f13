import { createHash, randomBytes } from 'node:crypto'
import { inTransaction, type Tx } from '../../db/database.ts'
import { invalid, PlainError } from '../../kernel/errors.ts'
import { later } from '../../kernel/time.ts'
import { endFrom, hashesOf, waitsForUse } from '../license-keys/index.ts'
import { answered, type Call } from './call.ts'
import { thumbprintOf } from './device-key.ts'
import { outcomeOf, whyNotApp } from './outcome.rules.ts'
import { type FactsRow, lockKeyByHash } from './queries/facts.ts'
import * as q from './queries/sessions.ts'
import type { Answered, NewSession } from './schema.ts'
import { type Weighed, weighLicense } from './weigh-license.ts'

const TOKEN_BYTES = 32

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * R2: checks a license, activates the device and takes a seat, or says why not. The key is locked, so
 * of all who want its last device or seat at once one gets it.
 */
export function startSession(call: Call, sent: NewSession): Promise<Answered> {
  const { license_key } = sent
  if (license_key === undefined) return startPublicSession(call, sent)
  const { shop, app } = call
  const hmacs = hashesOf(shop.vault, app.id, license_key)
  return inTransaction(shop.db, async (tx) => {
    await lockKeyByHash(tx, shop.store.id, app.id, hmacs)
    const weighed = await weighLicense(tx, call, { hmacs, device: sent.device, countSeats: true })
    const { row, facts } = weighed
    const code = outcomeOf(facts, {
      start: true,
      has_device: sent.device !== undefined,
      app_version: sent.app_version,
      app_checksum: sent.app_checksum,
    })
    if (code === 'NOT_FOUND') call.countUnknown()
    else refusePaused(row)
    if (code !== 'VALID') return answered(call, code, row)
    if (row.device_policy.key_required && sent.device && !sent.device.public_key) {
      throw invalid(
        'device.public_key',
        'Send it: this program knows devices by keys of their own.',
      )
    }
    return open(tx, call, weighed, sent)
  })
}

function refusePaused({ app_status }: FactsRow): void {
  if (app_status === 'paused') throw new PlainError(403, 'This program is paused. Try again later.')
}

async function open(tx: Tx, call: Call, weighed: Weighed, sent: NewSession): Promise<Answered> {
  const { shop } = call
  const { row } = weighed
  const device_id = await enterDevice(tx, call, weighed, sent)
  const isNew = device_id !== null && weighed.known === undefined
  const expires_at = waitsForUse(row) ? endFrom(row, shop.now) : row.expires_at
  if (isNew || row.first_activated_at === null) {
    await q.activateKey(tx, shop.store.id, row.key_id ?? 0, {
      newDevices: isNew ? 1 : 0,
      now: shop.now,
      expires_at,
    })
  }
  const session = await takeSeat(tx, call, row, { key_id: row.key_id, device_id, sent })
  return {
    ...answered(call, 'VALID', row),
    session,
    license: { level: row.level, entitlements: row.entitlements, expires_at },
    ...(device_id !== null && { device: { id: device_id, registered: true } }),
  }
}

/** Registers the machine, or notes that it was here. */
async function enterDevice(
  tx: Tx,
  { shop, app }: Call,
  { row, machine, known }: Weighed,
  { device }: NewSession,
): Promise<number | null> {
  if (!machine) return null
  const { public_key } = machine
  const entry = {
    ...machine,
    app_id: app.id,
    key_id: row.key_id ?? 0,
    public_key_thumbprint: public_key && thumbprintOf(public_key),
    name: device?.name ?? null,
    platform: device?.platform ?? null,
    now: shop.now,
  }
  if (!known) return q.insertDevice(tx, shop.store.id, entry)
  await q.touchDevice(tx, shop.store.id, known.id, entry)
  return known.id
}

async function takeSeat(
  tx: Tx,
  { shop, app }: Call,
  row: FactsRow,
  {
    key_id,
    device_id,
    sent,
  }: {
    key_id: number | null
    device_id: number | null
    sent: NewSession
  },
) {
  const { store, now } = shop
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires_at = later(now, row.session_ttl_seconds)
  const lease_expires_at = leaseOf(row, now, expires_at)
  await q.insertSession(tx, store.id, {
    app_id: app.id,
    key_id,
    device_id,
    token_hash: hashToken(token),
    app_version: sent.app_version ?? null,
    started_at: now,
    last_heartbeat_at: now,
    lease_expires_at,
    expires_at,
  })
  return { token, expires_at, heartbeat_seconds: row.heartbeat_seconds, lease_expires_at }
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
  return inTransaction(call.shop.db, async (tx) => {
    const question = { hmacs: [], device: sent.device, countSeats: false }
    const { row, facts } = await weighLicense(tx, call, question)
    if (!row.allow_public_session) throw invalid('license_key', 'This field is required.')
    const code = whyNotApp(facts.app, {
      app_version: sent.app_version,
      app_checksum: sent.app_checksum,
    })
    if (code) return answered(call, code, row)
    refusePaused(row)
    if (facts.banned) return answered(call, 'DEVICE_BANNED', row)
    const session = await takeSeat(tx, call, row, { key_id: null, device_id: null, sent })
    return { ...answered(call, 'VALID', row), session }
  })
}
