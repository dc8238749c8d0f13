import { dashboardRequest } from '../../api/action.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { events } from '../../text/events.ts'
import { addressText, showReceiverAnswer } from './webhook-parts.tsx'

/** More than the endpoints that a store can have. */
const ENDPOINTS_MAX = 100

/** Sends an event to one endpoint of the store. */
export function SendEvent({ id }: { id: string }) {
  const { data } = useRead(
    ['webhooks', 'addresses'],
    async ({ api }) => (await api.webhooks.list({ limit: ENDPOINTS_MAX })).webhooks,
    { isOptional: true },
  )
  return (
    <Action
      label={events.send}
      lead={<p>{data?.length === 0 ? events.noEndpoint : events.sendLead}</p>}
      fields={[
        {
          name: 'webhook_id',
          label: events.endpoint,
          type: 'select',
          required: true,
          options: (data ?? []).map((webhook) => ({
            value: webhook.id,
            label: addressText(webhook.url),
          })),
        },
      ]}
      submit={events.send}
      onDone={showReceiverAnswer}
      request={(values) => dashboardRequest('events', 'POST', `/events/${id}/send`, values)}
    />
  )
}
