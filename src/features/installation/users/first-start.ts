import { timingSafeEqual } from 'node:crypto'
import type { App } from '../../../app.ts'
import { lockDatabase } from '../../../db/advisory-locks.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { createStore, selectStores } from '../stores/index.ts'
import { giveRole } from './give-role.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import * as q from './queries/index.ts'
import type { FirstStart } from './schema.ts'
import { startSession } from './start-session.ts'
import { hashToken, newDeviceCookie } from './tokens.ts'

/** The plan of a store on a server of its owner. */
const PLAN = 'self_hosted'

/**
 * Returns the link with which the first owner creates the first store, or undefined if there is a store.
 * The link is the same at each start, and ends with the first store.
 */
export async function firstStartUrl(app: App): Promise<string | undefined> {
  if (!(await isEmpty(app.db))) return undefined
  return `${app.config.publicUrl}/dashboard/first-start?token=${tokenOf(app)}`
}

const isEmpty = async (db: Db): Promise<boolean> => (await selectStores(db)).length === 0

const tokenOf = ({ vault }: Pick<App, 'vault'>): string =>
  hashToken(vault, 'first_start', 'link').toString('base64url')

/** Returns true if the token is right and there is no store yet. */
export async function isFirstStart(app: App, token: string): Promise<boolean> {
  const [tokenBytes, expected] = [Buffer.from(token), Buffer.from(tokenOf(app))]
  const isSame = tokenBytes.length === expected.length && timingSafeEqual(tokenBytes, expected)
  return isSame && isEmpty(app.db)
}

const linkEndedRefusal = () =>
  new Refusal(
    'NOT_FOUND',
    'The link is not valid, or there is a store already. Run `tradepost dashboard` to print a new link.',
  )

/** Creates the first owner and the first store of an installation. */
export async function startFirstStore(
  app: App,
  browser: Browser,
  { token, name, email, password, store_name, currency }: FirstStart,
): Promise<{ store_id: string; cookies: Cookies }> {
  if (!(await isFirstStart(app, token))) throw linkEndedRefusal()
  checkPassword('password', password, email)
  const password_hash = await hashPassword(password)
  return inTransaction(app.db, async (tx) => {
    // Two submitted forms, or this form and `start --demo`, must not create two first stores.
    await lockDatabase(tx, 'demo')
    if (!(await isEmpty(tx))) throw linkEndedRefusal()
    const now = iso(app.clock.now())
    const id = await q.insertUser(tx, { email, name, password_hash, created_at: now })
    if (id === undefined) throw linkEndedRefusal()
    const store_id = await createOwnStore(tx, app, { user: { id, name }, store_name, currency })
    const sessionToken = await startSession(tx, app, browser, { user_id: id, stepped_up: true })
    return { store_id, cookies: { session: sessionToken, device: newDeviceCookie(app.vault, id) } }
  })
}

interface FirstStoreInput {
  user: { id: number; name: string }
  store_name: string
  currency: string
}

/** Creates a store whose owner is the user, and returns the public id of its test side. */
async function createOwnStore(
  tx: Tx,
  app: App,
  { user, store_name, currency }: FirstStoreInput,
): Promise<string> {
  const actor = { type: 'user' as const, id: String(user.id), name: user.name }
  const origin = { address: null, request_id: null, ...app.origin, actor }
  const fields = { name: store_name, currency, plan: PLAN }
  const { live, test } = await createStore({ ...app, db: tx, origin }, fields)
  const now = iso(app.clock.now())
  await giveRole(tx, [live.id, test.id], { user_id: user.id, role: 'owner', now })
  return test.hash
}
