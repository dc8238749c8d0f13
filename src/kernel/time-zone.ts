import { z } from 'zod'

const WHY = 'Use an IANA time zone in its exact spelling, such as Europe/Berlin.'
const ZONE_MAX = 64

/** An IANA time zone. Offsets such as `+02:00` are refused: they have no daylight-saving rules. */
export const TimeZone = z
  .string()
  .max(ZONE_MAX, `Write at most ${ZONE_MAX} characters.`)
  .refine(isTimeZone, WHY)

/** `Intl` ignores the case of names; two spellings of one zone would group records apart. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*){0,2}$/.test(name)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}
