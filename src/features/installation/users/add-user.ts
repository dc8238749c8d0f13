import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import type { Store } from '../../../store-context.ts'
import { insertLink } from './change-password.ts'
import { giveRole } from './give-role.ts'
import * as q from './queries/index.ts'
import type { Role } from './roles.ts'
import { signInUrl } from './sign-in-url.ts'

/** Gives a user a role on both sides of a store. The user is created if the address is new. */
export function addUser(
  app: App,
  store: Pick<Store, 'account_id' | 'slug'>,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<{ id: number; email: string; sign_in_url: string }> {
  return inTransaction(app.db, async (tx) => {
    const now = iso(app.clock.now())
    const insertedId = await q.insertUser(tx, { email, name, password_hash: null, created_at: now })
    const id = insertedId ?? requireRecord(await q.selectUserByEmail(tx, email), 'User').id
    const sides = await q.selectSides(tx, store)
    await giveRole(tx, sides, { user_id: id, role, now })
    const event = {
      action: 'user.create',
      object: 'user',
      object_id: String(id),
      changes: changesOf(null, { role }),
    }
    await insertStoresEvent(tx, { ids: sides }, { origin: app.origin, now }, event)
    return {
      id,
      email,
      sign_in_url: signInUrl(app, await insertLink(tx, app, id, { kind: 'sign_in' })),
    }
  })
}
