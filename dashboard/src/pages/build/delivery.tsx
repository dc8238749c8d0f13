import { useParams } from '@tanstack/react-router'
import type { WebhookDelivery } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { eventName } from '../../kit/event-name.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { Duration, errorSentence, ResendAction } from './delivery-parts.tsx'
import { SentRequests } from './sent-requests.tsx'
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
              ? { to: '/events/deliveries', label: webhooks.deliveries }
              : {
                  to: `/webhooks/${delivery.webhook.id}/deliveries`,
                  label: addressText(delivery.webhook.url),
                }
          }
          lead={
            <>
              {eventName(delivery.event.type)} <code>{delivery.event.type}</code>
            </>
          }
          actions={
            isAllowed ? (
              !delivery.webhook.deleted && <ResendAction id={delivery.id} />
            ) : (
              <NotAllowed area="webhooks" />
            )
          }
        >
          <div className="split">
            <div>
              <Attempts delivery={delivery} />
              {isAllowed && <SentRequests id={delivery.id} />}
              <Section title={webhooks.payload}>
                {delivery.payload_redacted && <p className="secondary-text">{webhooks.redacted}</p>}
                <Copy
                  block
                  text={JSON.stringify(delivery.payload, null, 2)}
                  label={webhooks.payload}
                />
              </Section>
            </div>
            <div>
              <DeliveryFacts delivery={delivery} />
              {isAllowed && !delivery.webhook.deleted && <SignatureDoctor id={delivery.id} />}
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

export const Attempts = ({ delivery }: { delivery: WebhookDelivery }) => (
  <Section title={webhooks.attempts}>
    {delivery.attempt_history.length === 0 ? (
      <Empty>{webhooks.noAttempts}</Empty>
    ) : (
      <Table
        label={webhooks.attempts}
        rows={delivery.attempt_history}
        keyOf={({ attempt, created_at }) => `${attempt} ${created_at}`}
        columns={[
          {
            label: '#',
            show: ({ attempt, manual }) => (
              <>
                {attempt} {manual && <State state="manual">{webhooks.manual}</State>}
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
          {
            label: webhooks.error,
            show: ({ error }) => (error === null ? '–' : errorSentence(error)),
          },
          {
            label: webhooks.duration,
            isRightAligned: true,
            show: ({ duration_ms }) => <Duration ms={duration_ms} />,
          },
          { label: webhooks.happened, show: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    )}
  </Section>
)

export const DeliveryFacts = ({ delivery }: { delivery: WebhookDelivery }) => (
  <Section title={common.details} actions={<Stamp state={delivery.status} />}>
    <Facts
      rows={[
        [
          webhooks.eventId,
          <Link key="event" to={`/events/${delivery.event.id}`}>
            {delivery.event.id}
          </Link>,
        ],
        [webhooks.nextAttempt, <Time key="next" at={delivery.next_attempt_at} />],
        [webhooks.happened, <Time key="created" at={delivery.created_at} />],
        [common.updated, <Time key="updated" at={delivery.updated_at} />],
      ]}
    />
  </Section>
)
