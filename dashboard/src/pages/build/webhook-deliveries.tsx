import { Section } from '../../kit/show.tsx'
import { webhooks } from '../../text/webhooks.ts'
import { Deliveries } from './deliveries.tsx'
import { ResendFailed } from './resend-failed.tsx'
import { WebhookTab } from './webhook-frame.tsx'

export const Page = () => (
  <WebhookTab>
    {({ of, isAllowed }) => (
      <Section
        title={webhooks.deliveries}
        actions={isAllowed && of.enabled && <ResendFailed of={of} />}
      >
        <Deliveries webhookId={of.id} />
      </Section>
    )}
  </WebhookTab>
)
