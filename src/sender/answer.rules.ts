import { SECOND_MS } from '../kernel/time.ts'

/** The parts of an answer's head that the reader needs. */
interface AnswerHead {
  status: number
  /** The length of the body, or how its end is found (RFC 9112, section 6.3). */
  body: number | 'chunked' | 'until_end'
  /** The time in milliseconds for which the connection may be reused; 0 if it may not. */
  keep_ms: number
}

/** The limit of a receiver's `Keep-Alive: timeout`, so that idle sockets are closed soon. */
const KEEP_MS_MAX = 4 * SECOND_MS
/** The receiver's timeout starts earlier than ours, so ours must be shorter to close first. */
const CLOSE_EARLY_MS = SECOND_MS

const TOKEN = "[!#$%&'*+\\-.^_`|~\\w]+"
/** A status line and fields. A line may end with a bare LF (RFC 9112, section 2.2). */
const HEAD = new RegExp(
  `^HTTP/1\\.[01] [1-9]\\d\\d(?: [^\\r\\n]*)?\\r?\\n(?:${TOKEN}:[^\\r\\n\\0]*\\r?\\n)*\\r?\\n$`,
)
const PLAIN_TEXT = '[\\t -~\\x80-\\xff]*'
/**
 * A head without anything that parsers interpret differently: bare LF, folded values, control characters.
 */
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
const KEEP_ALIVE = /^keep-alive:([^\r\n]*)/gim
const TIMEOUT = /(?:^|[\s,;])timeout=(\d+)/gi
/** A value continued on the next line, an obsolete form (RFC 9112, section 5.2). */
const FOLD = /\r?\n[\t ]+/g
const WITHOUT_BODY = [204, 304]

/** Parses a head with its empty line, in latin1. Returns undefined if it is not HTTP/1. */
export function readHead(text: string): AnswerHead | undefined {
  const isPlain = PLAIN_HEAD.test(text)
  const head = isPlain ? text : unfoldLines(text)
  if (!isPlain && !HEAD.test(head)) return undefined
  const status = Number(head.slice(9, 12))
  const lengths = listOf(head, LENGTH)
  const codings = listOf(head, CODING)
  const framing = bodyOf(lengths, codings)
  if (framing === undefined) return undefined
  const isEmpty = WITHOUT_BODY.includes(status) || status < 200
  const isUnambiguous = isPlain && (isEmpty ? hasNoBody : hasOneEnd)(head, lengths, codings)
  const keep_ms = isUnambiguous ? keepAliveOf(head) : 0
  return { status, body: isEmpty ? 0 : framing, keep_ms }
}

// If two parsers could disagree about the end of an answer, the bytes after it could be taken for the next answer.
// Connections with such answers are not reused.

const hasNoBody = (head: string, lengths: string[], codings: string[]): boolean =>
  codings.length === 0 &&
  (lengths.length === 0 || (lengths.join() === '0' && PLAIN_LENGTH.test(head)))

const hasOneEnd = (head: string, lengths: string[], codings: string[]): boolean =>
  codings.length === 0
    ? lengths.length === 1 && PLAIN_LENGTH.test(head)
    : lengths.length === 0 && codings.length === 1 && PLAIN_CODING.test(head) && isHttp11(head)

/** Joins folded fields to one line each. The status line cannot be folded. */
function unfoldLines(text: string): string {
  const fieldsStart = text.indexOf('\n') + 1
  return text.slice(0, fieldsStart) + text.slice(fieldsStart).replace(FOLD, ' ')
}

/**
 * HTTP/1.0 has no chunks. If a receiver sends them in HTTP/1.0, its connection is not reused (RFC 9112, section
 * 6.1).
 */
const isHttp11 = (head: string): boolean => head[7] === '1'

/** Repeated fields form one list (RFC 9110, section 5.3). */
function listOf(head: string, field: RegExp): string[] {
  if (head.search(field) === -1) return []
  const values = [...head.matchAll(field)].map(([, value = '']) => value)
  return values
    .join(',')
    .split(',')
    .map((item) => trimSpace(item).toLowerCase())
}

/** Unlike `trim`, it keeps a no-break space, which is not white space in HTTP. */
function trimSpace(text: string): string {
  const isSpace = (index: number) => text[index] === ' ' || text[index] === '\t'
  let start = 0
  let end = text.length
  while (isSpace(start)) start++
  while (end > start && isSpace(end - 1)) end--
  return text.slice(start, end)
}

function bodyOf(lengths: string[], codings: string[]): AnswerHead['body'] | undefined {
  const [length, ...otherLengths] = lengths
  const isLength = length === undefined || /^\d{1,15}$/.test(length)
  if (!isLength || otherLengths.some((item) => item !== length)) return undefined
  // Empty list elements are ignored (RFC 9110, section 5.6.1).
  const lastCoding = codings.findLast((item) => item !== '')
  if (lastCoding !== undefined) return lastCoding === 'chunked' ? 'chunked' : 'until_end'
  return length === undefined ? 'until_end' : Number(length)
}

function keepAliveOf(head: string): number {
  const connection = listOf(head, CONNECTION)
  const persists = isHttp11(head) || connection.includes('keep-alive')
  if (!persists || connection.includes('close')) return 0
  const hints = [...listOf(head, KEEP_ALIVE).join().matchAll(TIMEOUT)]
  if (hints.length === 0) return KEEP_MS_MAX
  const hint_s = hints.reduce((least, [, digits]) => Math.min(least, Number(digits)), Infinity)
  return Math.max(0, Math.min(KEEP_MS_MAX, hint_s * SECOND_MS - CLOSE_EARLY_MS))
}
