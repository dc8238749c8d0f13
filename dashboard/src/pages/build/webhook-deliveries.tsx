import { Section } from '../../kit/show.tsx'
import { webhooks } from '../../text/webhooks.ts'
import { Deliveries } from './deliveries.tsx'
import { ReplayMissed } from './replay-missed.tsx'
import { ResendFailed } from './resend-failed.tsx'
import { WebhookTab } from './webhook-frame.tsx'

export const Page = () => (
  <WebhookTab>
    {({ webhook, isAllowed }) => (
      <Section
        title={webhooks.deliveries}
        actions={
          isAllowed &&
          webhook.enabled && (
            <>
              <ReplayMissed webhook={webhook} />
              <ResendFailed webhook={webhook} />
            </>
          )
        }
      >
        <Deliveries webhookId={webhook.id} />
      </Section>
    )}
  </WebhookTab>
)
