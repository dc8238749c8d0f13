import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/store.ts'
import { eventName } from '../../kit/event-name.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { yesNo } from '../../kit/values.ts'
import { common } from '../../text/common.ts'
import { events } from '../../text/events.ts'
import { webhooks } from '../../text/webhooks.ts'
import { EventDeliveries } from './deliveries.tsx'
import { SendEvent } from './send-event.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('webhooks')
  const read = useRead(['events', 'recorded', id], async ({ readDashboard }) => {
    const { event } = await readDashboard<'webhooks.get_event'>(`/events/${id}`)
    return event
  })
  return (
    <Loaded read={read}>
      {(event) => (
        <Frame
          title={eventName(event.type)}
          parent={{ to: '/events', label: events.title }}
          lead={
            <>
              <code>{event.type}</code> · <Copy text={event.id} />
            </>
          }
          actions={isAllowed ? <SendEvent id={event.id} /> : <NotAllowed area="webhooks" />}
        >
          <Section title={common.details}>
            <Facts
              rows={[
                [events.record, <Copy key="record" text={event.object_id} />],
                [events.sample, yesNo(event.test)],
                [events.happened, <Time key="created" at={event.created_at} />],
              ]}
            />
          </Section>
          <Section title={events.deliveries}>
            <EventDeliveries eventId={event.id} />
          </Section>
          <Section title={webhooks.payload}>
            {event.payload_redacted && <p className="secondary-text">{webhooks.redacted}</p>}
            <Copy block text={JSON.stringify(event.payload, null, 2)} label={webhooks.payload} />
          </Section>
        </Frame>
      )}
    </Loaded>
  )
}
