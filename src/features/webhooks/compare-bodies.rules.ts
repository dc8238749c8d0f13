import { rewrittenBodies, sortedJson } from './rewritten-bodies.rules.ts'

const EXCERPT_BYTES = 12

/** Returns a sentence about the difference between the receiver's body and the bytes that were sent. */
export function compareBodies(sentBody: Buffer, receivedText: string): string {
  const receivedBody = Buffer.from(receivedText)
  if (receivedBody.equals(sentBody)) return 'The body is the one that was sent, byte by byte.'
  const sentText = sentBody.toString()
  const offset = firstDifference(sentBody, receivedBody)
  const difference = `It differs from byte ${offset} on: sent ${excerpt(sentBody, offset)}, received ${excerpt(receivedBody, offset)}.`
  const matchingRewrite = rewrittenBodies(sentText).find(({ text }) => text === receivedText)
  if (matchingRewrite) return `The body ${matchingRewrite.change}. ${difference} ${VERIFY_RAW}`
  if (isSameJson(sentText, receivedText))
    return `The body was parsed and serialized again. ${difference} ${VERIFY_RAW}`
  return `The body is another one: ${sentBody.length} bytes were sent, ${receivedBody.length} received. ${difference}`
}

export const VERIFY_RAW = 'Verify the raw bytes, before any JSON parser.'

function firstDifference(sentBody: Buffer, receivedBody: Buffer): number {
  const minLength = Math.min(sentBody.length, receivedBody.length)
  for (let offset = 0; offset < minLength; offset++)
    if (sentBody[offset] !== receivedBody[offset]) return offset
  return minLength
}

const excerpt = (bytes: Buffer, offset: number): string =>
  offset >= bytes.length
    ? 'nothing'
    : JSON.stringify(bytes.subarray(offset, offset + EXCERPT_BYTES).toString())

/** Returns true if both texts are the same JSON. The order of keys does not matter. */
function isSameJson(sentText: string, receivedText: string): boolean {
  try {
    return sortedJson(JSON.parse(sentText)) === sortedJson(JSON.parse(receivedText))
  } catch {
    return false
  }
}
