import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { AnswerReader } from './answer-reader.ts'
import { SendFailure } from './outcome.rules.ts'

/** Reads an answer in these pieces. Each piece is overwritten after it was read, as by the socket. */
function read(pieces: readonly Buffer[]) {
  const statuses: number[] = []
  let body = ''
  const reader = new AnswerReader({
    onHeaders: (status) => void statuses.push(status),
    onData: (bytes) => {
      body += bytes.toString('latin1')
    },
  })
  let keep_ms: number | undefined
  for (const piece of pieces) {
    const reusedPiece = Buffer.from(piece)
    keep_ms = reader.read(reusedPiece)
    reusedPiece.fill('?')
  }
  return { statuses, body, keep_ms, ended: keep_ms === undefined && reader.end() }
}

const readText = (text: string) => read([Buffer.from(text, 'latin1')])

const CHUNKS = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

describe('an answer', () => {
  test('after interim answers is read', () => {
    const text = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n'
    expect(readText(`${text}HTTP/1.1 202 Yes\r\ncontent-length: 2\r\n\r\nok`)).toEqual({
      statuses: [100, 103, 202],
      body: 'ok',
      keep_ms: 4_000,
      ended: false,
    })
  })

  test('in chunks with extensions and trailer fields is read', () => {
    const chunks = '5;a="b"\r\nhello\r\n1 \r\n,\r\n00\r\nx: y\r\nz:\r\n\r\n'
    expect(readText(CHUNKS + chunks)).toMatchObject({ body: 'hello,', keep_ms: 0 })
  })

  test.each([
    ['a bare LF in its head', 'HTTP/1.1 200 OK\ncontent-length: 2\r\n\r\nok'],
    ['a folded field', 'HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\nok'],
    ['a control character', 'HTTP/1.1 200 OK\r\nx: \x0b\r\ncontent-length: 2\r\n\r\nok'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\n\r\nok'],
    ['a length and chunks', `${CHUNKS.trim()}\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['a bare LF in its chunks', `${CHUNKS}2\nok\r\n0\r\n\r\n`],
    ['a tab after its coding', `${CHUNKS.trim()}\t\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['a chunk extension', `${CHUNKS}2;a\r\nok\r\n0\r\n\r\n`],
    ['a trailer field', `${CHUNKS}2\r\nok\r\n0\r\nx: y\r\n\r\n`],
    [
      'Proxy-Connection: close',
      'HTTP/1.1 200 OK\r\nproxy-connection: close\r\ncontent-length: 2\r\n\r\nok',
    ],
    [
      'an interim answer of HTTP/1.0',
      'HTTP/1.0 100 Go\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    ],
  ])('with %s is read, and its connection is not reused (decision 110)', (_, text) => {
    expect(readText(text)).toMatchObject({ body: 'ok', keep_ms: 0 })
  })

  test('without a length is read until the connection ends', () => {
    const answer = readText('HTTP/1.0 200 OK\r\n\r\nall of it')
    expect(answer).toMatchObject({ body: 'all of it', keep_ms: undefined, ended: true })
  })

  test('with extra bytes after it is read, and its connection is not reused', () => {
    const answer = readText('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok?')
    expect(answer).toMatchObject({ body: 'ok', keep_ms: 0 })
    expect(readText(`${CHUNKS}0\r\n\r\n\r\n`)).toMatchObject({ body: '', keep_ms: 0 })
  })

  test('that is cut short is incomplete', () => {
    for (const text of ['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no'])
      expect(readText(text)).toMatchObject({ keep_ms: undefined, ended: false })
    for (const chunks of ['', '5\r\nhel', '5\r\nhello', '5\r\nhello\r\n', '0\r\n', '0\r\nx: y\r\n'])
      expect(readText(CHUNKS + chunks)).toMatchObject({ keep_ms: undefined, ended: false })
  })
})

test.each([
  ['a length of twenty digits', `HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(20)}\r\n\r\n`],
  [
    'a bad length in an answer without a body',
    'HTTP/1.1 304 Not Modified\r\ncontent-length: x\r\n\r\n',
  ],
  ['a folded status line', 'HTTP/1.1\r\n 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['bytes that do not begin with HTTP', 'SSH-2.0-OpenSSH'],
  ['another protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
  ['a head of 17 KB', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}`],
  ['a chunk without a length', `${CHUNKS}\r\n`],
  ['a chunk with a sign', `${CHUNKS}-1\r\n`],
  ['a chunk of 2^52 bytes', `${CHUNKS}10000000000000\r\n`],
  ['a chunk longer than it says', `${CHUNKS}2\r\nabc\r\n`],
  ['an endless extension', `${CHUNKS}1;${'x'.repeat(5_000)}`],
  ['endless trailer fields', `${CHUNKS}0\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(20)}`],
])('%s is refused', (_, text) => {
  expect(() => readText(text)).toThrow(SendFailure)
})

const ascii = (minLength: number, maxLength: number) =>
  fc.string({ unit: 'binary-ascii', minLength, maxLength })
const withChunks = fc.array(ascii(1, 40), { maxLength: 6 }).map((parts) => {
  const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
  return { head: 'transfer-encoding: chunked', bytes: `${chunks}0\r\n\r\n`, body: parts.join('') }
})
const withLength = ascii(0, 80).map((body) => ({
  head: `content-length: ${body.length}`,
  bytes: body,
  body,
}))
const interimAnswers = fc.constantFrom(
  '',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 102 P\r\nx: y\r\n\r\n',
)
const lineEnd = fc.constantFrom('\r\n', '\n')

test('an answer is read the same, however it is split into pieces', () => {
  const finalStatus = fc
    .integer({ min: 200, max: 599 })
    .filter((item) => item !== 204 && item !== 304)
  const cuts = fc.array(fc.nat(300), { maxLength: 12 })
  const answers = fc.record({
    interimAnswers,
    finalStatus,
    end: lineEnd,
    answer: fc.oneof(withChunks, withLength),
  })
  fc.assert(
    fc.property(answers, cuts, (item, cutPositions) => {
      const { head, bytes, body } = item.answer
      const start = `${item.interimAnswers}HTTP/1.1 ${item.finalStatus} Yes${item.end}${head}${item.end}${item.end}`
      const output = read(cutAt(Buffer.from(start + bytes, 'latin1'), cutPositions))
      expect(output).toMatchObject({ body, keep_ms: item.end === '\n' ? 0 : 4_000 })
      expect(output.statuses.at(-1)).toBe(item.finalStatus)
    }),
  )
})

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const positions = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length]
  positions.sort((left, right) => left - right)
  const pieces = positions.slice(1).map((end, index) => bytes.subarray(positions[index], end))
  return pieces.filter((piece) => piece.length > 0)
}

test('a head that arrives byte by byte is scanned only once', () => {
  const head = Buffer.from(`HTTP/1.1 200 OK\n${'x:\n'.repeat(200)}content-length: 0\r\n\r\n`)
  const pieces = [...head].map((byte) => Buffer.from([byte]))
  const indexOf = vi.spyOn(Buffer.prototype, 'indexOf')
  onTestFinished(() => indexOf.mockRestore())
  expect(read(pieces)).toMatchObject({ statuses: [200], keep_ms: 0 })
  expect(indexOf.mock.calls.length).toBeLessThan(3 * head.length)
})

test('any bytes are read as an answer, or refused with a SendFailure', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 8 })
  const starts = fc.constantFrom('', 'HTTP/1.1 200 OK\r\n', CHUNKS)
  fc.assert(
    fc.property(starts, pieces, (start, chunks) => {
      try {
        read([Buffer.from(start), ...chunks.map((piece) => Buffer.from(piece))])
      } catch (error) {
        expect(error).toBeInstanceOf(SendFailure)
      }
    }),
  )
})
