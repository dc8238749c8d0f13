import { truncate } from './truncate.ts'

/** The maximum length of a caller's text in a message (decision 120). */
const ECHO_MAX = 100

/** Shortens a caller's text for a message or for the name of a field. */
export const shorten = (text: string): string =>
  text.length > ECHO_MAX ? `${truncate(text, ECHO_MAX - 1)}…` : text

/** Characters that a terminal obeys, or that turn the text around them. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu

/** Replaces the control characters of a text for a terminal. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '\ufffd')

/** Writes the path of a field: `rates[0].tiers[1].min` for `['rates', 0, 'tiers', 1, 'min']`. */
export const fieldPath = (steps: readonly PropertyKey[]): string =>
  steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shorten(String(step))}`))
    .join('')
    .replace(/^\./, '')
