import { openSigned, type Sign, signText } from '../../kernel/signed-text.ts'

/** A mail, by which its reader is known. */
export interface MailRef {
  store_id: number
  id: number
}

/**
 * What stands at the end of the address by which the reader of a mail wants no more. It never ends:
 * a mail may be read after years.
 */
export const stopToken = ({ store_id, id }: MailRef, sign: Sign): string =>
  signText(`${store_id}-${id}`, sign)

/** The mail that such an address is of, if it is ours. */
export function openStopToken(token: string, sign: Sign): MailRef | undefined {
  const [, store_id, id] = /^(\d{1,15})-(\d{1,15})$/.exec(openSigned(token, sign) ?? '') ?? []
  return store_id === undefined ? undefined : { store_id: Number(store_id), id: Number(id) }
}
