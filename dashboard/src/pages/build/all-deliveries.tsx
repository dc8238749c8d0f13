import { Deliveries } from './deliveries.tsx'
import { EventsFrame } from './events-frame.tsx'

export const Page = () => (
  <EventsFrame>
    <Deliveries />
  </EventsFrame>
)
