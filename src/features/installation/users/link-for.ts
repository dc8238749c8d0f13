import type { App } from '../../../app.ts'
import { setTo } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { insertLink } from './change-password.ts'
import { recordForUser } from './record-for-user.ts'
import { signInUrl } from './sign-in-url.ts'

/** A one-time link for a user, recorded in the trail of the user's stores. */
export const linkFor = (app: App, userId: number): Promise<string> =>
  inTransaction(app.db, async (tx) => {
    const changes = setTo({ link: 'created' })
    await recordForUser(tx, app, userId, { action: 'user.create_link', changes })
    return signInUrl(app, await insertLink(tx, app, userId, 'sign_in'))
  })
