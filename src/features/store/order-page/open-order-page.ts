import { type App, storeContextOf } from '../../../app.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { PROVIDER_METHODS } from '../../../kernel/payment-methods.ts'
import type { Store, StoreContext } from '../../../store-context.ts'
import { selectSettings, selectSide } from '../../installation/index.ts'
import { findBlocked } from '../blocklist/index.ts'
import { type Fulfillment, listParcels } from '../fulfillment/index.ts'
import {
  findLinkedOrder,
  isPayable,
  type Order,
  type Payment,
  type StoredOrder,
} from '../orders/index.ts'
import { providerOfMethod } from '../payment-providers/index.ts'
import {
  beginsFree,
  checkOpenPayment,
  type SavingForRenewal,
  savingFor,
  showPayment,
  startPayment,
} from '../payments/index.ts'
import { selectRenewalsOfOrder } from '../subscriptions/index.ts'

/** The address of the page of an order (decision 464). */
export interface PageAddress {
  livemode: boolean
  slug: string
  token: string
}

/** The page of an order for its buyer. */
export interface OrderPage {
  livemode: boolean
  store_name: string
  support_email: string | null
  time_zone: string
  order: Order
  parcels: Fulfillment[]
  /** True if the buyer can start a payment. */
  can_pay: boolean
  /** The payment on whose page the buyer can pay, or that its provider is processing. */
  open_payment: Payment | undefined
  /** The next renewal of a subscription that began free, and if its buyer has saved a payment method for it. */
  saving: SavingForRenewal | undefined
}

/** The longest time that the page waits for a payment provider. The provider is asked further without it. */
const PROVIDER_WAIT_MS = 2_500

interface PageOptions {
  /** Decides whether the provider of a payment is asked now, so that a page that is often opened does not ask often. */
  mayAsk(paymentId: number): Promise<boolean>
}

/**
 * Returns the page of an order, or undefined if the address is that of none. A buyer who comes back from the page of a
 * provider sees what it says now, because it is asked first.
 */
export async function openOrderPage(
  app: App,
  address: PageAddress,
  { mayAsk }: PageOptions,
): Promise<OrderPage | undefined> {
  const found = await findPage(app, address)
  if (!found) return undefined
  const { context } = found
  let { order } = found
  const payment = order.payments.find(isOpen)
  if (payment && (await mayAsk(payment.id))) {
    await checkOpenPayment(context, payment, PROVIDER_WAIT_MS)
    order = (await findLinkedOrder(context, address.token)) ?? order
  }
  const { store } = context
  const settings = await selectSettings(app.db, store.id)
  return {
    livemode: store.livemode,
    store_name: store.name,
    time_zone: store.time_zone,
    support_email: settings?.support_email ?? null,
    order,
    parcels:
      order.fulfillment_status === 'not_required' ? [] : await listParcels(context, order.id),
    can_pay: canPay(store, order),
    open_payment: order.payments.find(isOpen),
    saving: await savingOf(context, order),
  }
}

/**
 * Returns the next renewal that is charged to a method of a connected provider, and what is saved for it; undefined if there
 * is none, and for customers who are not charged (decision 177).
 */
async function savingOf(
  context: StoreContext,
  order: StoredOrder,
): Promise<SavingForRenewal | undefined> {
  const { db, store } = context
  if (!beginsFree(order) || order.hold !== null) return undefined
  const renewals = await selectRenewalsOfOrder(db, store.id, order.id)
  for (const renewal of renewals.filter(({ amount_cents }) => amount_cents > 0)) {
    const provider = providerOfMethod(store, renewal.payment_method)
    if (!provider) continue
    const isBlocked = (await findBlocked(db, store.id, [order.customer.id])).size > 0
    return isBlocked ? undefined : savingFor(context, db, { order, renewal, provider })
  }
  return undefined
}

/** The charge of a saved method has no page, so its buyer cannot pay there. */
const isOpen = ({ status, provider, checkout_url }: Payment): boolean =>
  provider !== null && (status === 'processing' || (status === 'pending' && checkout_url !== null))

const canPay = (store: Store, { status, hold }: Order): boolean =>
  isPayable(status) && hold === null && methodsFor(store, null).length > 0

/** Returns the methods of connected providers, that of the order first. */
const methodsFor = (store: Store, preferred: string | null): string[] =>
  PROVIDER_METHODS.filter((method) => providerOfMethod(store, method)).sort(
    (a, b) => Number(b === preferred) - Number(a === preferred),
  )

/**
 * Starts a payment of what is owed, or of 0 to save a method for renewals, and returns the page of its provider. Returns undefined if the address opens no order,
 * and null if the order cannot be paid now: its page says why.
 */
export async function payOnPage(
  app: App,
  address: PageAddress,
): Promise<string | null | undefined> {
  const found = await findPage(app, address)
  if (!found) return undefined
  const { context, order } = found
  const saving = await savingOf(context, order)
  if (saving?.state === 'possible') {
    const method = saving.renewal.payment_method
    return startPage(context, order.id, { method, save_method: true })
  }
  if (!canPay(context.store, order)) return null
  for (const method of methodsFor(context.store, order.payment_method)) {
    const url = await startPage(context, order.id, { method })
    if (url !== null) return url
  }
  return null
}

/** Returns null if a product of the order does not accept the method, or the order has changed meanwhile. */
async function startPage(
  context: StoreContext,
  orderId: string,
  payment: { method: string; save_method?: true },
): Promise<string | null> {
  try {
    const { id } = await startPayment(context, orderId, payment)
    return (await showPayment(context, { orderId, id })).payment.checkout_url
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return null
    throw error
  }
}

/** Returns the order that an address names; undefined if there is none, or if its link was replaced. */
export async function findPage(
  app: App,
  { livemode, slug, token }: PageAddress,
): Promise<{ context: StoreContext; order: StoredOrder } | undefined> {
  const store = await selectSide(app.db, slug, { livemode })
  if (!store) return undefined
  const context = storeContextOf(app, store)
  const order = await findLinkedOrder(context, token)
  return order && { context, order }
}
