import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { updateStandardHeaders } from './queries/webhooks.ts'

/** From the next attempt on an endpoint gets the headers of Standard Webhooks beside ours, or not (decision 73). */
export async function setStandardHeaders(
  { db, store }: Shop,
  id: string,
  standard_headers: boolean,
): Promise<{ id: string; standard_headers: boolean }> {
  found(await updateStandardHeaders(db, store.id, id, standard_headers), 'Endpoint')
  return { id, standard_headers }
}
