import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { addressText, OnOff, SwitchAction, TestAction, useEventTypes } from './webhook-parts.tsx'

const TABS = [
  ['', webhooks.overview],
  ['/deliveries', webhooks.deliveries],
  ['/settings', webhooks.settings],
] as const

interface TabProps {
  of: Webhook
  isAllowed: boolean
}

interface WebhookTabProps {
  /** True if the tab itself has the action that turns the endpoint on. */
  hasTurnOn?: boolean
  children: (props: TabProps) => ReactNode
}

/** A tab of a webhook endpoint, below the head that all of them share. */
export function WebhookTab({ hasTurnOn = false, children }: WebhookTabProps) {
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
              <OnOff of={webhook} /> <Copy text={webhook.id} />
            </>
          }
          actions={
            isAllowed ? (
              <>
                {(webhook.enabled || !hasTurnOn) && <SwitchAction of={webhook} />}
                <TestAction of={webhook} types={types} />
              </>
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <Tabs
            label={addressText(webhook.url)}
            tabs={TABS.map(([path, label]) => ({ to: `/webhooks/${id}${path}`, label }))}
          />
          {children({ of: webhook, isAllowed })}
        </Frame>
      )}
    </Loaded>
  )
}
