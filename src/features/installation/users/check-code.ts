import type { App } from '../../../app.ts'
import { Refusal } from '../../../kernel/errors.ts'
import * as q from './queries/index.ts'
import { totpSealContext } from './sealed.ts'
import { hashToken } from './tokens.ts'
import { matchingStep } from './totp.ts'

/** Returns the hash of a recovery code. Hyphens, spaces and case make no difference. */
export const recoveryHash = ({ vault }: Pick<App, 'vault'>, userId: number, code: string): Buffer =>
  hashToken(vault, 'recovery', `${userId}|${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)

/** Checks the second factor if the user has one. Each code is accepted once. */
export async function checkCode(
  app: App,
  user: q.UserRow,
  code: string | undefined,
): Promise<void> {
  if (!user.totp_enabled_at || !user.totp_secret_enc) return
  if (code === undefined) {
    const message = 'Send the code of your authenticator app, or a recovery code, as code.'
    throw new Refusal('CODE_REQUIRED', message)
  }
  const isAccepted = /^\d{6}$/.test(code)
    ? await useTotpCode(app, user, user.totp_secret_enc, code)
    : await q.useRecoveryCode(app.db, user.id, recoveryHash(app, user.id, code))
  if (!isAccepted)
    throw new Refusal(
      'SIGN_IN_FAILED',
      'The code is wrong, or was used before. Send the current code.',
    )
}

async function useTotpCode(
  { db, vault, clock }: App,
  user: q.UserRow,
  sealed: Buffer,
  code: string,
): Promise<boolean> {
  const secret = vault.open(totpSealContext(user.id), sealed)
  const step = matchingStep(secret, code, { now: clock.now(), lastStep: user.totp_last_step })
  return step !== undefined && (await q.useTotpStep(db, user.id, step))
}
