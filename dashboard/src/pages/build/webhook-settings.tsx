import { dashboardRequest, storeRequest } from '../../api/action.ts'
import type { DashboardAnswer } from '../../api/dashboard.ts'
import { type StoreContext, useRead, type Webhook } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Copy, Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { countText } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { StandardHeaders } from './standard-headers.tsx'
import { WebhookTab } from './webhook-frame.tsx'
import {
  addressText,
  eventsText,
  SECRET_ENV,
  useEventTypes,
  webhookFields,
  webhookPatchOf,
} from './webhook-parts.tsx'

export const Page = () => (
  <WebhookTab>
    {({ webhook, isAllowed }) => (
      <>
        <Section title={webhooks.settings} actions={isAllowed && <Edit webhook={webhook} />}>
          <Facts
            rows={[
              [
                webhooks.address,
                <Copy key="address" text={webhook.url} label={webhooks.address} />,
              ],
              [webhooks.purpose, webhook.description],
              [webhooks.events, eventsText(webhook)],
              [common.created, <Time key="created" at={webhook.created_at} />],
              [common.updated, <Time key="updated" at={webhook.updated_at} />],
            ]}
          />
        </Section>
        <StandardHeaders webhook={webhook} isAllowed={isAllowed} />
        {isAllowed && <Secret webhook={webhook} />}
        {isAllowed && <Remove webhook={webhook} />}
      </>
    )}
  </WebhookTab>
)

function Edit({ webhook }: { webhook: Webhook }) {
  const types = useEventTypes()
  return (
    <EditAction
      label={common.edit}
      record={webhook}
      read={async ({ api }) => (await api.webhooks.get(webhook.id)).webhook}
      fields={(current) => webhookFields(types, current)}
      request={(changed) => storeRequest('webhooks', 'update', webhook.id, webhookPatchOf(changed))}
    />
  )
}

const rollRequest = (webhook: Webhook, mode: 'now' | 'overlap') =>
  dashboardRequest('webhooks', 'POST', `/webhooks/${webhook.id}/roll-secret`, { mode })
const secretOf = (answer: unknown) => (answer as DashboardAnswer<'webhooks.roll_secret'>).secret

/** The last characters of the signing secrets, so that a seller can recognise the receiver's copy. */
function SecretEnds({ webhook }: { webhook: Webhook }) {
  const read = useRead(['webhooks', webhook.id, 'secret'], async ({ readDashboard }) => {
    const path = `/webhooks/${webhook.id}/secret-end`
    return (await readDashboard<'webhooks.show_secret'>(path)).secret
  })
  return (
    <Loaded read={read} rows={2}>
      {({ last4, signs_since, old }) => (
        <Facts
          rows={[
            [webhooks.secret, <code key="end">{`…${last4}`}</code>],
            [webhooks.signsSince, <Time key="since" at={signs_since} />],
            [
              webhooks.oldSecret,
              old
                ? fill(webhooks.oldSecretUntil, {
                    end: `…${old.last4}`,
                    at: formatDateTime(old.until),
                  })
                : undefined,
            ],
          ]}
        />
      )}
    </Loaded>
  )
}

/** Both buttons look the same, because neither choice is recommended. */
const Secret = ({ webhook }: { webhook: Webhook }) => (
  <Section title={webhooks.secret}>
    <SecretEnds webhook={webhook} />
    <p>{webhooks.secretLead}</p>
    <div className="actions">
      <Action
        label={webhooks.rollNow}
        lead={<p>{webhooks.rollNowLead}</p>}
        submit={webhooks.rollNow}
        secretOf={secretOf}
        envName={SECRET_ENV}
        request={() => rollRequest(webhook, 'now')}
      />
      <Action
        label={webhooks.rollOverlap}
        lead={<p>{webhooks.rollOverlapLead}</p>}
        submit={webhooks.rollOverlap}
        secretOf={secretOf}
        envName={SECRET_ENV}
        request={() => rollRequest(webhook, 'overlap')}
      />
    </div>
  </Section>
)

function Remove({ webhook }: { webhook: Webhook }) {
  const openAfter = useOpenAfter()
  const countPending = async ({ api }: StoreContext) => {
    const { pagination } = await api.events.deliveries({
      webhook_id: webhook.id,
      status: ['pending', 'delivering'],
      limit: 1,
    })
    return pagination.total
  }
  const { data } = useRead(['events', 'pending of', webhook.id], countPending, { isOptional: true })
  const lead = (
    <p>
      {data === undefined
        ? fill(webhooks.removeLead, { n: '…' })
        : countText(data, webhooks.removeLeadOne, webhooks.removeLead)}
    </p>
  )
  return (
    <Section title={webhooks.remove}>
      {lead}
      <Action
        label={common.delete}
        title={webhooks.remove}
        isDanger
        confirmName={addressText(webhook.url)}
        lead={lead}
        submit={webhooks.remove}
        request={() => openAfter(storeRequest('webhooks', 'delete', webhook.id), '/webhooks')}
      />
    </Section>
  )
}
