import { useParams } from '@tanstack/react-router'
import { ownRequest, storeRequest } from '../../api/action.ts'
import type { OwnAnswer } from '../../api/own.ts'
import type { Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { Deliveries } from './deliveries.tsx'
import { ResendFailed } from './resend-failed.tsx'
import {
  addressText,
  forecastOf,
  SwitchAction,
  TestAction,
  useEventTypes,
  webhookFields,
  webhookOf,
} from './webhook-parts.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('webhooks')
  const read = useRead(['webhooks', id], async ({ api }) => (await api.webhooks.get(id)).webhook)
  return (
    <Loaded read={read}>
      {(webhook) => (
        <Frame
          title={addressText(webhook.url)}
          parent={{ to: '/webhooks', label: webhooks.title }}
          lead={<Copy text={webhook.id} />}
          actions={
            isAllowed ? (
              <Actions of={webhook} />
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <div className="split">
            <Health of={webhook} />
            {isAllowed && <Secret of={webhook} />}
          </div>
          <Section
            title={webhooks.deliveries}
            actions={isAllowed && webhook.enabled && <ResendFailed of={webhook} />}
          >
            <Deliveries webhookId={webhook.id} />
          </Section>
        </Frame>
      )}
    </Loaded>
  )
}

function Actions({ of }: { of: Webhook }) {
  const types = useEventTypes()
  return (
    <>
      <SwitchAction of={of} />
      <TestAction of={of} types={types} />
      <Action
        label={common.edit}
        fields={webhookFields(types, of)}
        submit={common.save}
        request={(values) => storeRequest('webhooks', 'update', of.id, webhookOf(values))}
      />
      <Remove of={of} />
    </>
  )
}

function Remove({ of }: { of: Webhook }) {
  const leaving = useLeaving()
  const { data } = useRead(['events', 'waiting for', of.id], async ({ api }) => {
    const { pagination } = await api.events.deliveries({
      webhook_id: of.id,
      status: ['pending', 'delivering'],
      limit: 1,
    })
    return pagination.total
  })
  return (
    <Action
      label={common.delete}
      title={webhooks.remove}
      isDanger
      confirmName={addressText(of.url)}
      lead={
        <p>{fill(webhooks.removeLead, { n: data === undefined ? '…' : formatNumber(data) })}</p>
      }
      submit={webhooks.remove}
      request={() => leaving(storeRequest('webhooks', 'delete', of.id), '/webhooks')}
    />
  )
}

function Health({ of }: { of: Webhook }) {
  const read = useRead(['webhooks', of.id, 'health'], async ({ own }) => {
    const { endpoints } = await own<OwnAnswer<'webhooks.health'>>('GET', '/webhook-health')
    return endpoints.find(({ id }) => id === of.id) ?? null
  })
  return (
    <Section
      title={webhooks.forecast}
      actions={
        <Stamp state={of.enabled ? 'on' : 'disabled'}>
          {of.enabled ? webhooks.on : webhooks.off}
        </Stamp>
      }
    >
      <Loaded read={read} rows={2}>
        {(health) => (
          <>
            <p>{forecastOf(of, health ?? undefined)}</p>
            <Facts
              of={[
                [webhooks.purpose, of.description ?? undefined],
                [
                  webhooks.events,
                  of.events.includes('*') ? webhooks.allEvents : of.events.join(', '),
                ],
                [
                  webhooks.lastSuccess,
                  health ? <Time key="success" at={health.last_success_at} ago /> : undefined,
                ],
                [common.created, <Time key="created" at={of.created_at} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  )
}

const rollRequest = (of: Webhook, mode: 'now' | 'overlap') =>
  ownRequest('webhooks', 'POST', `/webhooks/${of.id}/roll-secret`, { mode })
const secretOf = (answer: unknown) => (answer as OwnAnswer<'webhooks.roll_secret'>).secret

/** Neither choice is made for the seller, so that both look the same. */
const Secret = ({ of }: { of: Webhook }) => (
  <Section title={webhooks.secret}>
    <p>{webhooks.secretLead}</p>
    <div className="actions">
      <Action
        label={webhooks.rollNow}
        lead={<p>{webhooks.rollNowLead}</p>}
        submit={webhooks.rollNow}
        secretOf={secretOf}
        request={() => rollRequest(of, 'now')}
      />
      <Action
        label={webhooks.rollOverlap}
        lead={<p>{webhooks.rollOverlapLead}</p>}
        submit={webhooks.rollOverlap}
        secretOf={secretOf}
        request={() => rollRequest(of, 'overlap')}
      />
    </div>
  </Section>
)
