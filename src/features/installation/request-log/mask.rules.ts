/** Shown in place of a secret. */
const MASK = '••••'

/** The fields whose values are always masked. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...['key', 'keys', 'value', 'values', 'default_value', 'text', 'delivered_message'],
  ...['secret', 'password', 'token', 'hash', 'fingerprint', 'proof_text', 'signature'],
  ...['content_base64', 'authorization', 'cookie', 'credentials', 'settings', 'components'],
])
const SECRET_ENDING =
  /(?:^|[_-])(?:secret|password|passphrase|token|(?:api|secret)[_-]?key|license[_-]?key|private[_-]?key|stock[_-]?keys?|hmac|enc)$/i

/**
 * Patterns of secrets within texts: API keys, webhook secrets, bearer tokens, card numbers. Callers choose the texts, so
 * the time of each pattern grows with the length of the text and not with its square.
 */
const SECRET_TEXTS: readonly RegExp[] = [
  /\b(?:sk|rk|sec)_(?:live|test)_\w+/g,
  /\bwhsec_[\w+/=-]+/g,
  /\bbearer\s+[\w.~+/=-]{8,}/gi,
  /\b(?:\d[ -]?){13,19}\b/g,
]
/** A run of the characters of a JSON Web Token, which has three parts, the first of which begins with `eyJ`. */
const DOTTED_RUN = /[\w.-]+/g
const TOKEN_BEGIN = /(?:^|[^A-Za-z0-9_])eyJ[\w-]{8}/
/** A signed link gives access to its target, so its tokens are masked. */
const LINK = /\bhttps?:\/\/[^\s"'<>]+/g

/** Every text that one of the expressions above matches contains this. Most texts do not. */
const SECRET_HINT = /(?:sk|rk|sec)_|bearer\s|https?:\/\/|eyJ|(?:\d[ -]?){13}/i

interface MaskResult {
  value: unknown
  /** True if something was masked. */
  changed: boolean
}

/** Deeper values are masked as a whole. No API of ours accepts or sends them. */
const DEPTH_MAX = 64

/** Masks the secrets in a value that was parsed from JSON, and that the caller gives away: its objects are changed. */
export function mask(value: unknown): MaskResult {
  let changed = false

  function maskItem(name: string, item: unknown, depth: number): unknown {
    if (item === null || typeof item === 'boolean') return item
    if (isSecretName(name) || depth > DEPTH_MAX) {
      changed = true
      return Array.isArray(item) ? `${MASK} (${item.length})` : MASK
    }
    if (typeof item === 'string') {
      const text = maskText(item)
      changed ||= text !== item
      return text
    }
    if (Array.isArray(item)) return item.map((element) => maskItem(name, element, depth + 1))
    return typeof item === 'object' ? maskFields(item as Record<string, unknown>, depth) : item
  }

  function maskFields(fields: Record<string, unknown>, depth: number) {
    for (const key of Object.keys(fields)) fields[key] = maskItem(key, fields[key], depth + 1)
    return fields
  }

  return { value: maskItem('', value, 0), changed }
}

const isSecretName = (name: string): boolean =>
  SECRET_NAMES.has(name.toLowerCase()) || SECRET_ENDING.test(name)

/** Masks the secrets in a text. */
export function maskText(text: string): string {
  if (!SECRET_HINT.test(text)) return text
  let masked = text.replace(LINK, (link) => maskLink(link))
  for (const pattern of SECRET_TEXTS) masked = masked.replace(pattern, MASK)
  return masked.replace(DOTTED_RUN, (run) => (hasToken(run) ? MASK : run))
}

function hasToken(run: string): boolean {
  const begin = run.search(TOKEN_BEGIN)
  return begin >= 0 && run.slice(begin).split('.', 3).length === 3
}

/** Masks the query values of a link, and parts of its path that are long enough to be a token. */
function maskLink(link: string): string {
  const [address = '', query] = link.split('?')
  const maskedAddress = address.replace(/\/[\w~.=-]{24,}/g, `/${MASK}`)
  return query === undefined ? maskedAddress : `${maskedAddress}?${MASK}`
}

/** A name of a parameter is kept, so that a misspelt one is seen. Other names may be pasted values. */
const PARAMETER_NAME = /^[a-z][a-z0-9_]{0,39}$/

/**
 * Masks the path and query of a call: texts with the form of a secret, and the values of all parameters but the
 * harmless ones of the operation, because people search for keys and addresses.
 */
export function maskPath(
  path: string,
  isHarmless: (name: string, value: string) => boolean,
): MaskResult & { value: string } {
  const [address = '', ...query] = path.split('?')
  const parts = query
    .join('?')
    .split('&')
    .map((part) => {
      const [[name, value] = ['', '']] = new URLSearchParams(part)
      if (isHarmless(name, value)) return part
      return PARAMETER_NAME.test(name) ? `${name}=${MASK}` : MASK
    })
  const value = query.length === 0 ? maskText(address) : `${maskText(address)}?${parts.join('&')}`
  return { value, changed: value !== path }
}
