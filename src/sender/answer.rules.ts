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
const LENGTH = /^content-length:([^\r\n]*)/gim
const CODING = /^transfer-encoding:([^\r\n]*)/gim
const CONNECTION = /^connection:([^\r\n]*)/gim
const KEEP_ALIVE = /^keep-alive:(?:[^\r\n]*[\s,;])?timeout=(\d+)/im
/** A value that goes on in the next line, as senders of old wrote it. */
const FOLD = /\r?\n[\t ]+/g
const WITHOUT_BODY = [204, 304]

/** Reads a head with its empty line, in latin1; nothing where it is not one of HTTP/1. */
export function readHead(text: string): AnswerHead | undefined {
  const whole = text.replace(FOLD, ' ')
  if (!HEAD.test(whole)) return undefined
  const status = Number(whole.slice(9, 12))
  const lengths = listOf(whole, LENGTH)
  const codings = listOf(whole, CODING)
  const isEmpty = WITHOUT_BODY.includes(status) || status < 200
  const body = isEmpty ? 0 : bodyOf(lengths, codings)
  if (body === undefined) return undefined
  // Where the end is doubtful, what is behind it could be taken for the next answer.
  const isPlain = isEmpty
    ? codings.length === 0 && lengths.every((item) => item === '0')
    : codings.length === 0 || (lengths.length === 0 && speaks11(whole))
  const keep_ms = isPlain && body !== 'until_end' ? keepOf(whole) : 0
  return { status, body, keep_ms }
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
    .map((item) => item.trim().toLowerCase())
}

function bodyOf(lengths: string[], codings: string[]): AnswerHead['body'] | undefined {
  if (codings.length > 0) return codings.at(-1) === 'chunked' ? 'chunked' : 'until_end'
  const [length, ...more] = lengths
  if (length === undefined) return 'until_end'
  return /^\d+$/.test(length) && more.every((item) => item === length) ? Number(length) : undefined
}

function keepOf(whole: string): number {
  const connection = listOf(whole, CONNECTION)
  const persists = speaks11(whole) || connection.includes('keep-alive')
  if (!persists || connection.includes('close')) return 0
  const hint = KEEP_ALIVE.exec(whole)
  if (!hint) return KEEP_MS_MAX
  return Math.max(0, Math.min(KEEP_MS_MAX, Number(hint[1]) * SECOND_MS - AHEAD_MS))
}
