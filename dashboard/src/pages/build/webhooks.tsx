import { storeRequest } from '../../api/action.ts'
import type { WebhookHealth, WebhookHours } from '../../api/dashboard.ts'
import { type ListedWebhook, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { BulkWork } from '../../kit/bulk.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { HourStrip } from './hour-strip.tsx'
import {
  addressText,
  EnabledState,
  eventsText,
  failuresText,
  SECRET_ENV,
  SwitchAction,
  TestAction,
  useEventTypes,
  webhookBodyOf,
  webhookFields,
  weekText,
} from './webhook-parts.tsx'

interface Row {
  webhook: ListedWebhook
  health: WebhookHealth | undefined
  hours: WebhookHours | undefined
  /** The first hour of `hours`. */
  from: string
}

/** From this number of failures in a row an endpoint counts among the records that need the team. */
const FAILING_MIN = 10

const isFailing = ({ webhook, health }: Row): boolean =>
  webhook.enabled
    ? (health?.failures_in_row ?? 0) >= FAILING_MIN
    : webhook.disabled_reason === 'failures'

const COLUMNS: readonly Column<Row>[] = [
  {
    label: webhooks.address,
    show: ({ webhook }) => addressText(webhook.url),
    text: ({ webhook }) => webhook.url,
  },
  {
    label: common.status,
    show: ({ webhook, health }) => (
      <>
        <EnabledState webhook={webhook} /> {failuresText(webhook, health)}
      </>
    ),
    text: ({ webhook }) => (webhook.enabled ? webhooks.on : webhooks.off),
  },
  {
    label: webhooks.week,
    show: ({ webhook, hours, from }) =>
      hours ? (
        <HourStrip
          label={addressText(webhook.url)}
          from={from}
          counts={hours}
          summary={weekText(webhook)}
        />
      ) : (
        weekText(webhook)
      ),
    text: ({ webhook }) => weekText(webhook),
  },
  {
    label: webhooks.purpose,
    show: ({ webhook }) => (
      <>
        {webhook.description} <span className="secondary-text">{eventsText(webhook)}</span>
      </>
    ),
    text: ({ webhook }) => webhook.description,
  },
]

const BULK: BulkWork<Row> = {
  area: 'webhooks',
  labelOf: ({ webhook }) => addressText(webhook.url),
  readAgain: async ({ api }, { webhook }) => ({
    webhook: { ...webhook, ...(await api.webhooks.get(webhook.id)).webhook },
  }),
  load: async () => (await import('./bulk-webhooks.ts')).WEBHOOK_ACTIONS,
}

export function Page() {
  const isAllowed = useMayWrite('webhooks')
  const types = useEventTypes()
  const { id: storeId } = useStore()
  return (
    <Frame title={webhooks.title} actions={<NewWebhook isAllowed={isAllowed} types={types} />}>
      <List
        queryKey={['webhooks']}
        label={webhooks.title}
        columns={COLUMNS}
        keyOf={({ webhook }) => webhook.id}
        hrefOf={({ webhook }) => `/webhooks/${webhook.id}`}
        bulk={BULK}
        views={[{ label: webhooks.failingStamp, query: { health: 'failing' } }]}
        empty={webhooks.empty}
        firstStep={{
          ...(isAllowed && { link: { to: '/webhooks#new', label: webhooks.add } }),
          code: `npx tradepost webhooks listen --store ${storeId} --forward http://127.0.0.1:3000`,
        }}
        read={async ({ api, readDashboard }, { health, ...query }) => {
          const [page, { endpoints }, { from, endpoints: hours }] = await Promise.all([
            api.webhooks.list(query),
            readDashboard<'webhooks.health'>('/webhook-health'),
            readDashboard<'webhooks.hours'>('/webhook-hours'),
          ])
          const rows = page.webhooks.map((webhook) => ({
            webhook,
            health: endpoints.find(({ id }) => id === webhook.id),
            hours: hours.find(({ id }) => id === webhook.id),
            from,
          }))
          if (health !== 'failing') return { rows, ...page.pagination }
          // A store has at most 20 endpoints, so all are on this page.
          return { rows: rows.filter(isFailing) }
        }}
        {...(isAllowed && {
          rowActions: ({ webhook }: Row) => (
            <>
              <TestAction webhook={webhook} types={types} />
              {!webhook.enabled && <SwitchAction webhook={webhook} />}
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
  if (!isAllowed) return <NotAllowed area="webhooks" />
  return (
    <Action
      label={webhooks.add}
      isPrimary
      fields={webhookFields(types)}
      submit={webhooks.add}
      secretOf={(answer) => (answer as { secret: string }).secret}
      envName={SECRET_ENV}
      request={(values) => storeRequest('webhooks', 'create', webhookBodyOf(values))}
    />
  )
}
