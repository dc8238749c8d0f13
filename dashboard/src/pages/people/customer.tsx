import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import type { Customer } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Money, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { orders } from '../../text/orders.ts'
import { CustomerLicenses, CustomerTickets } from './customer-records.tsx'

export function Page() {
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
          <div className="split">
            <div>
              <Orders customer={customer} />
              <CustomerLicenses customer={customer} />
              <CustomerTickets customer={customer} />
              <BalanceEntries customer={customer} />
            </div>
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

const Summary = ({ customer }: { customer: Customer }) => (
  <Section
    title={common.details}
    actions={customer.blocked && <Stamp state="blocked">{customers.blocked}</Stamp>}
  >
    <Facts
      of={[
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
        [customers.country, customer.country],
        [customers.tags, customer.tags.join(', ') || null],
        [common.note, customer.note],
      ]}
    />
  </Section>
)

function CustomerActions({ customer }: { customer: Customer }) {
  const { id, email, currency } = customer
  const isAllowed = useMayWrite('customers')
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
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
        submit={customers.change}
        request={({ amount_cents, reason }) =>
          storeRequest('customers', 'changeBalance', id, {
            amount_cents: Number(amount_cents),
            reason: String(reason ?? ''),
          })
        }
      />
      <Action
        label={common.edit}
        fields={[
          { name: 'name', label: common.name, value: customer.name },
          { name: 'note', label: common.note, type: 'textarea', value: customer.note },
        ]}
        submit={common.save}
        request={({ name, note }) =>
          storeRequest('customers', 'update', id, {
            name: name === undefined ? null : String(name),
            note: note === undefined ? null : String(note),
          })
        }
      />
      <BlockActions customer={customer} />
      <Action
        label={customers.merge}
        isDanger
        confirmName={email}
        lead={<p>{fill(customers.mergeLead, { email })}</p>}
        fields={[{ name: 'into', label: customers.mergeInto, type: 'number', required: true }]}
        submit={customers.merge}
        request={({ into }) => storeRequest('customers', 'merge', id, { into: Number(into) })}
      />
      <Action
        label={customers.erase}
        isDanger
        confirmName={email}
        lead={<p>{fill(customers.eraseLead, { n: customer.orders_count })}</p>}
        submit={customers.erase}
        request={() => storeRequest('customers', 'erase', id)}
      />
    </>
  )
}

function BlockActions({ customer: { id, email, blocked } }: { customer: Customer }) {
  if (blocked) {
    return (
      <Action
        label={customers.unblock}
        lead={<p>{fill(customers.unblockLead, { email })}</p>}
        submit={customers.unblock}
        request={() => storeRequest('customers', 'unblock', id)}
      />
    )
  }
  return (
    <Action
      label={orders.block}
      isDanger
      lead={<p>{fill(orders.blockLead, { email })}</p>}
      fields={[
        { name: 'note', label: common.reason },
        { name: 'block_ips', label: orders.blockAddresses, type: 'checkbox' },
      ]}
      submit={orders.block}
      request={({ note, block_ips }) =>
        storeRequest('customers', 'block', id, {
          ...(note !== undefined && { note: String(note) }),
          ...(block_ips === true && { block_ips: true }),
        })
      }
    />
  )
}

function Orders({ customer: { id } }: { customer: Customer }) {
  const read = useRead(
    ['orders', 'of customer', id],
    async ({ api }) => (await api.customers.listOrders(id, { limit: 25 })).orders,
  )
  return (
    <Section title={customers.ordersCount}>
      <Loaded read={read} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{customers.noOrders}</Empty>
          ) : (
            <Table
              label={customers.ordersCount}
              rows={rows}
              keyOf={(order) => order.id}
              hrefOf={(order) => `/orders/${order.id}`}
              columns={[
                { label: orders.number, show: ({ number }) => `#${number}` },
                { label: common.status, show: ({ status }) => <State state={status} /> },
                { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
                {
                  label: common.total,
                  isNumber: true,
                  show: ({ total_cents, currency }) => (
                    <Money cents={total_cents} currency={currency} />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

function BalanceEntries({ customer: { id, currency } }: { customer: Customer }) {
  const read = useRead(
    ['customers', id, 'balance entries'],
    async ({ api }) => (await api.customers.listBalanceEntries(id, { limit: 25 })).balance_entries,
  )
  return (
    <Section title={customers.entries}>
      <Loaded read={read} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{customers.noEntries}</Empty>
          ) : (
            <Table
              label={customers.entries}
              rows={rows}
              keyOf={(entry) => entry.id}
              columns={[
                { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
                { label: common.reason, show: ({ reason }) => reason },
                {
                  label: common.amount,
                  isNumber: true,
                  show: ({ amount_cents }) => <Money cents={amount_cents} currency={currency} />,
                },
                {
                  label: customers.balance,
                  isNumber: true,
                  show: ({ balance_cents }) => <Money cents={balance_cents} currency={currency} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
