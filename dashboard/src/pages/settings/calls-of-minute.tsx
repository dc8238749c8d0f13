import type { KeyMinute } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, Table } from '../../kit/list.tsx'
import { Section } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { system } from '../../text/system.ts'

const REFRESH_MS = 10_000

const COLUMNS: readonly Column<KeyMinute>[] = [
  {
    label: system.key,
    show: ({ id, name, last4 }) => <Link to={`/api-keys/${id}`}>{`${name} …${last4}`}</Link>,
  },
  { label: system.used, isRightAligned: true, show: ({ used }) => formatNumber(used) },
  { label: system.limit, isRightAligned: true, show: ({ limit }) => formatNumber(limit) },
]

/** The calls of each key in the past minute, and its limit. */
export function CallsOfMinute() {
  const read = useRead(
    ['account', 'minute'],
    ({ readDashboard }) => readDashboard<'request_log.minute'>('/calls-of-minute'),
    { refetchInterval: () => REFRESH_MS },
  )
  return (
    <Section title={system.minute}>
      <Loaded read={read} rows={2}>
        {({ keys, dashboard_limit }) =>
          keys.length === 0 ? (
            <Empty>{fill(system.noCalls, { n: formatNumber(dashboard_limit) })}</Empty>
          ) : (
            <Table label={system.minute} rows={keys} keyOf={({ id }) => id} columns={COLUMNS} />
          )
        }
      </Loaded>
    </Section>
  )
}
