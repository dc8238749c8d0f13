import { type Pagination, pagination } from '../../../kernel/page.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import { type OutboxMessage, type OutboxQuery, SIGN_IN_TEMPLATES } from './schema.ts'
import { mailSealContext } from './sealed.ts'

/** A page of the mail of the store, the newest first (decision 144). */
export async function listOutbox(
  { db, store, vault }: StoreContext,
  query: OutboxQuery,
): Promise<{ messages: OutboxMessage[]; pagination: Pagination }> {
  const { rows, total } = await q.selectOutbox(db, store.id, query, { texts: !store.livemode })
  const messages = await mapInSlices(rows, ({ message, content_enc, ...row }) => ({
    ...row,
    text:
      content_enc && !SIGN_IN_TEMPLATES.includes(row.template)
        ? (JSON.parse(vault.open(mailSealContext(store.id, message), content_enc).toString())
            .text ?? null)
        : null,
  }))
  return { messages, pagination: pagination(query, total) }
}
