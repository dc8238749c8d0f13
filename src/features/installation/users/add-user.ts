import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { insertLink } from './change-password.ts'
import { giveRole } from './give-role.ts'
import { selectSides } from './queries/team.ts'
import * as q from './queries/users.ts'
import type { Role } from './roles.ts'
import { signInUrl } from './sign-in-url.ts'

interface Store {
  account_id: number
  slug: string
}

/** Gives a role on both sides of a store to a user, who is created if there is none yet. */
export function addUser(
  app: App,
  store: Store,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<{ id: number; email: string; sign_in_url: string }> {
  return inTransaction(app.db, async (tx) => {
    const now = iso(app.clock.now())
    const created = { email, name, password_hash: null, created_at: now }
    const id = (await insertOrFind(tx, created)) ?? 0
    const sides = await selectSides(tx, store)
    await giveRole(tx, sides, { user_id: id, role, now })
    const act = {
      action: 'user.create',
      object: 'user',
      object_id: String(id),
      changes: changesOf(null, { role }),
    }
    await insertStoresEvent(tx, { ids: sides }, { origin: app.origin, now }, act)
    return { id, email, sign_in_url: signInUrl(app, await insertLink(tx, app, id, 'sign_in')) }
  })
}

async function insertOrFind(
  tx: Parameters<typeof q.insertUser>[0],
  row: Parameters<typeof q.insertUser>[1],
): Promise<number | undefined> {
  return (await q.insertUser(tx, row)) ?? (await q.selectUserByEmail(tx, row.email))?.id
}
