import { z } from 'zod'

const ZONE_ERROR = 'Use an IANA time zone in its exact spelling, such as Europe/Berlin.'
const ZONE_LENGTH_MAX = 64

/** An IANA time zone. Offsets such as `+02:00` are refused, because they have no daylight-saving time. */
export const TimeZone = z
  .string()
  .max(ZONE_LENGTH_MAX, `Write at most ${ZONE_LENGTH_MAX} characters.`)
  .refine(isTimeZone, ZONE_ERROR)

/** Checks the spelling, because `Intl` ignores the case of names and records are grouped by the name. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*){0,2}$/.test(name)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // An alias resolves to another name, so its spelling cannot be compared.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}
