import { useParams } from '@tanstack/react-router'
import type { WebhookDelivery } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { Duration, ResendAction } from './deliveries.tsx'
import { SignatureDoctor } from './signature-doctor.tsx'
import { addressText } from './webhook-parts.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('webhooks')
  const read = useRead(
    ['events', 'delivery', id],
    async ({ api }) => (await api.events.getDelivery(Number(id))).delivery,
  )
  return (
    <Loaded read={read}>
      {(delivery) => (
        <Frame
          title={fill(webhooks.delivery, { id: delivery.id })}
          parent={
            delivery.webhook.deleted
              ? { to: '/events', label: webhooks.events }
              : {
                  to: `/webhooks/${delivery.webhook.id}/deliveries`,
                  label: addressText(delivery.webhook.url),
                }
          }
          lead={<code>{delivery.event.type}</code>}
          actions={
            isAllowed ? (
              !delivery.webhook.deleted && <ResendAction id={delivery.id} />
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <div className="split">
            <div>
              <Attempts of={delivery} />
              <Section title={webhooks.payload}>
                {delivery.payload_redacted && <p className="quiet">{webhooks.redacted}</p>}
                <Copy
                  block
                  text={JSON.stringify(delivery.payload, null, 2)}
                  label={webhooks.payload}
                />
              </Section>
            </div>
            <div>
              <DeliveryFacts of={delivery} />
              {isAllowed && !delivery.webhook.deleted && <SignatureDoctor id={delivery.id} />}
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

const Attempts = ({ of }: { of: WebhookDelivery }) => (
  <Section title={webhooks.attempts}>
    {of.attempt_history.length === 0 ? (
      <Empty>{webhooks.noAttempts}</Empty>
    ) : (
      <Table
        label={webhooks.attempts}
        rows={of.attempt_history}
        keyOf={({ attempt, created_at }) => `${attempt} ${created_at}`}
        columns={[
          {
            label: '#',
            show: ({ attempt, manual }) => (
              <>
                {attempt} {manual && <State state="manual">{webhooks.byHand}</State>}
              </>
            ),
          },
          {
            label: webhooks.answer,
            show: ({ status_code, response_body }) => (
              <>
                {status_code ?? webhooks.noAnswer}
                {response_body && (
                  <details>
                    <summary>{common.details}</summary>
                    <pre>{response_body}</pre>
                  </details>
                )}
              </>
            ),
          },
          { label: webhooks.error, show: ({ error }) => error ?? '–' },
          {
            label: webhooks.duration,
            isNumber: true,
            show: ({ duration_ms }) => <Duration ms={duration_ms} />,
          },
          { label: webhooks.happened, show: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    )}
  </Section>
)

const DeliveryFacts = ({ of }: { of: WebhookDelivery }) => (
  <Section title={common.details} actions={<Stamp state={of.status} />}>
    <Facts
      of={[
        [
          webhooks.eventId,
          <Link key="event" to={`/events?event_id=${of.event.id}`}>
            {of.event.id}
          </Link>,
        ],
        [webhooks.endpoint, of.webhook.url],
        [webhooks.nextAttempt, <Time key="next" at={of.next_attempt_at} />],
        [webhooks.happened, <Time key="created" at={of.created_at} />],
        [common.updated, <Time key="updated" at={of.updated_at} />],
      ]}
    />
  </Section>
)
