import { humanize } from './format.ts'

/** A choice of a field or a filter. */
export interface Option {
  value: string
  label: string
  /** The code of the choice in the API, shown next to its label. */
  code?: string
}

/** Words of the API as choices, with their names in the user's language. */
export const humanizedOptions = (words: readonly string[]): Option[] =>
  words.map((word) => ({ value: word, label: humanize(word) }))
