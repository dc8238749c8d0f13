import { base62, fromBase62 } from '../kernel/ids.ts'

const TAG_BITS = 64n
const TAG_MASK = (1n << TAG_BITS) - 1n
const FORM = /^evt_[0-9A-Za-z]{22}$/

/** The public id of an event: its number, then random bits, so that it is found without an index. */
export const eventId = (no: number, tag: number): string =>
  `evt_${base62((BigInt(no) << TAG_BITS) | BigInt(tag))}`

/** The number and tag that an event's id was made of; undefined for what is no such id. */
export function parseEventId(id: string): { no: number; tag: number } | undefined {
  if (!FORM.test(id)) return undefined
  const value = fromBase62(id.slice('evt_'.length)) ?? 0n
  const parts = { no: Number(value >> TAG_BITS), tag: Number(value & TAG_MASK) }
  return Object.values(parts).every(Number.isSafeInteger) ? parts : undefined
}
