import { base62, fromBase62 } from '../kernel/ids.ts'

const TAG_BITS = 64n
const TAG_MASK = (1n << TAG_BITS) - 1n
const EVENT_ID = /^evt_[0-9A-Za-z]{22}$/

/** Returns the public id of an event: its number, then random bits. The lookup uses the number. */
export const eventId = (eventNo: number, tag: number): string =>
  `evt_${base62((BigInt(eventNo) << TAG_BITS) | BigInt(tag))}`

/** Parses an event id. Returns undefined if the text is not an event id. */
export function parseEventId(id: string): { no: number; tag: number } | undefined {
  if (!EVENT_ID.test(id)) return undefined
  const value = fromBase62(id.slice('evt_'.length)) ?? 0n
  const parts = { no: Number(value >> TAG_BITS), tag: Number(value & TAG_MASK) }
  return Object.values(parts).every(Number.isSafeInteger) ? parts : undefined
}
