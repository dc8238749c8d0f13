import { useCounts } from '../../kit/counts.ts'
import { formatNumber } from '../../kit/format.ts'
import { Tabs } from '../../kit/tabs.tsx'
import { disputes } from '../../text/disputes.ts'
import { orderList } from '../../text/order-list.ts'

/** The list of orders and the disputes of their payments, with the number of those that are open. */
export function OrderTabs() {
  const count = useCounts()?.disputes ?? 0
  return (
    <Tabs
      label={orderList.title}
      tabs={[
        { to: '/orders', label: orderList.title },
        {
          to: '/disputes',
          label: count > 0 ? `${disputes.tab} (${formatNumber(count)})` : disputes.tab,
        },
      ]}
    />
  )
}
