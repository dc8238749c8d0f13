/** A function that computes a keyed hash of 32 bytes, such as `vault.hmac('…', text)`. */
export type Sign = (text: string) => Buffer

const SIGNED = /^(.*)\.([\w-]{43})$/s

/** Returns `text.signature`, which needs escaping in a URL only if `text` does. */
export const signText = (text: string, sign: Sign): string =>
  `${text}.${sign(text).toString('base64url')}`

/** Returns the text, or undefined if the signature is invalid. */
export function openSigned(signedText: string, sign: Sign): string | undefined {
  const [, text, signature] = SIGNED.exec(signedText) ?? []
  if (text === undefined || signature === undefined) return undefined
  // Both signatures are hashed again, so that the time of the comparison does not reveal them.
  const expected = sign(sign(text).toString('base64url'))
  return sign(signature).equals(expected) ? text : undefined
}
