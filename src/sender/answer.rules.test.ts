import { describe, expect, test } from 'vitest'
import { readHead } from './answer.rules.ts'

const readHeadOf = (...lines: string[]) => readHead(`${lines.join('\r\n')}\r\n\r\n`)
const OK = 'HTTP/1.1 200 OK'

describe('the body of an answer', () => {
  test.each([
    ['a length', ['Content-Length: 12'], 12],
    ['the same length twice', ['content-length: 12', 'Content-Length: 12'], 12],
    ['the same length twice in a line', ['content-length: 12, 12'], 12],
    ['no length', [], 'until_end'],
    ['chunks', ['Transfer-Encoding: chunked'], 'chunked'],
    ['chunks of compressed data', ['transfer-encoding: gzip, Chunked'], 'chunked'],
    ['another coding', ['transfer-encoding: gzip'], 'until_end'],
    ['chunks and a length', ['content-length: 3', 'transfer-encoding: chunked'], 'chunked'],
    ['a field whose name only ends with content-length', ['x-content-length: 3'], 'until_end'],
  ])('with %s (%j) is read as "%s"', (_, fields, body) => {
    expect(readHeadOf(OK, ...fields)).toMatchObject({ status: 200, body })
  })

  test.each([100, 103, 204, 304])(
    'an answer %i has no body, whatever its fields declare',
    (status) => {
      expect(readHeadOf(`HTTP/1.1 ${status}`, 'content-length: 9')).toMatchObject({
        status,
        body: 0,
      })
    },
  )
})

describe('the time for which a connection is kept', () => {
  const LENGTH = 'content-length: 0'

  test.each([
    ['HTTP/1.1', [LENGTH], 4_000],
    ['HTTP/1.1', [LENGTH, 'connection: close'], 0],
    ['HTTP/1.1', [LENGTH, 'connection: x, Close'], 0],
    ['HTTP/1.1', [], 0],
    ['HTTP/1.1', [LENGTH, 'keep-alive: timeout=600'], 4_000],
    ['HTTP/1.1', [LENGTH, 'keep-alive: max=9, timeout=3'], 2_000],
    ['HTTP/1.1', [LENGTH, 'keep-alive: timeout=1'], 0],
    ['HTTP/1.1', [LENGTH, 'transfer-encoding: chunked'], 0],
    ['HTTP/1.0', [LENGTH], 0],
    ['HTTP/1.0', [LENGTH, 'connection: keep-alive'], 4_000],
    ['HTTP/1.0', [LENGTH, 'connection: keep-alive, close'], 0],
    ['HTTP/1.0', ['transfer-encoding: chunked', 'connection: keep-alive'], 0],
  ])('for %s with %j is %i ms', (version, fields, keep_ms) => {
    expect(readHeadOf(`${version} 200 OK`, ...fields)).toMatchObject({ keep_ms })
  })
})

test.each(['content-length: 3', 'transfer-encoding: chunked'])(
  'a connection is not kept after an answer without a body that announces one with %s',
  (field) => {
    expect(readHeadOf('HTTP/1.1 204', field)).toMatchObject({ body: 0, keep_ms: 0 })
  },
)

test('lines may end with LF alone, values may be folded, and a reason may be missing', () => {
  const foldedHead = 'content-length: 3\n'
  expect(readHead(`HTTP/1.1 201\nx: a\n b\n${foldedHead}\n`)).toMatchObject({
    status: 201,
    body: 3,
  })
})

test.each([
  ['another protocol', 'ICY 200 OK\r\n\r\n'],
  ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['no status', 'HTTP/1.1 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status that begins with 0', 'HTTP/1.1 020 OK\r\n\r\n'],
  ['a line without a name', `${OK}\r\nhello\r\n\r\n`],
  ['a space after a name', `${OK}\r\nContent-Length : 3\r\n\r\n`],
  ['a NUL in a value', `${OK}\r\nx: a\0b\r\n\r\n`],
  ['a CR in a value', `${OK}\r\nx: a\rb\r\n\r\n`],
  ['a length in hexadecimal', `${OK}\r\ncontent-length: 0x3\r\n\r\n`],
  ['a negative length', `${OK}\r\ncontent-length: -1\r\n\r\n`],
  ['two lengths', `${OK}\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n`],
])('%s is an invalid head', (_, text) => {
  expect(readHead(text)).toBeUndefined()
})
