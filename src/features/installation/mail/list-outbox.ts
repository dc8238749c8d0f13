import { pagination } from '../../../kernel/page.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import { readContent, renderMail } from './content.ts'
import * as q from './queries.ts'
import { ACCOUNT_TEMPLATES, type OutboxQuery } from './schema.ts'
import { mailSealContext } from './sealed.ts'

/** Returns a page of the store's mail, newest first (decision 144). Texts have the keys and links of orders. */
export async function listOutbox(
  { db, store, vault }: StoreContext,
  query: OutboxQuery,
  { maySeeOrders }: { maySeeOrders: boolean },
) {
  const { records, total } = await q.selectOutbox(db, store.id, query, {
    hasTexts: !store.livemode && maySeeOrders,
  })
  const messages = await mapInSlices(records, ({ message, content_enc, ...row }) => {
    if (!content_enc || ACCOUNT_TEMPLATES.includes(row.template))
      return { ...row, html: null, text: null }
    const json = vault.open(mailSealContext(store.id, message), content_enc).toString()
    return { ...row, ...renderMail(row.subject ?? '', readContent(json)) }
  })
  return { messages, pagination: pagination(query, total) }
}
