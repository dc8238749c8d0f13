import { ownRequest, storeRequest } from '../../api/action.ts'
import type { OwnAnswer } from '../../api/own.ts'
import type { Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { Copy, Facts, Section, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { StandardHeaders } from './standard-headers.tsx'
import { WebhookTab } from './webhook-frame.tsx'
import {
  addressText,
  eventsText,
  useEventTypes,
  webhookFields,
  webhookOf,
} from './webhook-parts.tsx'

export const Page = () => (
  <WebhookTab>
    {({ of, isAllowed }) => (
      <>
        <Section title={webhooks.settings} actions={isAllowed && <Edit of={of} />}>
          <Facts
            of={[
              [webhooks.address, <Copy key="address" text={of.url} label={webhooks.address} />],
              [webhooks.purpose, of.description],
              [webhooks.events, eventsText(of)],
              [common.created, <Time key="created" at={of.created_at} />],
              [common.updated, <Time key="updated" at={of.updated_at} />],
            ]}
          />
        </Section>
        <StandardHeaders of={of} isAllowed={isAllowed} />
        {isAllowed && <Secret of={of} />}
        {isAllowed && <Remove of={of} />}
      </>
    )}
  </WebhookTab>
)

function Edit({ of }: { of: Webhook }) {
  const types = useEventTypes()
  return (
    <Action
      label={common.edit}
      fields={webhookFields(types, of)}
      submit={common.save}
      request={(values) => storeRequest('webhooks', 'update', of.id, webhookOf(values))}
    />
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
  const lead = (
    <p>{fill(webhooks.removeLead, { n: data === undefined ? '…' : formatNumber(data) })}</p>
  )
  return (
    <Section title={webhooks.remove}>
      {lead}
      <Action
        label={common.delete}
        title={webhooks.remove}
        isDanger
        confirmName={addressText(of.url)}
        lead={lead}
        submit={webhooks.remove}
        request={() => leaving(storeRequest('webhooks', 'delete', of.id), '/webhooks')}
      />
    </Section>
  )
}
