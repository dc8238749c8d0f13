import { sampleOf } from './samples.ts'
import { EVENT_TYPES, PUBLIC_EVENTS } from './types.ts'

const mapEventTypes = <V>(describe: (type: (typeof EVENT_TYPES)[number]) => V): Record<string, V> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, describe(type)]))

/** The description, the shape and a sample of each event type, for the reference. */
export const EVENT_DOCUMENTATION = {
  events: mapEventTypes((type) => PUBLIC_EVENTS[type].description as string),
  payloads: mapEventTypes((type) => ({
    schema: PUBLIC_EVENTS[type].shape.describe('The record that the event is about.'),
    sample: sampleOf(type, 'EUR'),
  })),
}
