import type { ReactNode } from 'react'
import { Page } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { events } from '../../text/events.ts'

const TABS = [
  { to: '/events', label: events.all },
  { to: '/events/deliveries', label: events.deliveries },
  { to: '/events/types', label: events.types },
]

/** A tab of the page of events. */
export const EventsFrame = ({ children }: { children: ReactNode }) => (
  <Page title={events.title} lead={events.lead}>
    <Tabs label={events.title} tabs={TABS} />
    {children}
  </Page>
)
