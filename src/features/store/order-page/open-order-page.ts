import { type App, storeContextOf } from '../../../app.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectSettings, selectSide } from '../../installation/index.ts'
import { type Fulfillment, listParcels } from '../fulfillment/index.ts'
import { findLinkedOrder, type Order, type Payment } from '../orders/index.ts'
import { checkOpenPayment } from '../payments/index.ts'

/** The address of the page of an order (decision 163). */
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
  /** The payment on whose page the buyer can pay, or that its provider is processing. */
  open_payment: Payment | undefined
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
    open_payment: order.payments.find(isOpen),
  }
}

const isOpen = ({ status, provider }: Payment): boolean =>
  provider !== null && (status === 'pending' || status === 'processing')

/** Returns the order that an address names; undefined if there is none, or if its link was replaced. */
export async function findPage(
  app: App,
  { livemode, slug, token }: PageAddress,
): Promise<{ context: StoreContext; order: Order } | undefined> {
  const store = await selectSide(app.db, slug, { livemode })
  if (!store) return undefined
  const context = storeContextOf(app, store)
  const order = await findLinkedOrder(context, token)
  return order && { context, order }
}
