import { type App, storeContextOf } from '../../../app.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectSide } from '../../installation/index.ts'
import { selectNumberOfPayment } from '../orders/index.ts'
import { findTestPayment, playTestPayment, type TestPayment } from '../payment-providers/index.ts'
import { deliverCallback } from './simulate-payment.ts'

/** The page of the provider `test` on which a person pays. */
export interface TestPage {
  store_name: string
  order_number: number
  payment: TestPayment
}

/** Returns undefined if the address is that of no payment. */
export async function openTestPage(
  app: App,
  slug: string,
  token: string,
): Promise<TestPage | undefined> {
  return (await findPage(app, slug, token))?.page
}

/** Pays or declines a payment on its page. Returns false if the address is that of no payment. */
export async function payOnTestPage(
  app: App,
  { slug, token, action }: { slug: string; token: string; action: 'pay' | 'decline' | undefined },
): Promise<boolean> {
  const found = await findPage(app, slug, token)
  if (!found) return false
  const { context, page } = found
  if (page.payment.status !== 'open' || action === undefined) return true
  const { payment_id } = page.payment
  const { callback } = await playTestPayment(context, payment_id, { action, isReported: true })
  await deliverCallback(context, callback)
  return true
}

async function findPage(
  app: App,
  slug: string,
  token: string,
): Promise<{ context: StoreContext; page: TestPage } | undefined> {
  const store = await selectSide(app.db, slug, { livemode: false })
  if (!store) return undefined
  const context = storeContextOf(app, store)
  const payment = await findTestPayment(app.db, store.id, token, context.now)
  if (!payment) return undefined
  const order_number = await selectNumberOfPayment(app.db, store.id, payment.payment_id)
  if (order_number === undefined) return undefined
  return { context, page: { store_name: store.name, order_number, payment } }
}
