import { reasons } from '../text/reasons.ts'
import { humanize } from './format.ts'

/** The reason of a return or a refund, in the user's language. */
export const reasonText = (word: string): string =>
  (Object.hasOwn(reasons, word) ? reasons[word] : undefined) ?? humanize(word)
