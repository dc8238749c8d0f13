import { type StoreContext, useRead } from '../../api/store.ts'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { blocklist } from '../../text/blocklist.ts'
import { common } from '../../text/common.ts'

/** The maximum number of refused calls that are read. */
const CALLS_MAX = 50
const SHOWN_ORDERS_MAX = 5

interface BlockedOrder {
  request_id: string
  at: string
  email: string | undefined
  ip: string | undefined
}

/** The newest orders that the blocklist refused, from the request log. */
async function readBlockedOrders({ api, readDashboard }: StoreContext): Promise<BlockedOrder[]> {
  const { calls } = await api.account.listCalls({
    operation: 'orders.create',
    status: '403',
    limit: CALLS_MAX,
  })
  const refusedCalls = calls.filter(({ error_code }) => error_code === 'CUSTOMER_BLOCKED')
  return Promise.all(
    refusedCalls.slice(0, SHOWN_ORDERS_MAX).map(async ({ request_id, created_at }) => {
      const { call } = await readDashboard<'request_log.get'>(`/request-log/${request_id}`)
      const body = call.request_body.content as Partial<{
        customer: { email?: string }
        ip: string
      }>
      return { request_id, at: created_at, email: body?.customer?.email, ip: body?.ip }
    }),
  )
}

export function BlockedOrders() {
  const read = useRead(['blocklist', 'blocked orders'], readBlockedOrders)
  return (
    <Section title={blocklist.blockedOrders}>
      <LoadedTable
        read={read}
        skeletonRows={2}
        empty={blocklist.noBlockedOrders}
        label={blocklist.blockedOrders}
        keyOf={({ request_id }) => request_id}
        hrefOf={({ request_id }) => `/request-log/${request_id}`}
        columns={[
          { label: common.email, show: ({ email }) => email ?? '–' },
          { label: blocklist.ip, show: ({ ip }) => ip ?? '–' },
          {
            label: common.created,
            isRightAligned: true,
            show: ({ at }) => <Time at={at} ago="machine" />,
          },
        ]}
      />
      <p className="secondary-text">{blocklist.blockedOrdersHelp}</p>
    </Section>
  )
}
