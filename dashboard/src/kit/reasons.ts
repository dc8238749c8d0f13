import { disputeReasons } from '../text/dispute-reasons.ts'
import { reasons } from '../text/reasons.ts'
import { humanize } from './format.ts'

/** The reason of a return, a refund or a dispute, in the user's language. */
export function reasonText(word: string): string {
  if (Object.hasOwn(reasons, word)) return reasons[word] ?? word
  if (Object.hasOwn(disputeReasons, word)) return disputeReasons[word] ?? word
  return humanize(word)
}
