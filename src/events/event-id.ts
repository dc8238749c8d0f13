import { base62, fromBase62 } from '../kernel/ids.ts'

const TAG_BITS = 64n
const TAG_MASK = (1n << TAG_BITS) - 1n
const FORM = /^evt_[0-9A-Za-z]{22}$/

/**
 * The public id of an event: its number, then random bits. It is found by its number, without an
 * index.
 */
export const eventId = (no: number, tag: number): string =>
  `evt_${base62((BigInt(no) << TAG_BITS) | BigInt(tag))}`

/** Parses the number and tag of an event id; undefined if the text is not one. */
export function parseEventId(id: string): { no: number; tag: number } | undefined {
  if (!FORM.test(id)) return undefined
  const value = fromBase62(id.slice('evt_'.length)) ?? 0n
  const parts = { no: Number(value >> TAG_BITS), tag: Number(value & TAG_MASK) }
  return Object.values(parts).every(Number.isSafeInteger) ? parts : undefined
}
