import { openSigned, type Sign, signText } from '../../../kernel/signed-text.ts'

interface MailRecipient {
  store_id: number
  email: string
}

/**
 * Returns the token of the URL at which a recipient unsubscribes. It is signed and not stored, because a
 * mail may be read years after its record was deleted.
 */
export const unsubscribeToken = ({ store_id, email }: MailRecipient, sign: Sign): string =>
  signText(`${store_id}-${Buffer.from(email).toString('base64url')}`, sign)

/** Returns the recipient of a token, or undefined if its signature is invalid. */
export function openUnsubscribeToken(token: string, sign: Sign): MailRecipient | undefined {
  const [, store_id, encodedAddress] =
    /^(\d{1,15})-([\w-]+)$/.exec(openSigned(token, sign) ?? '') ?? []
  const address = Buffer.from(encodedAddress ?? '', 'base64url').toString()
  return address.includes('@') ? { store_id: Number(store_id), email: address } : undefined
}
