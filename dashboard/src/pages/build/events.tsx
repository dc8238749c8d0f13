import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Section } from '../../kit/show.tsx'
import { webhooks } from '../../text/webhooks.ts'
import { Deliveries } from './deliveries.tsx'
import { useEventTypes } from './webhook-parts.tsx'

export function Page() {
  const types = useEventTypes()
  return (
    <Frame title={webhooks.events} lead={webhooks.eventsLead}>
      <Deliveries />
      <Section title={webhooks.types}>
        <Table
          label={webhooks.types}
          rows={types}
          keyOf={({ type }) => type}
          columns={[
            { label: webhooks.event, show: ({ type }) => <code>{type}</code> },
            { label: webhooks.sends, show: ({ description }) => description },
          ]}
        />
      </Section>
    </Frame>
  )
}
