import { eventNames } from '../text/event-names.ts'
import type { Option } from './options.ts'

/** The name of a type of event, or the type if it has no name here. */
export const eventName = (type: string): string =>
  (Object.hasOwn(eventNames, type) ? eventNames[type as keyof typeof eventNames] : undefined) ??
  type

/** The types of events as choices, with their codes, which programs use. */
export const eventOptions = (types: readonly { type: string }[]): Option[] =>
  types.map(({ type }) => ({ value: type, label: eventName(type), code: type }))
