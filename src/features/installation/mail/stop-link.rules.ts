import { openSigned, type Sign, signText } from '../../../kernel/signed-text.ts'

/** The reader of a mail. */
export interface Reader {
  store_id: number
  email: string
}

/**
 * The end of the address by which a reader unsubscribes. It never expires and needs no row: a mail may
 * be read years after its record was deleted.
 */
export const stopToken = ({ store_id, email }: Reader, sign: Sign): string =>
  signText(`${store_id}-${Buffer.from(email).toString('base64url')}`, sign)

/** The reader to whom such an address belongs, if we signed it. */
export function openStopToken(token: string, sign: Sign): Reader | undefined {
  const [, store_id, email] = /^(\d{1,15})-([\w-]+)$/.exec(openSigned(token, sign) ?? '') ?? []
  const reader = Buffer.from(email ?? '', 'base64url').toString()
  return reader.includes('@') ? { store_id: Number(store_id), email: reader } : undefined
}
