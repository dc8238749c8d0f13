import type { ReactNode } from 'react'
import type { Customer } from '../../api/store.ts'
import { type StoreContext, useRead } from '../../api/store.ts'
import { type Column, Table } from '../../kit/list.tsx'
import { Section, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'

const SHOWN = 25

/** A record of a customer, in a list that leads to it. */
interface RecordRow {
  key: string
  href: string
  name: ReactNode
  state: string
  at: string
}

const COLUMNS: readonly Column<RecordRow>[] = [
  { label: common.name, show: ({ name }) => name },
  { label: common.status, show: ({ state }) => <State state={state} /> },
  { label: common.created, show: ({ at }) => <Time at={at} /> },
]

interface RecordsProps {
  /** The area of the records, and the customer. */
  name: readonly string[]
  title: string
  empty: string
  read(store: StoreContext): Promise<RecordRow[]>
}

function Records({ name, title, empty, read }: RecordsProps) {
  const rows = useRead(name, read)
  return (
    <Section title={title}>
      <Loaded read={rows} rows={2}>
        {(records) =>
          records.length === 0 ? (
            <Empty>{empty}</Empty>
          ) : (
            <Table
              label={title}
              rows={records}
              columns={COLUMNS}
              keyOf={({ key }) => key}
              hrefOf={({ href }) => href}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

/** The license keys of a customer, the newest first. */
export const CustomerLicenses = ({ customer: { id, email } }: { customer: Customer }) => (
  <Records
    name={['licenseKeys', 'of customer', String(id)]}
    title={customers.licenses}
    empty={customers.noLicenses}
    read={async ({ security }) => {
      const { keys } = await security.licenseKeys.list({ customer_email: email, limit: SHOWN })
      return keys.map((key) => ({
        key: String(key.id),
        href: `/license-keys/${key.id}`,
        name: <code>…{key.key_preview}</code>,
        state: key.status,
        at: key.created_at,
      }))
    }}
  />
)

/** The tickets of a customer, the newest first. */
export const CustomerTickets = ({ customer: { id, email } }: { customer: Customer }) => (
  <Records
    name={['tickets', 'of customer', String(id)]}
    title={customers.tickets}
    empty={customers.noTickets}
    read={async ({ api }) => {
      const { tickets } = await api.tickets.list({ email, limit: SHOWN })
      return tickets.map((ticket) => ({
        key: String(ticket.id),
        href: `/tickets/${ticket.id}`,
        name: ticket.subject,
        state: ticket.status,
        at: ticket.created_at,
      }))
    }}
  />
)
