import { SECOND_MS } from '../kernel/time.ts'

/** The head of an answer, as far as it matters to who reads on. */
export interface AnswerHead {
  status: number
  /** Bytes of the body, or how its end is found (RFC 9112, section 6.3). */
  body: number | 'chunked' | 'until_end'
  /** For how long the connection may be used again; 0 where it may not. */
  keep_ms: number
}

/** A receiver's `Keep-Alive: timeout=600` shall not hold a socket for ten minutes. */
const KEEP_MS_MAX = 4 * SECOND_MS
/** A receiver counts from when it sent its answer, and closes first where both count to the same. */
const AHEAD_MS = SECOND_MS

const TOKEN = "[!#$%&'*+\\-.^_`|~\\w]+"
/** A status line and fields, each with its line end, which may be a bare LF (RFC 9112, section 2.2). */
const HEAD = new RegExp(
  `^HTTP/1\\.[01] [1-9]\\d\\d(?: [^\\r\\n]*)?\\r?\\n(?:${TOKEN}:[^\\r\\n\\0]*\\r?\\n)*\\r?\\n$`,
)
/** The same without what readers understand differently: bare LF, folded values, control characters. */
const PLAIN_TEXT = '[\\t -~\\x80-\\xff]*'
const PLAIN_HEAD = new RegExp(
  `^HTTP/1\\.[01] [1-9]\\d\\d(?: ${PLAIN_TEXT})?\\r\\n(?:${TOKEN}:${PLAIN_TEXT}\\r\\n)*\\r\\n$`,
)
const LENGTH = /^content-length:([^\r\n]*)/gim
/** Tabs are space too, but Node's own parser knows a coding with one behind it no more. */
const PLAIN_LENGTH = /^content-length: *\d+ *\r$/im
const PLAIN_CODING = /^transfer-encoding: *chunked *\r$/im
const CODING = /^transfer-encoding:([^\r\n]*)/gim
const CONNECTION = /^(?:proxy-)?connection:([^\r\n]*)/gim
const KEEP_ALIVE = /^keep-alive:(?:[^\r\n]*[\s,;])?timeout=(\d+)/im
/** Not what `trim` takes for space: a coding behind a no-break space is none that anybody knows. */
const AROUND = /^[\t ]+|[\t ]+$/g
/** A value that goes on in the next line, as senders of old wrote it. */
const FOLD = /\r?\n[\t ]+/g
const WITHOUT_BODY = [204, 304]

/** Reads a head with its empty line, in latin1; nothing where it is not one of HTTP/1. */
export function readHead(text: string): AnswerHead | undefined {
  const isPlain = PLAIN_HEAD.test(text)
  const whole = isPlain ? text : unfolded(text)
  if (!isPlain && !HEAD.test(whole)) return undefined
  const status = Number(whole.slice(9, 12))
  const lengths = listOf(whole, LENGTH)
  const codings = listOf(whole, CODING)
  const framing = bodyOf(lengths, codings)
  if (framing === undefined) return undefined
  const isEmpty = WITHOUT_BODY.includes(status) || status < 200
  const isCertain = isPlain && (isEmpty ? hasNoBody : hasOneEnd)(whole, lengths, codings)
  const keep_ms = isCertain ? keepOf(whole) : 0
  return { status, body: isEmpty ? 0 : framing, keep_ms }
}

// Where readers may disagree about the end, what is behind it could be taken for the next answer.

const hasNoBody = (whole: string, lengths: string[], codings: string[]): boolean =>
  codings.length === 0 &&
  (lengths.length === 0 || (lengths.join() === '0' && PLAIN_LENGTH.test(whole)))

const hasOneEnd = (whole: string, lengths: string[], codings: string[]): boolean =>
  codings.length === 0
    ? lengths.length === 1 && PLAIN_LENGTH.test(whole)
    : lengths.length === 0 && codings.length === 1 && PLAIN_CODING.test(whole) && speaks11(whole)

/** A status line cannot be folded. */
function unfolded(text: string): string {
  const fields = text.indexOf('\n') + 1
  return text.slice(0, fields) + text.slice(fields).replace(FOLD, ' ')
}

/** HTTP/1.0 knew no chunks: who sends them none the less is not trusted further (RFC 9112, section 6.1). */
const speaks11 = (whole: string): boolean => whole[7] === '1'

/** A field that comes several times is one list (RFC 9110, section 5.3). */
function listOf(whole: string, field: RegExp): string[] {
  if (whole.search(field) === -1) return []
  const values = [...whole.matchAll(field)].map(([, value = '']) => value)
  return values
    .join(',')
    .split(',')
    .map((item) => item.replace(AROUND, '').toLowerCase())
}

function bodyOf(lengths: string[], codings: string[]): AnswerHead['body'] | undefined {
  const [length, ...more] = lengths
  const isLength = length === undefined || /^\d{1,15}$/.test(length)
  if (!isLength || more.some((item) => item !== length)) return undefined
  // An empty element of a list counts for nothing (RFC 9110, section 5.6.1).
  const last = codings.findLast((item) => item !== '')
  if (last !== undefined) return last === 'chunked' ? 'chunked' : 'until_end'
  return length === undefined ? 'until_end' : Number(length)
}

function keepOf(whole: string): number {
  const connection = listOf(whole, CONNECTION)
  const persists = speaks11(whole) || connection.includes('keep-alive')
  if (!persists || connection.includes('close')) return 0
  const hint = KEEP_ALIVE.exec(whole)
  if (!hint) return KEEP_MS_MAX
  return Math.max(0, Math.min(KEEP_MS_MAX, Number(hint[1]) * SECOND_MS - AHEAD_MS))
}
