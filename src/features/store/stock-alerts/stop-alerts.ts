import type { App } from '../../../app.ts'
import { openStopToken } from '../../installation/index.ts'
import { unsubscribe } from './queries.ts'

/**
 * Ends the sign-ups of the reader of a mail in the store that sent it (decision 103). Returns false
 * if the address is not ours; sign-ups that have ended stay ended.
 */
export async function stopAlerts({ db, vault }: App, token: string): Promise<boolean> {
  const reader = openStopToken(token, (text) => vault.hmac('stop_mail', text))
  if (!reader) return false
  await unsubscribe(db, reader.store_id, reader.email)
  return true
}
