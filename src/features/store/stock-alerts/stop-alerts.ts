import type { App } from '../../../app.ts'
import { openUnsubscribeToken } from '../../installation/index.ts'
import * as q from './queries.ts'

/**
 * Unsubscribes the recipient of a mail from all stock alerts of the store that sent it.
 * Returns false if the token is invalid.
 */
export async function stopAlerts({ db, vault }: App, token: string): Promise<boolean> {
  const recipient = openUnsubscribeToken(token, (text) => vault.hmac('stop_mail', text))
  if (!recipient) return false
  await q.unsubscribe(db, recipient.store_id, recipient.email)
  return true
}
