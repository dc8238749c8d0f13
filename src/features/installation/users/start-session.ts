import type { App } from '../../../app.ts'
import type { Db } from '../../../db/database.ts'
import type { Browser } from '../../../kernel/browser.ts'
import { iso } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'
import { hashToken, newToken } from './tokens.ts'

const USER_AGENT_MAX = 300

interface UserSessionStart {
  user_id: number
  /** True if the user gave a password or a passkey: the session may change keys and the team (decision 137). */
  stepped_up: boolean
  resets_password?: boolean
}

/** Starts a session, and returns its token. Only the hash of the token is stored (decision 135). */
export async function startSession(
  db: Db,
  { vault, clock }: Pick<App, 'vault' | 'clock'>,
  { ip, user_agent }: Pick<Browser, 'ip' | 'user_agent'>,
  { user_id, stepped_up, resets_password = false }: UserSessionStart,
): Promise<string> {
  const token = newToken()
  const now = iso(clock.now())
  await q.insertSession(db, {
    user_id,
    token_hash: hashToken(vault, 'session', token),
    now,
    stepped_up_at: stepped_up ? now : null,
    resets_password,
    address: ip,
    user_agent: user_agent.slice(0, USER_AGENT_MAX),
  })
  return token
}
