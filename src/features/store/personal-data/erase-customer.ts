import { inTransaction } from '../../../db/database.ts'
import { withForms } from '../../../kernel/email.ts'
import { erasedEmail } from '../../../kernel/erased-email.ts'
import type { StoreContext } from '../../../store-context.ts'
import { clearPartners } from '../affiliates/index.ts'
import { removeBlocks } from '../blocklist/index.ts'
import {
  clearCustomer,
  indexCustomer,
  lockCustomer,
  selectMergedCustomers,
} from '../customers/index.ts'
import { reindexOrders } from '../orders/index.ts'
import { removeMethodsOf } from '../payment-methods/index.ts'
import { clearQuestions } from '../questions/index.ts'
import { deletePhotosOf } from '../return-photos/index.ts'
import { clearReturns } from '../returns/index.ts'
import { clearReviews } from '../reviews/index.ts'
import { cancelSubscriptionsOf } from '../subscriptions/index.ts'
import { clearTickets } from '../tickets/index.ts'
import { eraseSealed } from './erase-sealed.ts'
import { lockPerson } from './lock-person.ts'
import { ERASED_TEXT } from './person.rules.ts'
import * as q from './queries/index.ts'
import type { ErasedCustomer } from './schema.ts'

/** The number of orders that one statement changes. */
const ORDER_BATCH_SIZE = 500

/**
 * Removes the personal data of a customer from every record, and cancels the subscriptions (decision 177). Orders,
 * totals, stock and licenses are not deleted (decision 140). For a customer who was erased already, returns the time of
 * the first call.
 */
export function eraseCustomer(context: StoreContext, id: number): Promise<ErasedCustomer> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const customer = await lockPerson(tx, store.id, id, () => lockCustomer(tx, context, id))
    if (customer.erased_at) {
      context.audit.skipEvent()
      return { id, erased_at: customer.erased_at, cancelled_subscriptions: 0 }
    }
    const cancelled_subscriptions = await cancelSubscriptionsOf(tx, context, id)
    const orders = await q.selectOrders(tx, store.id, id)
    const orderIds = orders.map((order) => order.id)
    const mergedCustomers = await selectMergedCustomers(tx, store.id, id)
    const customerIds = [id, ...mergedCustomers.map((item) => item.id)]
    const profiles = [customer, ...mergedCustomers]
    const profileEmails = profiles.flatMap((item) => item.email ?? [])
    const orderEmails = orders.map((order) => order.customer_email)
    const emails = withForms(uniqueTexts([...profileEmails, ...orderEmails]))
    const profileNames = profiles.flatMap((item) => item.name ?? [])
    const names = uniqueTexts([...profileNames, ...orders.flatMap((order) => order.names)])
    const replacement = erasedEmail(id)

    await removeBlocks(tx, context, { id, emails }, { keepIps: false })
    await clearCustomer(tx, store.id, id, { email: replacement, erasedText: ERASED_TEXT, now })
    await indexCustomer(tx, store.id, { id, email: replacement, name: null })
    for (let start = 0; start < orderIds.length; start += ORDER_BATCH_SIZE) {
      const batchIds = orderIds.slice(start, start + ORDER_BATCH_SIZE)
      await q.clearOrders(tx, store.id, batchIds, { email: replacement, now })
      await reindexOrders(tx, store.id, batchIds)
    }
    await removeMethodsOf(tx, store.id, { customerIds, now })
    await q.clearAddresses(tx, store.id, { emails, replacement })
    await q.clearLicenses(tx, store.id, { orderIds, emails })
    const affiliateRecords = await clearPartners(tx, store.id, { orderIds, emails })
    const targets = { orderIds, emails, replacement, text: ERASED_TEXT }
    const returnIds = await clearReturns(tx, store.id, targets)
    await deletePhotosOf(tx, store.id, returnIds)
    const idsByType = new Map([
      ['customer', customerIds.map(String)],
      ['order', orderIds],
      ['return', asTexts(returnIds)],
      ['ticket', asTexts(await clearTickets(tx, store.id, targets))],
      ['review', asTexts(await clearReviews(tx, store.id, targets))],
      ['affiliate_partner', affiliateRecords.partners],
      ['affiliate_payout', asTexts(affiliateRecords.payouts)],
      ['affiliate_conversion', affiliateRecords.conversions],
      ['question', asTexts(await clearQuestions(tx, store.id, targets))],
    ])
    await q.clearAuditChanges(tx, store.id, idsByType)
    const person = { emails, names, replacement }
    await eraseSealed(tx, context, { person, idsByType, customerIds, orderIds })
    return { id, erased_at: now, cancelled_subscriptions }
  })
}

const uniqueTexts = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text.length > 0)),
]

const asTexts = (ids: readonly number[]): string[] => ids.map(String)
