import type { App } from '../../../app.ts'
import { changesOf, setTo } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { CommandError, command, needed, text } from '../../../command.ts'
import { inTransaction } from '../../../db/database.ts'
import { Email } from '../../../kernel/shapes.ts'
import { iso } from '../../../kernel/time.ts'
import { STORE_OPTIONS, storeNamed } from '../stores/index.ts'
import { insertLink } from './change-password.ts'
import { deleteLinks } from './queries/sessions.ts'
import { selectSides, upsertRole } from './queries/team.ts'
import * as q from './queries/users.ts'
import { recordForUser } from './record-for-user.ts'
import { isRole, ROLES, type Role } from './roles.ts'

const NAME_MAX = 120

export const signInUrl = ({ config }: Pick<App, 'config'>, token: string): string =>
  `${config.publicUrl}/dashboard/sign-in?token=${token}`

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
    await upsertRole(tx, sides, { user_id: id, role, now })
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

const print = ({ id, email, sign_in_url }: { id: number; email: string; sign_in_url: string }) =>
  `User ${id}, ${email}. Sign in within an hour, once:\n${sign_in_url}`

export const userCommands = [
  command({
    name: 'users create',
    summary: 'Give somebody a role in a store, and print a link to sign in.',
    options: [
      { flags: '--email <email>', description: 'the address that signs in', required: true },
      { flags: '--role <role>', description: `${ROLES.join(', ')}; default owner` },
      { flags: '--name <name>', description: 'the name that the team sees' },
      ...STORE_OPTIONS,
    ],
    async run(app, input) {
      const store = await storeNamed(app, input)
      const email = parseEmail(needed(input, 'email'))
      const role = text(input, 'role') ?? 'owner'
      if (!isRole(role)) throw new CommandError(`--role: write one of ${ROLES.join(', ')}.`, 2)
      const name = (text(input, 'name') ?? email.replace(/@.*/, '')).trim()
      if (name.length > NAME_MAX) {
        throw new CommandError(`--name: write at most ${NAME_MAX} characters.`, 2)
      }
      return addUser(app, store, { email, name, role })
    },
    print,
  }),

  command({
    name: 'users list',
    summary: 'Show who may sign in to the dashboard.',
    run: ({ db }) => q.selectUsers(db),
    print: (users) =>
      users
        .map(({ id, email, stores }) => {
          const roles = new Set(stores.map(({ slug, role }) => `${slug} (${role})`))
          return `${id}  ${email}  ${[...roles].join(', ')}`
        })
        .join('\n') || 'No users.',
  }),

  command({
    name: 'users reset',
    summary: 'Print a link with which a user signs in and sets a new password.',
    options: [
      { flags: '--email <email>', description: 'the address that signs in', required: true },
    ],
    async run(app, input) {
      const email = parseEmail(needed(input, 'email'))
      const user = await q.selectUserByEmail(app.db, email)
      if (!user) throw new CommandError(`--email: no user has the address ${email}.`)
      return resetUser(app, user)
    },
    print,
  }),

  command({
    name: 'dashboard',
    summary: 'Print a one-time link to the dashboard for the first owner.',
    options: STORE_OPTIONS,
    async run(app, input) {
      const store = text(input, 'store') === undefined ? undefined : await storeNamed(app, input)
      const owner = await q.selectFirstOwner(app.db, store?.id)
      if (!owner) {
        throw new CommandError(
          'No store has an owner yet. Make one with: tradepost users create --email E --store HASH',
        )
      }
      return { sign_in_url: await linkFor(app, owner.user_id) }
    },
    print: ({ sign_in_url }) => sign_in_url,
  }),
]

/** A one-time link for a user, recorded in the trail of the user's stores. */
export const linkFor = (app: App, userId: number): Promise<string> =>
  inTransaction(app.db, async (tx) => {
    const changes = setTo({ link: 'created' })
    await recordForUser(tx, app, userId, { action: 'user.create_link', changes })
    return signInUrl(app, await insertLink(tx, app, userId, 'sign_in'))
  })

/** The link also switches codes off: the operator vouches for the person. */
function resetUser(
  app: App,
  { id, email }: q.UserRow,
): Promise<{ id: number; email: string; sign_in_url: string }> {
  return inTransaction(app.db, async (tx) => {
    await deleteLinks(tx, id)
    await q.updateTotp(tx, id, {
      totp_secret_enc: null,
      totp_enabled_at: null,
      recovery_hashes: [],
    })
    const changes = setTo({ link: 'created', totp: 'off' })
    await recordForUser(tx, app, id, { action: 'user.reset', changes })
    return { id, email, sign_in_url: signInUrl(app, await insertLink(tx, app, id, 'reset')) }
  })
}

function parseEmail(given: string): string {
  const { success, data } = Email.safeParse(given)
  if (success) return data
  throw new CommandError(`--email: "${given}" is not an address such as name@example.com.`, 2)
}
