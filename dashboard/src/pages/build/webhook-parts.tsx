import { storeRequest } from '../../api/action.ts'
import type { WebhookHealth } from '../../api/dashboard.ts'
import type { ListedWebhook, SubscribedEvent, Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { eventName, eventOptions } from '../../kit/event-name.ts'
import type { Field } from '../../kit/fields.tsx'
import { formatDateTime, formatNumber } from '../../kit/format.ts'
import { State } from '../../kit/show.tsx'
import { toast } from '../../kit/toast.tsx'
import { listAnd } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'

/** The environment variable from which the samples of the documentation read a signing secret. */
export const SECRET_ENV = 'WEBHOOK_SECRET'

export function useEventTypes() {
  const { data } = useRead(
    ['webhooks', 'types'],
    async ({ api }) => (await api.events.types()).types,
    { isOptional: true },
  )
  return data ?? []
}

type EventType = ReturnType<typeof useEventTypes>[number]

export const webhookFields = (types: readonly EventType[], webhook?: Webhook): readonly Field[] => [
  {
    name: 'url',
    label: webhooks.address,
    type: 'url',
    required: true,
    help: webhooks.addressHelp,
    value: webhook?.url,
  },
  { name: 'description', label: webhooks.purpose, value: webhook?.description },
  {
    name: 'all',
    label: webhooks.allEvents,
    type: 'checkbox',
    value: webhook === undefined || webhook.events.includes('*'),
  },
  {
    name: 'events',
    label: webhooks.events,
    type: 'checkboxes',
    options: eventOptions(types),
    value: webhook?.events.filter((event) => event !== '*') ?? [],
    when: ({ all }) => all !== true,
  },
]

export const webhookBodyOf = ({ url, description, all, events }: Record<string, unknown>) => ({
  url: String(url ?? ''),
  description: description === undefined ? null : String(description),
  events: all === true ? (['*'] as SubscribedEvent[]) : ((events ?? []) as SubscribedEvent[]),
})

/** The changed fields of an endpoint, as the API takes them. */
export function webhookPatchOf(
  changed: Record<string, unknown>,
): Partial<ReturnType<typeof webhookBodyOf>> {
  const { url, description, events } = webhookBodyOf(changed)
  return {
    ...('url' in changed && { url }),
    ...('description' in changed && { description }),
    ...(('all' in changed || 'events' in changed) && { events }),
  }
}

/** Shows the answer of the receiver in a toast. */
export function showReceiverAnswer(answer: unknown) {
  const { result } = answer as {
    result: { ok: boolean; status_code: number | null; error: string | null; duration_ms: number }
  }
  toast(
    result.ok
      ? fill(webhooks.resultOk, {
          code: result.status_code ?? '',
          ms: formatNumber(result.duration_ms),
        })
      : fill(webhooks.resultFailed, { error: result.error ?? '' }),
  )
}

export const TestAction = ({
  webhook,
  types,
}: {
  webhook: Webhook
  types: readonly EventType[]
}) => (
  <Action
    label={webhooks.test}
    lead={<p>{webhooks.testLead}</p>}
    fields={[
      {
        name: 'type',
        label: webhooks.event,
        type: 'select',
        help: webhooks.firstEvent,
        options: eventOptions(types),
      },
    ]}
    submit={webhooks.test}
    onDone={showReceiverAnswer}
    request={({ type }) => ({
      ...storeRequest(
        'webhooks',
        'test',
        webhook.id,
        type === undefined ? {} : { type: type as EventType['type'] },
      ),
      command: `webhooks test ${webhook.id}${type === undefined ? '' : ` --type ${type}`}`,
    })}
  />
)

export const EnabledState = ({ webhook: { enabled } }: { webhook: Webhook }) => (
  <State state={enabled ? 'on' : 'disabled'}>{enabled ? webhooks.on : webhooks.off}</State>
)

export const SwitchAction = ({ webhook }: { webhook: Webhook }) =>
  webhook.enabled ? (
    <Action
      key="off"
      label={webhooks.turnOff}
      lead={<p>{webhooks.turnOffLead}</p>}
      submit={webhooks.turnOff}
      request={() => storeRequest('webhooks', 'update', webhook.id, { enabled: false })}
    />
  ) : (
    <Action
      key="on"
      label={webhooks.turnOn}
      isPrimary
      lead={<p>{webhooks.turnOnLead}</p>}
      submit={webhooks.turnOn}
      request={() => storeRequest('webhooks', 'update', webhook.id, { enabled: true })}
    />
  )

/** The failures of an endpoint in a row, and the time at which they turn it off. */
export function failuresText(webhook: Webhook, health: WebhookHealth | undefined): string {
  if (!webhook.enabled) {
    return webhook.disabled_reason === 'failures' ? webhooks.offFailures : webhooks.offManual
  }
  if (health === undefined) return '–'
  const { failures_in_row: n, failures_left, turns_off_at } = health
  if (n === 0) return health.last_success_at === null ? webhooks.unused : webhooks.healthy
  const count =
    failures_left === 0
      ? fill(webhooks.failing, { n: formatNumber(n) })
      : fill(webhooks.failingOf, { n: formatNumber(n), limit: formatNumber(n + failures_left) })
  if (turns_off_at === null) return count
  return `${count} ${fill(webhooks.turnsOff, { at: formatDateTime(turns_off_at) })}`
}

export const eventsText = ({ events }: Pick<Webhook, 'events'>): string =>
  events.includes('*') ? webhooks.allEvents : listAnd(events.map(eventName))

export const weekText = ({ stats }: ListedWebhook): string =>
  stats.total === 0
    ? common.none
    : fill(webhooks.weekOf, {
        succeeded: formatNumber(stats.succeeded),
        total: formatNumber(stats.total),
        pending: formatNumber(stats.pending),
        failed: formatNumber(stats.failed),
      })

export const addressText = (url: string): string => url.replace(/^https:\/\//, '')
