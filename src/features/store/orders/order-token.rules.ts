import type { Sign } from '../../../kernel/signed-text.ts'

/** The order that a token opens. `link_version` counts the links that the seller has replaced. */
interface LinkedOrder {
  store_id: number
  id: string
  link_version: number
}

/** 192 bits, which are 32 characters in base64url. */
const MAC_BYTES = 24
const TOKEN = /^ot_([0-9A-Za-z]{22})([\w-]{32})$/

/**
 * Returns the token of the page of an order: `ot_`, the id of the order without its prefix, and 32 characters that are
 * computed from the key of the installation. It is not stored and has no end (decision 464).
 */
export const orderToken = (order: LinkedOrder, sign: Sign): string =>
  `ot_${order.id.slice('ord_'.length)}${macOf(order, sign)}`

/** Returns the id of the order that a token names; undefined if it has not the form of a token. */
export function idInToken(token: string): string | undefined {
  const [, id] = TOKEN.exec(token) ?? []
  return id && `ord_${id}`
}

/** Returns true if the token opens this order. */
export function opensOrder(token: string, order: LinkedOrder, sign: Sign): boolean {
  const [, , mac = ''] = TOKEN.exec(token) ?? []
  // Both are hashed again, so that the time of the comparison does not reveal them.
  return sign(mac).equals(sign(macOf(order, sign)))
}

const macOf = ({ store_id, id, link_version }: LinkedOrder, sign: Sign): string =>
  sign(`${store_id}-${id}-${link_version}`).subarray(0, MAC_BYTES).toString('base64url')
