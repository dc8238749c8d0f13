/** Shown in place of a secret. */
const MASK = '••••'

/** The fields whose values are always masked. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...['key', 'keys', 'value', 'values', 'default_value', 'text', 'delivered_message'],
  ...['secret', 'password', 'token', 'hash', 'fingerprint', 'proof_text', 'signature'],
  ...['content_base64', 'authorization', 'cookie', 'credentials', 'settings', 'components'],
])
const SECRET_ENDING =
  /(?:^|[_-])(?:secret|password|passphrase|token|api[_-]?key|license[_-]?key|private[_-]?key|stock[_-]?keys?|hmac|enc)$/i

/** Patterns of secrets within texts: API keys, webhook secrets, bearer tokens, JSON Web Tokens, card numbers. */
const SECRET_TEXTS: readonly RegExp[] = [
  /\b(?:sk|sec)_(?:live|test)_\w+/g,
  /\bwhsec_[\w+/=-]+/g,
  /\bbearer\s+[\w.~+/=-]{8,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /\b(?:\d[ -]?){13,19}\b/g,
]
/** A signed link gives access to its target, so its tokens are masked. */
const LINK = /\bhttps?:\/\/[^\s"'<>]+/g

interface MaskResult {
  value: unknown
  /** True if something was masked. */
  changed: boolean
}

/** Masks the secrets in a value that was parsed from JSON. */
export function mask(value: unknown): MaskResult {
  let changed = false

  function maskItem(name: string, item: unknown): unknown {
    if (item === null || typeof item === 'boolean') return item
    if (isSecretName(name)) {
      changed = true
      return Array.isArray(item) ? `${MASK} (${item.length})` : MASK
    }
    if (typeof item === 'string') {
      const text = maskText(item)
      changed ||= text !== item
      return text
    }
    if (Array.isArray(item)) return item.map((element) => maskItem(name, element))
    if (typeof item !== 'object') return item
    return Object.fromEntries(
      Object.entries(item).map(([key, value]) => [key, maskItem(key, value)]),
    )
  }

  return { value: maskItem('', value), changed }
}

const isSecretName = (name: string): boolean =>
  SECRET_NAMES.has(name.toLowerCase()) || SECRET_ENDING.test(name)

/** Masks the secrets in a text. */
export function maskText(text: string): string {
  let masked = text.replace(LINK, (link) => maskLink(link))
  for (const pattern of SECRET_TEXTS) masked = masked.replace(pattern, MASK)
  return masked
}

/** Masks the query values of a link, and parts of its path that are long enough to be a token. */
function maskLink(link: string): string {
  const [address = '', query] = link.split('?')
  const maskedAddress = address.replace(/\/[\w~.=-]{24,}/g, `/${MASK}`)
  return query === undefined ? maskedAddress : `${maskedAddress}?${MASK}`
}

/** Masks the path and query of a call: parameters with secret names, and texts with the form of a secret. */
export function maskPath(path: string): MaskResult & { value: string } {
  const [address = '', query] = path.split('?', 2)
  const parts = (query ?? '').split('&').map((part) => {
    const [name = '', ...value] = part.split('=')
    return value.length > 0 && isSecretName(name) ? `${name}=${MASK}` : maskText(part)
  })
  const value = query === undefined ? maskText(address) : `${maskText(address)}?${parts.join('&')}`
  return { value, changed: value !== path }
}
