/** Computes a keyed hash of 32 bytes: `vault.hmac('…', text)`. */
export type Sign = (text: string) => Buffer

const SIGNED = /^(.*)\.([\w-]{43})$/s

/** `text.signature`. It needs no escaping in a URL if `text` does not. */
export const signText = (text: string, sign: Sign): string =>
  `${text}.${sign(text).toString('base64url')}`

/** Returns the text if its signature is valid. */
export function openSigned(signed: string, sign: Sign): string | undefined {
  const [, text, signature] = SIGNED.exec(signed) ?? []
  if (text === undefined || signature === undefined) return undefined
  // Both are hashed again, so that the time of the comparison reveals nothing about the signature.
  const expected = sign(sign(text).toString('base64url'))
  return sign(signature).equals(expected) ? text : undefined
}
