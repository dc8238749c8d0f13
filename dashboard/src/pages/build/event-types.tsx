import { useRead } from '../../api/store.ts'
import { eventName } from '../../kit/event-name.ts'
import { InlineCode } from '../../kit/inline-code.tsx'
import { Table } from '../../kit/list.tsx'
import { Loaded } from '../../kit/states.tsx'
import { eventDescriptions } from '../../text/event-descriptions.ts'
import { events } from '../../text/events.ts'
import { EventsFrame } from './events-frame.tsx'

export function Page() {
  const read = useRead(['webhooks', 'types'], async ({ api }) => (await api.events.types()).types)
  return (
    <EventsFrame>
      <Loaded read={read}>
        {(types) => (
          <Table
            label={events.types}
            rows={types}
            keyOf={({ type }) => type}
            columns={[
              {
                label: events.type,
                show: ({ type }) => (
                  <>
                    {eventName(type)} <code className="beside">{type}</code>
                  </>
                ),
              },
              {
                label: events.whenSent,
                show: ({ type, description }) => (
                  <InlineCode text={eventDescriptions[type] ?? description} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </EventsFrame>
  )
}
