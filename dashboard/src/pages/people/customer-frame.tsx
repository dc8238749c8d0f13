import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { storeRequest } from '../../api/action.ts'
import type { Customer } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import type { FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney } from '../../kit/format.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Money, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { LONG_NOTE_MAX, NAME_MAX } from '../../kit/text-limits.ts'
import { countryCodes, countryName } from '../../kit/words.ts'
import { addresses } from '../../text/addresses.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { savedCards } from '../../text/saved-cards.ts'
import { subscriptions } from '../../text/subscriptions.ts'
import { EndedSubscriptions } from '../sell/live-subscriptions.tsx'
import { BlockActions } from './block-customer.tsx'
import { MergeCustomer } from './merge-customer.tsx'

const TABS = [
  ['', customers.ordersCount],
  ['/licenses', customers.licenses],
  ['/subscriptions', customers.subscriptions],
  ['/payment-methods', savedCards.title],
  ['/tickets', customers.tickets],
  ['/balance', customers.balance],
  ['/consent', customers.consent],
] as const

/** A tab of a customer, below the head that all its tabs share. */
export function CustomerTab({ children }: { children: (customer: Customer) => ReactNode }) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const number = Number(id)
  const read = useRead(
    ['customers', number],
    async ({ api }) => (await api.customers.get(number)).customer,
  )
  return (
    <Loaded read={read}>
      {(customer) => (
        <Frame
          title={customer.email}
          parent={{ to: '/customers', label: customers.title }}
          lead={customer.name}
          actions={<CustomerActions customer={customer} />}
        >
          <Tabs
            label={customer.email}
            tabs={TABS.map(([path, label]) => ({ to: `/customers/${id}${path}`, label }))}
          />
          <div className="split">
            <div>{children(customer)}</div>
            <div>
              <Summary customer={customer} />
              <Raw record={customer} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

export const Summary = ({ customer }: { customer: Customer }) => (
  <Section
    title={common.details}
    actions={customer.blocked && <Stamp state="blocked">{customers.blocked}</Stamp>}
  >
    <Facts
      rows={[
        [
          customers.spent,
          <Money key="spent" cents={customer.total_spent_cents} currency={customer.currency} />,
        ],
        [
          customers.balance,
          <Money key="balance" cents={customer.balance_cents} currency={customer.currency} />,
        ],
        [
          customers.average,
          <Money key="average" cents={customer.average_order_cents} currency={customer.currency} />,
        ],
        [customers.ordersCount, customer.orders_count],
        [customers.first, <Time key="first" at={customer.first_order_at} />],
        [customers.last, <Time key="last" at={customer.last_order_at} />],
        [customers.country, customer.country && countryName(customer.country)],
        [customers.tags, customer.tags.join(', ') || null],
        [common.note, customer.note],
      ]}
    />
  </Section>
)

export function CustomerActions({ customer }: { customer: Customer }) {
  const { id, email, currency } = customer
  const isAllowed = useMayWrite('customers')
  if (!isAllowed) return <NotAllowed area="customers" />
  if (customer.erased_at !== null) return null
  return (
    <>
      <Action
        label={customers.change}
        lead={<p>{customers.changeLead}</p>}
        fields={[
          { name: 'amount_cents', label: common.amount, type: 'money', currency, required: true },
          { name: 'reason', label: common.reason, required: true },
        ]}
        submit={({ amount_cents }) =>
          typeof amount_cents === 'number'
            ? fill(customers.changeBy, { amount: formatMoney(amount_cents, currency) })
            : customers.change
        }
        request={({ amount_cents, reason }) =>
          storeRequest('customers', 'changeBalance', id, {
            amount_cents: Number(amount_cents),
            reason: String(reason ?? ''),
          })
        }
      />
      <EditAction
        label={common.edit}
        record={customer}
        read={async ({ api }) => (await api.customers.get(id)).customer}
        fields={({ email, name, country, tags, note }) => [
          { name: 'email', label: common.email, type: 'email', required: true, value: email },
          { name: 'name', label: common.name, maxLength: NAME_MAX, value: name },
          {
            name: 'country',
            label: customers.country,
            help: addresses.countryHelp,
            value: country,
          },
          {
            name: 'tags',
            label: customers.tags,
            type: 'textarea',
            help: customers.tagsHelp,
            value: tags.join('\n'),
          },
          {
            name: 'note',
            label: common.note,
            type: 'textarea',
            maxLength: LONG_NOTE_MAX,
            value: note,
          },
        ]}
        request={(changed) => ({
          ...storeRequest('customers', 'update', id, patchOf(changed)),
          // An order tells whether mail reaches its customer.
          otherArea: 'orders',
        })}
      />
      <BlockActions customer={customer} isBlocked={customer.blocked} />
      <MergeCustomer customer={customer} />
      <Action
        label={customers.erase}
        isDanger
        confirmName={email}
        lead={
          <>
            <p>{fill(customers.eraseLead, { n: customer.orders_count })}</p>
            <EndedSubscriptions
              owner={{ customer_email: email }}
              text={subscriptions.endedByErasure}
            />
          </>
        }
        submit={customers.erase}
        request={() => storeRequest('customers', 'erase', id)}
      />
    </>
  )
}

/** The changed fields as the API takes them. */
function patchOf(changed: FormValues) {
  const { tags, country, ...others } = changed
  return {
    ...clearedAsNull(others),
    ...('tags' in changed && { tags: linesOf(tags) }),
    ...('country' in changed && { country: countryCodes(country)[0] ?? null }),
  }
}

const linesOf = (text: unknown): string[] => [
  ...new Set(
    String(text ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]
