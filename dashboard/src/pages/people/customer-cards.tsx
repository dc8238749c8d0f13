import { storeRequest } from '../../api/action.ts'
import type { Customer, ListedSubscription, PaymentMethod, StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Consequence } from '../../kit/consequence.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, formatNumber, humanize } from '../../kit/format.ts'
import { Section, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { fill } from '../../text/catalogue.ts'
import { savedCards } from '../../text/saved-cards.ts'
import { LIVE } from '../sell/live-subscriptions.tsx'
import { cardText, Expiry, readProviders, useSavedCards } from '../sell/saved-card.tsx'
import { providerName } from '../settings/payment-parts.ts'
import { CustomerTab } from './customer-frame.tsx'

export const Page = () => <CustomerTab>{(customer) => <Cards customer={customer} />}</CustomerTab>

function Cards({ customer }: { customer: Customer }) {
  const isAllowed = useMayWrite('customers')
  const read = useSavedCards(customer.id)
  return (
    <Section title={savedCards.title}>
      <Loaded read={read}>
        {(cards) =>
          cards.length === 0 ? (
            <Empty>{savedCards.empty}</Empty>
          ) : (
            <Table
              label={savedCards.title}
              rows={cards}
              keyOf={({ id }) => id}
              columns={[
                { label: savedCards.card, show: cardText },
                { label: savedCards.expires, show: (card) => <Expiry card={card} /> },
                {
                  label: savedCards.renewals,
                  show: ({ is_default }) =>
                    is_default ? <State state="active">{savedCards.used}</State> : '–',
                },
                { label: savedCards.savedAt, show: ({ created_at }) => <Time at={created_at} /> },
              ]}
              {...(isAllowed && {
                rowActions: (card: PaymentMethod) => <RemoveCard {...{ customer, card, cards }} />,
              })}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

interface RemoveProps {
  customer: Customer
  card: PaymentMethod
  cards: readonly PaymentMethod[]
}

function RemoveCard({ customer, card, cards }: RemoveProps) {
  const { provider, is_default } = card
  const nextCard = cards.find(({ id, provider: other }) => id !== card.id && other === provider)
  return (
    <Action
      label={savedCards.remove}
      title={fill(savedCards.removeTitle, { card: cardText(card) })}
      isDanger
      lead={
        <>
          <p>{fill(savedCards.removeLead, { provider: providerName(provider) })}</p>
          {is_default ? (
            <Consequence
              queryKey={['subscriptions', 'paid by card', customer.id, provider]}
              read={(store) => readPaid(store, customer, provider)}
            >
              {(paid) => <Affected paid={paid} nextCard={nextCard} />}
            </Consequence>
          ) : (
            <p>{savedCards.notUsed}</p>
          )}
        </>
      }
      submit={savedCards.removeCard}
      request={() => storeRequest('customers', 'deletePaymentMethod', customer.id, card.id)}
    />
  )
}

const SHOWN_MAX = 10

/** The subscriptions of a customer that are renewed and charged through the provider. */
async function readPaid(
  store: StoreContext,
  { email }: Customer,
  provider: string,
): Promise<readonly ListedSubscription[]> {
  const [providers, page] = await Promise.all([
    readProviders(store),
    store.api.subscriptions.list({ customer_email: email, status: [...LIVE], limit: 100 }),
  ])
  const methods: readonly string[] =
    providers.find((item) => item.provider === provider)?.methods ?? []
  return page.subscriptions.filter(
    ({ auto_renew, auto_renewal }) =>
      auto_renew && auto_renewal !== null && methods.includes(auto_renewal.provider),
  )
}

interface AffectedProps {
  paid: readonly ListedSubscription[]
  nextCard: PaymentMethod | undefined
}

/** The subscriptions whose renewals the removed card would have paid. */
function Affected({ paid, nextCard }: AffectedProps) {
  if (paid.length === 0) return savedCards.none
  const more = paid.length - SHOWN_MAX
  return (
    <>
      {nextCard ? fill(savedCards.next, { card: cardText(nextCard) }) : savedCards.wait}
      <br />
      {paid.slice(0, SHOWN_MAX).map(({ id, product, ...subscription }) => (
        <span key={id}>
          {fill(savedCards.priced, {
            product: product.name,
            amount: formatMoney(subscription.recurring_price_cents, subscription.currency),
            cycle: humanize(subscription.billing_cycle).toLocaleLowerCase(),
          })}
          <br />
        </span>
      ))}
      {more > 0 && fill(savedCards.more, { n: formatNumber(more) })}
    </>
  )
}
