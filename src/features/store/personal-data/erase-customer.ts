import { inTransaction } from '../../../db/database.ts'
import { erasedEmail } from '../../../kernel/erased-email.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { clearPartners } from '../affiliates/index.ts'
import { removeBlock } from '../blocklist/index.ts'
import { clearCustomer, indexCustomer, selectMerged } from '../customers/index.ts'
import { indexAnew } from '../orders/index.ts'
import { clearQuestions } from '../questions/index.ts'
import { clearReturns } from '../returns/index.ts'
import { clearReviews } from '../reviews/index.ts'
import { clearTickets } from '../tickets/index.ts'
import { eraseSealed } from './erase-sealed.ts'
import { ERASED_TEXT } from './person.rules.ts'
import * as q from './queries/erase.ts'

/** Orders that are changed by one statement. */
const BATCH = 500

export interface Erased {
  id: number
  erased_at: string
}

/**
 * Removes the person everywhere, while orders, totals, stock, licenses and the books stay whole
 * (decision 140). A customer who was erased already is answered with the time of the first call.
 */
export function eraseCustomer(context: StoreContext, id: number): Promise<Erased> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const customer = found(await q.lockCustomer(tx, store.id, id), 'Customer')
    if (customer.erased_at) return { id, erased_at: customer.erased_at }
    const orders = await q.selectOrders(tx, store.id, id)
    const orderIds = orders.map((order) => order.id)
    const merged = await selectMerged(tx, store.id, id)
    const customerIds = [id, ...merged.map((item) => item.merged_id)]
    const known = [customer, ...merged]
    const ownEmails = known.flatMap((item) => item.email ?? [])
    const emails = distinct([...ownEmails, ...orders.map((order) => order.customer_email)])
    const knownNames = known.flatMap((item) => item.name ?? [])
    const names = distinct([...knownNames, ...orders.flatMap((order) => order.names)])
    const replacement = erasedEmail(id)

    for (const email of emails) await removeBlock(tx, context, { id, email }, { keepIps: false })
    await clearCustomer(tx, store.id, id, { email: replacement, text: ERASED_TEXT, now })
    await indexCustomer(tx, store.id, id)
    for (let from = 0; from < orderIds.length; from += BATCH) {
      const some = orderIds.slice(from, from + BATCH)
      await q.clearOrders(tx, store.id, some, { email: replacement, now })
      await indexAnew(tx, store.id, some)
    }
    await q.clearLicenses(tx, store.id, { orderIds, emails })
    await q.clearAddresses(tx, store.id, { emails, replacement })
    const cleared = await clearPartners(tx, store.id, { orderIds, emails })
    const marks = { orderIds, emails, replacement, text: ERASED_TEXT }
    const records = new Map([
      ['customer', customerIds.map(String)],
      ['order', orderIds],
      ['return', textsOf(await clearReturns(tx, store.id, marks))],
      ['ticket', textsOf(await clearTickets(tx, store.id, marks))],
      ['review', textsOf(await clearReviews(tx, store.id, marks))],
      ['affiliate_partner', cleared.partners],
      ['affiliate_payout', textsOf(cleared.payouts)],
      ['affiliate_conversion', cleared.conversions],
      ['question', textsOf(await clearQuestions(tx, store.id, marks))],
    ])
    await q.clearAuditChanges(tx, store.id, records)
    const person = { emails, names, replacement }
    await eraseSealed(tx, context, { person, records, customerIds, orderIds })
    return { id, erased_at: now }
  })
}

const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text.length > 0)),
]

const textsOf = (ids: readonly number[]): string[] => ids.map(String)
