import { storeRequest } from '../../api/action.ts'
import type { Webhook } from '../../api/store.ts'
import type { BulkAction } from '../../kit/bulk.ts'
import { bulkWebhooks } from '../../text/bulk-webhooks.ts'

/** The actions on several webhook endpoints. */
export const WEBHOOK_ACTIONS: readonly BulkAction<{ webhook: Webhook }>[] = [
  {
    title: bulkWebhooks.turnOff,
    lead: bulkWebhooks.turnOffLead,
    isDanger: true,
    appliesTo: ({ webhook }) => webhook.enabled,
    request: ({ webhook }) => storeRequest('webhooks', 'update', webhook.id, { enabled: false }),
  },
  {
    title: bulkWebhooks.turnOn,
    lead: bulkWebhooks.turnOnLead,
    appliesTo: ({ webhook }) => !webhook.enabled,
    request: ({ webhook }) => storeRequest('webhooks', 'update', webhook.id, { enabled: true }),
  },
]
