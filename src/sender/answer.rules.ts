import { SECOND_MS } from '../kernel/time.ts'

/** The parts of an answer's head that the reader needs. */
export interface AnswerHead {
  status: number
  /** The length of the body, or how its end is found (RFC 9112, section 6.3). */
  body: number | 'chunked' | 'until_end'
  /** How long the connection may be reused; 0 if it may not. */
  keep_ms: number
}

/** A receiver's `Keep-Alive: timeout=600` must not hold a socket for ten minutes. */
const KEEP_MS_MAX = 4 * SECOND_MS
/** The receiver's timeout starts earlier than ours, so ours must be shorter to close first. */
const AHEAD_MS = SECOND_MS

const TOKEN = "[!#$%&'*+\\-.^_`|~\\w]+"
/** A status line and fields. A line may end with a bare LF (RFC 9112, section 2.2). */
const HEAD = new RegExp(
  `^HTTP/1\\.[01] [1-9]\\d\\d(?: [^\\r\\n]*)?\\r?\\n(?:${TOKEN}:[^\\r\\n\\0]*\\r?\\n)*\\r?\\n$`,
)
/**
 * The same without anything that receivers interpret differently: bare LF, folded values, control
 * characters.
 */
const PLAIN_TEXT = '[\\t -~\\x80-\\xff]*'
const PLAIN_HEAD = new RegExp(
  `^HTTP/1\\.[01] [1-9]\\d\\d(?: ${PLAIN_TEXT})?\\r\\n(?:${TOKEN}:${PLAIN_TEXT}\\r\\n)*\\r\\n$`,
)
const LENGTH = /^content-length:([^\r\n]*)/gim
/**
 * A tab is valid white space too, but Node's parser does not recognize a coding followed by one.
 */
const PLAIN_LENGTH = /^content-length: *\d+ *\r$/im
const PLAIN_CODING = /^transfer-encoding: *chunked *\r$/im
const CODING = /^transfer-encoding:([^\r\n]*)/gim
const CONNECTION = /^(?:proxy-)?connection:([^\r\n]*)/gim
const KEEP_ALIVE = /^keep-alive:(?:[^\r\n]*[\s,;])?timeout=(\d+)/im
/** `trim` would also remove a no-break space, which is not white space in HTTP. */
const AROUND = /^[\t ]+|[\t ]+$/g
/** A value continued on the next line, an obsolete form (RFC 9112, section 5.2). */
const FOLD = /\r?\n[\t ]+/g
const WITHOUT_BODY = [204, 304]

/** Parses a head with its empty line, in latin1. Returns undefined if it is not HTTP/1. */
export function readHead(text: string): AnswerHead | undefined {
  const isPlain = PLAIN_HEAD.test(text)
  const head = isPlain ? text : unfolded(text)
  if (!isPlain && !HEAD.test(head)) return undefined
  const status = Number(head.slice(9, 12))
  const lengths = listOf(head, LENGTH)
  const codings = listOf(head, CODING)
  const framing = bodyOf(lengths, codings)
  if (framing === undefined) return undefined
  const isEmpty = WITHOUT_BODY.includes(status) || status < 200
  const isCertain = isPlain && (isEmpty ? hasNoBody : hasOneEnd)(head, lengths, codings)
  const keep_ms = isCertain ? keepOf(head) : 0
  return { status, body: isEmpty ? 0 : framing, keep_ms }
}

// If two parsers could disagree about the end, following bytes could be taken for the next answer.

const hasNoBody = (head: string, lengths: string[], codings: string[]): boolean =>
  codings.length === 0 &&
  (lengths.length === 0 || (lengths.join() === '0' && PLAIN_LENGTH.test(head)))

const hasOneEnd = (head: string, lengths: string[], codings: string[]): boolean =>
  codings.length === 0
    ? lengths.length === 1 && PLAIN_LENGTH.test(head)
    : lengths.length === 0 && codings.length === 1 && PLAIN_CODING.test(head) && speaks11(head)

/** A status line cannot be folded. */
function unfolded(text: string): string {
  const fields = text.indexOf('\n') + 1
  return text.slice(0, fields) + text.slice(fields).replace(FOLD, ' ')
}

/**
 * HTTP/1.0 has no chunks, so a sender of chunks in HTTP/1.0 is not trusted further (RFC 9112,
 * section 6.1).
 */
const speaks11 = (head: string): boolean => head[7] === '1'

/** Repeated fields form one list (RFC 9110, section 5.3). */
function listOf(head: string, field: RegExp): string[] {
  if (head.search(field) === -1) return []
  const values = [...head.matchAll(field)].map(([, value = '']) => value)
  return values
    .join(',')
    .split(',')
    .map((item) => item.replace(AROUND, '').toLowerCase())
}

function bodyOf(lengths: string[], codings: string[]): AnswerHead['body'] | undefined {
  const [length, ...more] = lengths
  const isLength = length === undefined || /^\d{1,15}$/.test(length)
  if (!isLength || more.some((item) => item !== length)) return undefined
  // Empty list elements are ignored (RFC 9110, section 5.6.1).
  const last = codings.findLast((item) => item !== '')
  if (last !== undefined) return last === 'chunked' ? 'chunked' : 'until_end'
  return length === undefined ? 'until_end' : Number(length)
}

function keepOf(head: string): number {
  const connection = listOf(head, CONNECTION)
  const persists = speaks11(head) || connection.includes('keep-alive')
  if (!persists || connection.includes('close')) return 0
  const hint = KEEP_ALIVE.exec(head)
  if (!hint) return KEEP_MS_MAX
  return Math.max(0, Math.min(KEEP_MS_MAX, Number(hint[1]) * SECOND_MS - AHEAD_MS))
}
