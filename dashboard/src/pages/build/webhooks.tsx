import { storeRequest } from '../../api/action.ts'
import type { OwnAnswer, WebhookHealth, WebhookHours } from '../../api/own.ts'
import type { ListedWebhook } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { HourStrip } from './hour-strip.tsx'
import {
  addressText,
  eventsText,
  forecastOf,
  OnOff,
  SwitchAction,
  TestAction,
  useEventTypes,
  webhookFields,
  webhookOf,
  weekOf,
} from './webhook-parts.tsx'

interface Row {
  webhook: ListedWebhook
  health: WebhookHealth | undefined
  hours: WebhookHours | undefined
  from: string
}

const COLUMNS: readonly Column<Row>[] = [
  {
    label: webhooks.address,
    show: ({ webhook }) => addressText(webhook.url),
    text: ({ webhook }) => webhook.url,
  },
  {
    label: webhooks.purpose,
    show: ({ webhook }) => webhook.description ?? '–',
    text: ({ webhook }) => webhook.description,
  },
  {
    label: common.status,
    show: ({ webhook }) => <OnOff of={webhook} />,
    text: ({ webhook }) => (webhook.enabled ? 'on' : 'off'),
  },
  { label: webhooks.forecast, show: ({ webhook, health }) => forecastOf(webhook, health) },
  {
    label: webhooks.week,
    show: ({ webhook, hours, from }) =>
      hours ? (
        <HourStrip label={addressText(webhook.url)} from={from} of={hours} />
      ) : (
        weekOf(webhook)
      ),
    text: ({ webhook }) => weekOf(webhook),
  },
  {
    label: webhooks.events,
    show: ({ webhook }) => eventsText(webhook),
    text: ({ webhook }) => eventsText(webhook),
  },
]

export function Page() {
  const isAllowed = useMayWrite('webhooks')
  const types = useEventTypes()
  return (
    <Frame title={webhooks.title} actions={<NewWebhook isAllowed={isAllowed} types={types} />}>
      <List
        name={['webhooks']}
        label={webhooks.title}
        columns={COLUMNS}
        keyOf={({ webhook }) => webhook.id}
        hrefOf={({ webhook }) => `/webhooks/${webhook.id}`}
        empty={webhooks.empty}
        read={async ({ api, own }, query) => {
          const [page, { endpoints }, { from, endpoints: hours }] = await Promise.all([
            api.webhooks.list(query),
            own<OwnAnswer<'webhooks.health'>>('GET', '/webhook-health'),
            own<OwnAnswer<'webhooks.hours'>>('GET', '/webhook-hours'),
          ])
          return {
            rows: page.webhooks.map((webhook) => ({
              webhook,
              health: endpoints.find(({ id }) => id === webhook.id),
              hours: hours.find(({ id }) => id === webhook.id),
              from,
            })),
            ...page.pagination,
          }
        }}
        {...(isAllowed && {
          rowActions: ({ webhook }: Row) => (
            <>
              <TestAction of={webhook} types={types} />
              {!webhook.enabled && <SwitchAction of={webhook} />}
            </>
          ),
        })}
      />
    </Frame>
  )
}

function NewWebhook({
  isAllowed,
  types,
}: {
  isAllowed: boolean
  types: ReturnType<typeof useEventTypes>
}) {
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
  return (
    <Action
      label={webhooks.add}
      isPrimary
      fields={webhookFields(types)}
      submit={webhooks.add}
      secretOf={(answer) => (answer as { secret: string }).secret}
      request={(values) => storeRequest('webhooks', 'create', webhookOf(values))}
    />
  )
}
