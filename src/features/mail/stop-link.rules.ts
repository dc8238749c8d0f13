import type { Sign } from '../../storage/link.rules.ts'

/** A mail, by which its reader is known. */
export interface MailRef {
  store_id: number
  id: number
}

/**
 * What stands at the end of the address by which the reader of a mail wants no more. It never ends:
 * a mail may be read after years.
 */
export function stopToken({ store_id, id }: MailRef, sign: Sign): string {
  const text = `${store_id}-${id}`
  return `${text}.${sign(text).toString('base64url')}`
}

/** The mail that such an address is of, if it is ours. */
export function openStopToken(token: string, sign: Sign): MailRef | undefined {
  const [, text = '', store_id, id, signature = ''] =
    /^((\d{1,15})-(\d{1,15}))\.([\w-]{43})$/.exec(token) ?? []
  if (text === '') return undefined
  // Hashed once more, so that the time of the comparison tells nothing of the signature.
  const expected = sign(sign(text).toString('base64url'))
  if (!sign(signature).equals(expected)) return undefined
  return { store_id: Number(store_id), id: Number(id) }
}
