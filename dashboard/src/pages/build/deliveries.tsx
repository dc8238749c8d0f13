import { useId, useState } from 'react'
import {
  type EventsDeliveriesQuery,
  type ListedWebhookDelivery,
  useRead,
  useStore,
} from '../../api/store.ts'
import { eventName, eventOptions } from '../../kit/event-name.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatDateTime, formatNumber, humanize } from '../../kit/format.ts'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { events } from '../../text/events.ts'
import { webhooks } from '../../text/webhooks.ts'
import { Duration, errorSentence, ResendAction } from './delivery-parts.tsx'
import { SignatureDoctor } from './signature-doctor.tsx'
import { addressText, useEventTypes } from './webhook-parts.tsx'

const STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled'] as const

const EVENT: Column<ListedWebhookDelivery> = {
  label: webhooks.event,
  show: ({ event }) => eventName(event.type),
  text: ({ event }) => event.type,
}

const STATUS: Column<ListedWebhookDelivery> = {
  label: common.status,
  show: ({ status, event }) => (
    <>
      <State state={status} /> {event.test && <State state="sample">{webhooks.sample}</State>}
    </>
  ),
  text: ({ status }) => humanize(status),
}

/** The code of an error in words. An error is a code and a sentence, such as `connection_refused: The …`. */
const errorWord = (error: string): string => humanize(/^([a-z_]+): /.exec(error)?.[1] ?? error)

const ANSWER: Column<ListedWebhookDelivery> = {
  label: webhooks.answer,
  show: ({ last_status_code, last_error }) =>
    last_status_code ??
    (last_error === null ? (
      '–'
    ) : (
      <span title={errorSentence(last_error)}>{errorWord(last_error)}</span>
    )),
  text: ({ last_status_code, last_error }) => last_status_code ?? last_error,
}

const HAPPENED: Column<ListedWebhookDelivery> = {
  label: webhooks.happened,
  isRightAligned: true,
  show: ({ created_at }) => <Time at={created_at} ago />,
  text: ({ created_at }) => created_at,
}

const COLUMNS: readonly Column<ListedWebhookDelivery>[] = [
  EVENT,
  STATUS,
  ANSWER,
  {
    label: webhooks.attempts,
    isExtra: true,
    isRightAligned: true,
    show: ({ attempts }) => formatNumber(attempts),
    text: ({ attempts }) => attempts,
  },
  {
    label: webhooks.duration,
    isExtra: true,
    isRightAligned: true,
    show: ({ last_duration_ms }) => <Duration ms={last_duration_ms} />,
    text: ({ last_duration_ms }) => last_duration_ms,
  },
  {
    label: webhooks.nextAttempt,
    isExtra: true,
    show: ({ next_attempt_at }) => <Time at={next_attempt_at} ago />,
    text: ({ next_attempt_at }) => next_attempt_at,
  },
  HAPPENED,
]

const ADDRESS: Column<ListedWebhookDelivery> = {
  label: webhooks.endpoint,
  show: ({ webhook }) => <span className="breakable">{addressText(webhook.url)}</span>,
  text: ({ webhook }) => webhook.url,
}

const PANEL = {
  path: '/events/deliveries',
  Panel: lazyPart(async () => (await import('./delivery-panel.tsx')).DeliveryPanel, 'opened'),
}

