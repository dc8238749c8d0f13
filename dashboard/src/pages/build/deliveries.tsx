import { storeRequest } from '../../api/action.ts'
import type { EventsDeliveriesQuery, ListedWebhookDelivery } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { type Column, List, Table } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { addressText, tellResult, useEventTypes } from './webhook-parts.tsx'

const STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled'] as const

export const ResendAction = ({ id }: { id: number }) => (
  <Action
    label={webhooks.resend}
    lead={<p>{webhooks.resendLead}</p>}
    submit={webhooks.resend}
    onDone={tellResult}
    request={() => storeRequest('events', 'resend', id)}
  />
)

export const Duration = ({ ms }: { ms: number | null }) =>
  ms === null ? '–' : fill(webhooks.ms, { n: formatNumber(ms) })

const EVENT: Column<ListedWebhookDelivery> = {
  label: webhooks.event,
  show: ({ event }) => event.type,
  text: ({ event }) => event.type,
}

const STATUS: Column<ListedWebhookDelivery> = {
  label: common.status,
  show: ({ status, event }) => (
    <>
      <State state={status} /> {event.test && <State state="sample">{webhooks.sample}</State>}
    </>
  ),
  text: ({ status }) => status,
}

const ANSWER: Column<ListedWebhookDelivery> = {
  label: webhooks.answer,
  show: ({ last_status_code, last_error }) => last_status_code ?? last_error ?? '–',
  text: ({ last_status_code, last_error }) => last_status_code ?? last_error,
}

const HAPPENED: Column<ListedWebhookDelivery> = {
  label: webhooks.happened,
  isNumber: true,
  show: ({ created_at }) => <Time at={created_at} ago />,
  text: ({ created_at }) => created_at,
}

const COLUMNS: readonly Column<ListedWebhookDelivery>[] = [
  EVENT,
  STATUS,
  ANSWER,
  {
    label: webhooks.attempts,
    isNumber: true,
    show: ({ attempts }) => formatNumber(attempts),
    text: ({ attempts }) => attempts,
  },
  {
    label: webhooks.duration,
    isNumber: true,
    show: ({ last_duration_ms }) => <Duration ms={last_duration_ms} />,
    text: ({ last_duration_ms }) => last_duration_ms,
  },
  {
    label: webhooks.nextAttempt,
    show: ({ next_attempt_at }) => <Time at={next_attempt_at} ago />,
    text: ({ next_attempt_at }) => next_attempt_at,
  },
  HAPPENED,
]

const ADDRESS: Column<ListedWebhookDelivery> = {
  label: webhooks.endpoint,
  show: ({ webhook }) => addressText(webhook.url),
  text: ({ webhook }) => webhook.url,
}

/** Deliveries of an endpoint, or of all of them. */
export function Deliveries({ webhookId }: { webhookId?: string }) {
  const isAllowed = useMayWrite('webhooks')
  const types = useEventTypes()
  const [first, ...rest] = COLUMNS
  return (
    <List
      name={['events', 'deliveries', webhookId ?? 'all']}
      label={webhooks.deliveries}
      columns={webhookId !== undefined || !first ? COLUMNS : [first, ADDRESS, ...rest]}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/events/deliveries/${id}`}
      filters={[
        {
          name: 'status',
          label: common.status,
          options: STATUSES.map((value) => ({ value, label: humanize(value) })),
        },
        {
          name: 'event_type',
          label: webhooks.event,
          options: types.map(({ type }) => ({ value: type, label: type })),
        },
        { name: 'event_id', label: webhooks.eventId },
        { name: 'created_from', label: webhooks.from, type: 'date' },
        { name: 'created_to', label: webhooks.to, type: 'date' },
      ]}
      empty={webhookId === undefined ? webhooks.noEvents : webhooks.noDeliveries}
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

/** The newest deliveries of an endpoint, with their answers. */
export function NewestDeliveries({ webhookId }: { webhookId: string }) {
  const read = useRead(['events', 'newest of', webhookId], async ({ api }) => {
    const page = await api.events.deliveries({ webhook_id: webhookId, limit: NEWEST })
    return page.deliveries
  })
  return (
    <Loaded read={read} rows={NEWEST}>
      {(deliveries) =>
        deliveries.length === 0 ? (
          <Empty>{webhooks.noDeliveries}</Empty>
        ) : (
          <Table
            label={webhooks.lastAnswers}
            columns={[EVENT, STATUS, ANSWER, HAPPENED]}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/events/deliveries/${id}`}
            rows={deliveries}
          />
        )
      }
    </Loaded>
  )
}
