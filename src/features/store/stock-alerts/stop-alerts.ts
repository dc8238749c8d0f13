import type { App } from '../../../app.ts'
import { openStopToken } from '../../installation/index.ts'
import { unsubscribe } from './queries.ts'

/**
 * Ends what waits for the reader of a mail in the store that wrote it (decision 103). Says whether the
 * address is one of ours; what is ended already ends again.
 */
export async function stopAlerts({ db, vault }: App, token: string): Promise<boolean> {
  const reader = openStopToken(token, (text) => vault.hmac('stop_mail', text))
  if (!reader) return false
  await unsubscribe(db, reader.store_id, reader.email)
  return true
}