/** The deliveries of one endpoint, or of all endpoints. */
export function Deliveries({ webhookId }: { webhookId?: string }) {
  const isAllowed = useMayWrite('webhooks')
  const types = useEventTypes()
  const { id: store } = useStore()
  const [first, ...rest] = COLUMNS
  return (
    <List
      queryKey={['events', 'deliveries', webhookId ?? 'all']}
      label={webhooks.deliveries}
      columns={webhookId !== undefined || !first ? COLUMNS : [first, ADDRESS, ...rest]}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/events/deliveries/${id}`}
      panel={PANEL}
      filters={[
        {
          name: 'status',
          label: common.status,
          options: humanizedOptions(STATUSES),
        },
        {
          name: 'event_type',
          label: webhooks.event,
          options: eventOptions(types),
        },
        { name: 'event_id', label: webhooks.eventId },
        { name: 'created_from', label: webhooks.from, type: 'date' },
        { name: 'created_to', label: webhooks.to, type: 'date' },
      ]}
      empty={webhookId === undefined ? webhooks.noEvents : webhooks.noDeliveries}
      firstStep={{
        ...(webhookId === undefined && { link: { to: '/webhooks', label: webhooks.title } }),
        code: `npx tradepost webhooks trigger order.completed --store ${store}`,
      }}
      read={async ({ api }, query) => {
        const page = await api.events.deliveries({
          ...(query as unknown as EventsDeliveriesQuery),
          ...(webhookId !== undefined && { webhook_id: webhookId }),
        })
        return { rows: page.deliveries, ...page.pagination }
      }}
      {...(isAllowed && {
        rowActions: ({ id, webhook }: ListedWebhookDelivery) =>
          !webhook.deleted && <ResendAction id={id} />,
      })}
    />
  )
}

const NEWEST = 5
/** An event has at most this many deliveries. */
const DELIVERIES_OF_EVENT_MAX = 32

const newestOf = (webhookId: string) => ({ webhook_id: webhookId, limit: NEWEST })

/** The newest deliveries of an endpoint, with their answers. */
export const NewestDeliveries = ({ webhookId }: { webhookId: string }) => (
  <DeliveriesTable
    label={webhooks.lastAnswers}
    columns={[EVENT, STATUS, ANSWER, HAPPENED]}
    query={newestOf(webhookId)}
    empty={webhooks.noDeliveries}
  />
)

/** The signature doctor for one of the newest deliveries of an endpoint. */
export function EndpointDoctor({ webhookId }: { webhookId: string }) {
  const select = useId()
  const [chosen, setChosen] = useState<number>()
  const { data = [] } = useDeliveries(newestOf(webhookId))
  const id = chosen ?? data[0]?.id
  if (id === undefined) return null
  return (
    <SignatureDoctor key={id} id={id}>
      <div className="field">
        <label htmlFor={select}>{webhooks.examined}</label>
        <select id={select} value={id} onChange={({ target }) => setChosen(Number(target.value))}>
          {data.map((delivery) => (
            <option key={delivery.id} value={delivery.id}>
              {`${fill(webhooks.delivery, { id: delivery.id })} · ${eventName(delivery.event.type)} · ${formatDateTime(delivery.created_at)}`}
            </option>
          ))}
        </select>
      </div>
    </SignatureDoctor>
  )
}

/** The deliveries of an event to all endpoints. */
export const EventDeliveries = ({ eventId }: { eventId: string }) => (
  <DeliveriesTable
    label={webhooks.deliveries}
    columns={[ADDRESS, STATUS, ANSWER, HAPPENED]}
    query={{ event_id: eventId, limit: DELIVERIES_OF_EVENT_MAX }}
    empty={events.noDeliveries}
  />
)

interface DeliveriesTableProps {
  label: string
  columns: readonly Column<ListedWebhookDelivery>[]
  query: EventsDeliveriesQuery & { limit: number }
  empty: string
}

const useDeliveries = (query: DeliveriesTableProps['query']) =>
  useRead(
    ['events', 'deliveries', query],
    async ({ api }) => (await api.events.deliveries(query)).deliveries,
  )

/** A table of deliveries without pages. */
function DeliveriesTable({ label, columns, query, empty }: DeliveriesTableProps) {
  return (
    <LoadedTable
      read={useDeliveries(query)}
      skeletonRows={NEWEST}
      empty={empty}
      label={label}
      columns={columns}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/events/deliveries/${id}`}
    />
  )
}
