import type { App } from '../../../app.ts'
import { changesOfNew } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { insertLink } from './change-password.ts'
import { recordForUser } from './record-for-user.ts'
import { signInUrl } from './sign-in-url.ts'

/** Creates a one-time sign-in link for a user, and records it in the audit trail of the user's stores. */
export const createSignInLink = (app: App, userId: number): Promise<string> =>
  inTransaction(app.db, async (tx) => {
    const changes = changesOfNew({ link: 'created' })
    await recordForUser(tx, app, userId, { action: 'user.create_link', changes })
    return signInUrl(app, await insertLink(tx, app, userId, { kind: 'sign_in' }))
  })
