import type { App } from '../../../app.ts'
import { changesOfNew } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { insertLink } from './change-password.ts'
import { deleteLinks } from './queries/sessions.ts'
import * as q from './queries/users.ts'
import { recordForUser } from './record-for-user.ts'
import { signInUrl } from './sign-in-url.ts'

/** Creates a sign-in link for a user, and turns codes off: the operator vouches for the user's identity. */
export function resetUser(
  app: App,
  { id, email }: q.UserRow,
): Promise<{ id: number; email: string; sign_in_url: string }> {
  return inTransaction(app.db, async (tx) => {
    await deleteLinks(tx, id)
    await q.clearTotp(tx, id)
    const changes = changesOfNew({ link: 'created', totp: 'off' })
    await recordForUser(tx, app, id, { action: 'user.reset', changes })
    return {
      id,
      email,
      sign_in_url: signInUrl(app, await insertLink(tx, app, id, { kind: 'reset' })),
    }
  })
}
