/** A keyed hash of 32 bytes: `vault.hmac('…', text)`. */
export type Sign = (text: string) => Buffer

const SIGNED = /^(.*)\.([\w-]{43})$/s

/** `text.signature`. Nothing of it needs escaping in an address, if that holds for the text. */
export const signText = (text: string, sign: Sign): string =>
  `${text}.${sign(text).toString('base64url')}`

/** The text, if we signed it. */
export function openSigned(signed: string, sign: Sign): string | undefined {
  const [, text, signature] = SIGNED.exec(signed) ?? []
  if (text === undefined || signature === undefined) return undefined
  // Hashed once more, so that the time of the comparison tells nothing of the signature.
  const expected = sign(sign(text).toString('base64url'))
  return sign(signature).equals(expected) ? text : undefined
}
