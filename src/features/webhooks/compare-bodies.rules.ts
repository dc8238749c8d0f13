import { rewrittenBodies, sortedJson } from './rewritten.rules.ts'

const NEAR = 12

/** Says how a body that a receiver has differs from the bytes that were sent. */
export function compareBodies(sent: Buffer, received: string): string {
  const bytes = Buffer.from(received)
  if (bytes.equals(sent)) return 'The body is the one that was sent, byte by byte.'
  const text = sent.toString()
  const known = rewrittenBodies(text).find((rewritten) => rewritten.text === received)
  const at = firstDifference(sent, bytes)
  const where = `It differs from byte ${at} on: sent ${near(sent, at)}, received ${near(bytes, at)}.`
  if (known) return `The body was parsed and written anew, as by ${known.by}. ${where} ${RAW}`
  if (isSameJson(text, received)) return `The body was parsed and written anew. ${where} ${RAW}`
  return `The body is another one: ${sent.length} bytes were sent, ${bytes.length} received. ${where}`
}

const RAW = 'Verify the raw bytes, before any JSON parser.'

function firstDifference(one: Buffer, other: Buffer): number {
  const least = Math.min(one.length, other.length)
  for (let at = 0; at < least; at++) if (one[at] !== other[at]) return at
  return least
}

const near = (bytes: Buffer, at: number): string =>
  at >= bytes.length ? 'nothing' : JSON.stringify(bytes.subarray(at, at + NEAR).toString())

/** True if both texts are the same JSON, in whatever order of keys. */
function isSameJson(one: string, other: string): boolean {
  try {
    return sortedJson(JSON.parse(one)) === sortedJson(JSON.parse(other))
  } catch {
    return false
  }
}
