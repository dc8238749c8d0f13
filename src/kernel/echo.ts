import { truncate } from './truncate.ts'

/** The maximum length of a caller's text in a message (decision 120). */
const ECHO_MAX = 100

/** Shortens a caller's text for a message or for the name of a field. */
export const shorten = (text: string): string =>
  text.length > ECHO_MAX ? `${truncate(text, ECHO_MAX - 1)}…` : text

/** Writes the path of a field: `rates[0].tiers[1].min` for `['rates', 0, 'tiers', 1, 'min']`. */
export const fieldPath = (steps: readonly PropertyKey[]): string =>
  steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shorten(String(step))}`))
    .join('')
    .replace(/^\./, '')
