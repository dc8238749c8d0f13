import { storeRequest } from '../../api/action.ts'
import type { WebhookHealth } from '../../api/own.ts'
import type { ListedWebhook, SubscribedEvent, Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { formatDateTime, formatNumber } from '../../kit/format.ts'
import { State } from '../../kit/show.tsx'
import { toast } from '../../kit/toast.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'

export function useEventTypes() {
  const { data } = useRead(
    ['webhooks', 'types'],
    async ({ api }) => (await api.events.types()).types,
  )
  return data ?? []
}

type Type = ReturnType<typeof useEventTypes>[number]

export const webhookFields = (types: readonly Type[], of?: Webhook): readonly Field[] => [
  {
    name: 'url',
    label: webhooks.address,
    type: 'url',
    required: true,
    help: webhooks.addressHelp,
    value: of?.url,
  },
  { name: 'description', label: webhooks.purpose, value: of?.description },
  {
    name: 'all',
    label: webhooks.allEvents,
    type: 'checkbox',
    value: of === undefined || of.events.includes('*'),
  },
  {
    name: 'events',
    label: webhooks.events,
    type: 'checkboxes',
    options: types.map(({ type }) => ({ value: type, label: type })),
    value: of?.events.filter((event) => event !== '*') ?? [],
    when: ({ all }) => all !== true,
  },
]

export const webhookOf = ({ url, description, all, events }: Record<string, unknown>) => ({
  url: String(url ?? ''),
  description: description === undefined ? null : String(description),
  events: all === true ? (['*'] as SubscribedEvent[]) : ((events ?? []) as SubscribedEvent[]),
})

/** Shows the answer of the receiver. */
export function tellResult(answer: unknown) {
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

export const TestAction = ({ of, types }: { of: Webhook; types: readonly Type[] }) => (
  <Action
    label={webhooks.test}
    lead={<p>{webhooks.testLead}</p>}
    fields={[
      {
        name: 'type',
        label: webhooks.event,
        type: 'select',
        help: webhooks.firstEvent,
        options: types.map(({ type }) => ({ value: type, label: type })),
      },
    ]}
    submit={webhooks.test}
    onDone={tellResult}
    request={({ type }) =>
      storeRequest(
        'webhooks',
        'test',
        of.id,
        type === undefined ? {} : { type: type as Type['type'] },
      )
    }
  />
)

export const OnOff = ({ of: { enabled } }: { of: Webhook }) => (
  <State state={enabled ? 'on' : 'disabled'}>{enabled ? webhooks.on : webhooks.off}</State>
)

export const SwitchAction = ({ of }: { of: Webhook }) =>
  of.enabled ? (
    <Action
      key="off"
      label={webhooks.turnOff}
      lead={<p>{webhooks.turnOffLead}</p>}
      submit={webhooks.turnOff}
      request={() => storeRequest('webhooks', 'update', of.id, { enabled: false })}
    />
  ) : (
    <Action
      key="on"
      label={webhooks.turnOn}
      isPrimary
      lead={<p>{webhooks.turnOnLead}</p>}
      submit={webhooks.turnOn}
      request={() => storeRequest('webhooks', 'update', of.id, { enabled: true })}
    />
  )

/** The endpoint's failures and the forecast of its turn-off, for a list. */
export function forecastOf(of: Webhook, health: WebhookHealth | undefined): string {
  if (!of.enabled) {
    return of.disabled_reason === 'failures' ? webhooks.offFailures : webhooks.offManual
  }
  if (health === undefined) return '–'
  const { failures_in_row: n, failures_left, turns_off_at } = health
  if (n === 0) return webhooks.healthy
  const count =
    failures_left === 0
      ? fill(webhooks.failing, { n: formatNumber(n) })
      : fill(webhooks.failingOf, { n: formatNumber(n), limit: formatNumber(n + failures_left) })
  if (turns_off_at === null) return count
  return `${count} ${fill(webhooks.turnsOff, { at: formatDateTime(turns_off_at) })}`
}

export const eventsText = ({ events }: Pick<Webhook, 'events'>): string =>
  events.includes('*') ? webhooks.allEvents : events.join(', ')

export const weekOf = ({ stats }: ListedWebhook): string =>
  stats.total === 0
    ? common.none
    : fill(webhooks.weekOf, {
        succeeded: formatNumber(stats.succeeded),
        total: formatNumber(stats.total),
        pending: formatNumber(stats.pending),
        failed: formatNumber(stats.failed),
      })

export const addressText = (url: string): string => url.replace(/^https:\/\//, '')
