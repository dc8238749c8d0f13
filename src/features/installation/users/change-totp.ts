import { randomBytes } from 'node:crypto'
import type { App } from '../../../app.ts'
import { changesOfNew } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, invalidState, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { recoveryHash } from './check-code.ts'
import * as q from './queries/index.ts'
import { recordForUser } from './record-for-user.ts'
import { totpSealContext } from './sealed.ts'
import type { UserSession } from './session.rules.ts'
import { base32, matchingStep, otpauthUrl, SECRET_BYTES } from './totp.ts'

const RECOVERY_CODES = 10

/** Stores a new secret. It has no effect until one of its codes is confirmed. */
export async function beginTotp(
  { db, vault }: App,
  { user_id, email }: UserSession,
): Promise<{ secret: string; otpauth_url: string }> {
  const secret = randomBytes(SECRET_BYTES)
  await inTransaction(db, async (tx) => {
    const user = requireRecord(await q.lockUser(tx, user_id), 'User')
    if (user.totp_enabled_at) {
      throw invalidState(
        'enabled',
        'An authenticator app is set up already. Turn codes off first to use another app.',
      )
    }
    const totp_secret_enc = vault.seal(totpSealContext(user_id), secret)
    await q.updateTotp(tx, user_id, { totp_secret_enc, totp_last_step: 0 })
  })
  return { secret: base32(secret), otpauth_url: otpauthUrl(email, secret) }
}

/** Turns codes on, and returns the recovery codes. Only their hashes are stored. */
export async function confirmTotp(
  app: App,
  { user_id }: UserSession,
  code: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await inTransaction(app.db, async (tx) => {
    const user = requireRecord(await q.lockUser(tx, user_id), 'User')
    if (!user.totp_secret_enc || user.totp_enabled_at) {
      const status = user.totp_enabled_at ? 'enabled' : 'none'
      throw invalidState(status, 'There is no secret to confirm: POST /dashboard/api/totp first.')
    }
    const secret = app.vault.open(totpSealContext(user_id), user.totp_secret_enc)
    const now = app.clock.now()
    const step = matchingStep(secret, code, { now, lastStep: user.totp_last_step })
    if (step === undefined) {
      throw invalid('code', 'The code is wrong. Check that the clock of your phone is right.')
    }
    await q.updateTotp(tx, user_id, {
      totp_enabled_at: iso(now),
      totp_last_step: step,
      recovery_hashes: codes.map((item) => recoveryHash(app, user_id, item)),
    })
    await recordForUser(tx, app, user_id, {
      action: 'user.enable_totp',
      changes: changesOfNew({ totp: 'on' }),
    })
  })
  return codes
}

/** Returns two groups of five base32 characters, which have 50 bits. */
function newRecoveryCode(): string {
  const text = base32(randomBytes(7)).slice(0, 10).toLowerCase()
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

export const disableTotp = (app: App, { user_id }: UserSession): Promise<void> =>
  inTransaction(app.db, (tx) => turnTotpOff(tx, app, user_id))

/** Deletes the secret and the recovery codes of a user. */
export async function turnTotpOff(tx: Tx, app: App, userId: number): Promise<void> {
  const user = requireRecord(await q.lockUser(tx, userId), 'User')
  await q.clearTotp(tx, userId)
  if (!user.totp_enabled_at) return
  const changes = changesOfNew({ totp: 'off' })
  await recordForUser(tx, app, userId, { action: 'user.disable_totp', changes })
}
