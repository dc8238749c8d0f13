import type { StoreEvent } from '../../api/dashboard.ts'
import { useStore } from '../../api/store.ts'
import { eventName, eventOptions } from '../../kit/event-name.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { events } from '../../text/events.ts'
import { EventsFrame } from './events-frame.tsx'
import { SendEvent } from './send-event.tsx'
import { useEventTypes } from './webhook-parts.tsx'

const COLUMNS: readonly Column<StoreEvent>[] = [
  {
    label: events.type,
    show: ({ type, test }) => (
      <>
        {eventName(type)} <code className="beside">{type}</code>{' '}
        {test && <State state="sample">{events.sample}</State>}
      </>
    ),
    text: ({ type }) => type,
  },
  {
    label: events.record,
    show: ({ object_id }) => <code>{object_id}</code>,
    text: ({ object_id }) => object_id,
  },
  {
    label: events.deliveries,
    isRightAligned: true,
    show: ({ deliveries }) => formatNumber(deliveries),
    text: ({ deliveries }) => deliveries,
  },
  {
    label: events.happened,
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

export function Page() {
  const isAllowed = useMayWrite('webhooks')
  const types = useEventTypes()
  const { id: storeId } = useStore()
  return (
    <EventsFrame>
      <List
        queryKey={['events', 'recorded']}
        label={events.all}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/events/${id}`}
        filters={[
          {
            name: 'type',
            label: events.type,
            options: eventOptions(types),
          },
          { name: 'object_id', label: events.record },
        ]}
        empty={events.empty}
        firstStep={{
          link: { to: '/orders#new', label: events.firstOrder, area: 'orders' },
          code: `npx tradepost webhooks trigger order.completed --store ${storeId}`,
        }}
        read={async ({ readDashboard }, query) => {
          const page = await readDashboard<'webhooks.list_events'>('/events', query)
          return { rows: page.events, next_cursor: page.next_cursor }
        }}
        {...(isAllowed && { rowActions: ({ id }: StoreEvent) => <SendEvent id={id} /> })}
      />
    </EventsFrame>
  )
}
