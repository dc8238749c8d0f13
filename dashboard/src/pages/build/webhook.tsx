import { useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Link, useHref } from '../../kit/link.tsx'
import { Section } from '../../kit/show.tsx'
import { webhooks } from '../../text/webhooks.ts'
import { EndpointDoctor, NewestDeliveries } from './deliveries.tsx'
import { Health } from './webhook-forecast.tsx'
import { WebhookTab } from './webhook-frame.tsx'

export function Page() {
  useFormerLinkRedirect()
  return (
    <WebhookTab hasTurnOnAction>
      {({ webhook, isAllowed }) => (
        <>
          <Health webhook={webhook} isAllowed={isAllowed} />
          <Section
            title={webhooks.lastAnswers}
            actions={
              <Link to={`/webhooks/${webhook.id}/deliveries`}>{webhooks.allDeliveries}</Link>
            }
          >
            <NewestDeliveries webhookId={webhook.id} />
          </Section>
          {isAllowed && <EndpointDoctor webhookId={webhook.id} />}
        </>
      )}
    </WebhookTab>
  )
}

/**
 * Opens the tab of deliveries for former links: the filters of deliveries were once part of this
 * address.
 */
function useFormerLinkRedirect() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const router = useRouter()
  const hrefOf = useHref()
  // While another page loads, the location already belongs to that page.
  const filters = useRouterState({
    select: ({ location }) =>
      hrefOf(`/webhooks/${id}`).endsWith(location.pathname) ? location.searchStr : '',
  })
  const deliveriesHref = filters && hrefOf(`/webhooks/${id}/deliveries${filters}`)
  useEffect(() => {
    if (deliveriesHref) router.history.replace(deliveriesHref)
  }, [deliveriesHref, router])
}
