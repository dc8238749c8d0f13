import { sampleOf } from './samples.ts'
import { EVENT_TYPES, PUBLIC_EVENTS } from './types.ts'

const byType = <V>(of: (type: (typeof EVENT_TYPES)[number]) => V): Record<string, V> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, of(type)]))

/** The event types of the reference: when each happens, its shape and a sample. */
export const EVENT_DOCUMENTATION = {
  events: byType((type) => PUBLIC_EVENTS[type].description as string),
  payloads: byType((type) => ({
    schema: PUBLIC_EVENTS[type].shape.describe('The record that the event is about.'),
    sample: sampleOf(type, 'EUR'),
  })),
}
