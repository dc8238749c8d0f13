import {
  type PaymentMethod,
  type StoreContext,
  type Subscription,
  useRead,
} from '../../api/store.ts'
import { Link } from '../../kit/link.tsx'
import { once } from '../../kit/once.ts'
import { State } from '../../kit/show.tsx'
import { useStoreNow } from '../../kit/store-clock.ts'
import { fill, language } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { savedCards } from '../../text/saved-cards.ts'
import { LIVE } from './live-subscriptions.tsx'

/** The orders on hold of one customer that are read. */
const HELD_ORDERS_MAX = 100

/** The name of a saved card, such as `Visa ending in 4242`. */
export const cardText = ({ label, last4 }: PaymentMethod): string =>
  last4 === null ? label : fill(savedCards.ending, { label, last4 })

const monthFormat = once(
  () => new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', timeZone: 'UTC' }),
)

/** The month in which a card expires, with a mark once it has ended. */
export function Expiry({ card: { expires } }: { card: PaymentMethod }) {
  const month = new Date(useStoreNow()).toISOString().slice(0, 'yyyy-mm'.length)
  if (expires === null) return '–'
  return (
    <>
      {monthFormat().format(new Date(expires))}{' '}
      {expires < month && (
        <State state="expired" tone="failed">
          {savedCards.expired}
        </State>
      )}
    </>
  )
}

/** The saved cards of a customer, the newest first. */
export const useSavedCards = (
  customerId: number | undefined,
  options: { isOptional?: boolean } = {},
) =>
  useRead(
    ['customers', customerId, 'payment methods'],
    async ({ api }) =>
      customerId === undefined
        ? []
        : (await api.customers.listPaymentMethods(customerId)).payment_methods,
    { enabled: customerId !== undefined, ...options },
  )

export const readProviders = async ({ api }: StoreContext) =>
  (await api.account.listPaymentProviders()).payment_providers

/** The payment providers, of which each serves payment methods. */
export const useProviders = () =>
  useRead(['account', 'payment providers'], readProviders, { isOptional: true })

const OTHER_METHODS: Record<string, string> = {
  manual: savedCards.buyerPays,
  balance: savedCards.fromBalance,
}

/** The buyer of a subscription, and why the renewals of the buyer are not charged at the moment, if so. */
const useBuyer = ({ initial_invoice_id, payments }: Subscription) =>
  useRead(
    ['orders', 'buyer', initial_invoice_id],
    async ({ api }) => {
      const { id } = (await api.orders.get(initial_invoice_id)).order.customer
      const [{ customer }, { orders: held }] = await Promise.all([
        api.customers.get(id),
        api.orders.list({ customer_id: id, on_hold: true, limit: HELD_ORDERS_MAX }),
      ])
      const isHeld = held.some((order) =>
        payments.some(({ invoice_id }) => invoice_id === order.id),
      )
      return { id, isHeld, isBlocked: customer.blocked }
    },
    { isOptional: true },
  )

/** How the renewals of a subscription are paid: by which card, or what they wait for. */
export function RenewalPayment({ subscription }: { subscription: Subscription }) {
  const { auto_renewal, auto_renew, status } = subscription
  const isRenewed = auto_renew && LIVE.some((live) => live === status)
  const { data: buyer } = useBuyer(subscription)
  const { data: cards } = useSavedCards(buyer?.id, { isOptional: true })
  const { data: providers } = useProviders()
  const methodOf = auto_renewal?.provider
  const provider = providers?.find(({ methods }) => methods.some((name) => name === methodOf))
  if (!isRenewed) return savedCards.noRenewal
  if (!buyer || !providers || !cards) return common.counting
  if (buyer.isHeld) return savedCards.held
  if (buyer.isBlocked) return savedCards.customerBlocked
  if (!provider) return OTHER_METHODS[methodOf ?? ''] ?? savedCards.noCard
  if (provider.status === null) return savedCards.notConnected
  const card = cards.find((item) => item.is_default && item.provider === provider.provider)
  if (!card) return savedCards.noCard
  return (
    <>
      <Link to={`/customers/${buyer.id}/payment-methods`}>{cardText(card)}</Link> ·{' '}
      <Expiry card={card} />
    </>
  )
}
