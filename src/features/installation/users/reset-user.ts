import type { App } from '../../../app.ts'
import { changesOfNew } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { insertLink } from './change-password.ts'
import { listPasskeys } from './passkeys.ts'
import * as q from './queries/index.ts'
import { recordForUser } from './record-for-user.ts'
import type { Passkey } from './schema.ts'
import { signInUrl } from './sign-in-url.ts'

interface UserReset {
  id: number
  email: string
  sign_in_url: string
  /** The passkeys that still sign in. */
  passkeys: Passkey[]
}

/**
 * Ends the sessions and deletes the password of a user, and creates a link with which the user signs in and sets a new
 * one. The link also turns codes off, unless it keeps them: the operator vouches for the user's identity (decision 173).
 */
export function resetUser(
  app: App,
  { id, email }: Pick<q.UserRow, 'id' | 'email'>,
  { keepFactors }: { keepFactors: boolean },
): Promise<UserReset> {
  return inTransaction(app.db, async (tx) => {
    // A sign-in with the old password, which locks the user too, ends before this or is refused after it.
    await q.lockUser(tx, id)
    await q.deleteLinks(tx, id)
    await q.deleteOtherSessions(tx, id, undefined)
    await q.updatePassword(tx, id, null)
    const changes = changesOfNew({ link: 'created', sessions: 'ended', password: 'deleted' })
    await recordForUser(tx, app, id, { action: 'user.reset', changes })
    const link = { kind: 'reset', keeps_factors: keepFactors } as const
    return {
      id,
      email,
      sign_in_url: signInUrl(app, await insertLink(tx, app, id, link)),
      passkeys: await listPasskeys({ db: tx }, id),
    }
  })
}
