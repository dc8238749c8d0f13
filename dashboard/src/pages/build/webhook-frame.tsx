import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { webhooks } from '../../text/webhooks.ts'
import {
  addressText,
  EnabledState,
  SwitchAction,
  TestAction,
  useEventTypes,
} from './webhook-parts.tsx'

const TABS = [
  ['', webhooks.overview],
  ['/deliveries', webhooks.deliveries],
  ['/settings', webhooks.settings],
] as const

interface TabProps {
  webhook: Webhook
  isAllowed: boolean
}

interface WebhookTabProps {
  /** True if the tab itself has the action that turns the endpoint on. */
  hasTurnOnAction?: boolean
  children: (props: TabProps) => ReactNode
}

/** A tab of a webhook endpoint, below the head that all its tabs share. */
export function WebhookTab({ hasTurnOnAction = false, children }: WebhookTabProps) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('webhooks')
  const types = useEventTypes()
  const read = useRead(['webhooks', id], async ({ api }) => (await api.webhooks.get(id)).webhook)
  return (
    <Loaded read={read}>
      {(webhook) => (
        <Frame
          title={addressText(webhook.url)}
          parent={{ to: '/webhooks', label: webhooks.title }}
          lead={
            <>
              <EnabledState webhook={webhook} /> <Copy text={webhook.id} />
            </>
          }
          actions={
            isAllowed ? (
              <>
                {(webhook.enabled || !hasTurnOnAction) && <SwitchAction webhook={webhook} />}
                <TestAction webhook={webhook} types={types} />
              </>
            ) : (
              <NotAllowed area="webhooks" />
            )
          }
        >
          <Tabs
            label={addressText(webhook.url)}
            tabs={TABS.map(([path, label]) => ({ to: `/webhooks/${id}${path}`, label }))}
          />
          {children({ webhook, isAllowed })}
        </Frame>
      )}
    </Loaded>
  )
}
