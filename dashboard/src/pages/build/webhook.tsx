import { useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Link, useHref } from '../../kit/link.tsx'
import { Section } from '../../kit/show.tsx'
import { webhooks } from '../../text/webhooks.ts'
import { NewestDeliveries } from './deliveries.tsx'
import { Health } from './webhook-forecast.tsx'
import { WebhookTab } from './webhook-frame.tsx'

export function Page() {
  useFormerAddress()
  return (
    <WebhookTab hasTurnOn>
      {({ of, isAllowed }) => (
        <>
          <Health of={of} isAllowed={isAllowed} />
          <Section
            title={webhooks.lastAnswers}
            actions={<Link to={`/webhooks/${of.id}/deliveries`}>{webhooks.allDeliveries}</Link>}
          >
            <NewestDeliveries webhookId={of.id} />
          </Section>
        </>
      )}
    </WebhookTab>
  )
}

/** The filters of deliveries stood in this address before they had a tab; such a link opens the tab. */
function useFormerAddress() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const router = useRouter()
  const hrefOf = useHref()
  // While another page is loaded, the location is that page's already.
  const filters = useRouterState({
    select: ({ location }) =>
      hrefOf(`/webhooks/${id}`).endsWith(location.pathname) ? location.searchStr : '',
  })
  const former = filters && hrefOf(`/webhooks/${id}/deliveries${filters}`)
  useEffect(() => {
    if (former) router.history.replace(former)
  }, [former, router])
}
