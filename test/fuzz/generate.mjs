// Generates answers, as faulty or hostile receivers may send them: from a grammar or from the corpus, with random
// changes. The same seed generates the same answers.

/** @typedef {() => number} Random */

const STATUS_LINES = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 200 OK',
  'HTTP/1.1 201 Created',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 304 Not Modified',
  'HTTP/1.1 301 Moved',
  'HTTP/1.1 404 Not Found',
  'HTTP/1.1 500 Oops',
  'HTTP/1.1 200',
  'HTTP/1.1 200 ',
  'HTTP/1.1 205 Reset',
  'HTTP/1.1 101 Switching',
  'HTTP/1.1 599 x',
  'HTTP/2.0 200 OK',
  'HTTP/1.2 200 OK',
  'HTTP/1.1 099 x',
  'HTTP/1.1 1000 x',
  'http/1.1 200 OK',
  'ICY 200 OK',
]
const INTERIMS = [
  'HTTP/1.1 100 Continue',
  'HTTP/1.1 103 Early Hints',
  'HTTP/1.0 100 Go',
  'HTTP/1.1 199 x',
]
const NAMES = [
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'Keep-Alive',
  'Upgrade',
  'Trailer',
  'Date',
  'Server',
  'X-A',
  'content-length',
  'TRANSFER-ENCODING',
  'Proxy-Connection',
  'Content-Length ',
  'Content_Length',
]
const VALUES = [
  '0',
  '5',
  '05',
  '+5',
  '-5',
  '5, 5',
  '5, 6',
  '5,',
  ' 5 ',
  '0x5',
  '5 5',
  '99999999999999999999',
  'chunked',
  'Chunked',
  'gzip, chunked',
  'chunked, gzip',
  'chunked, chunked',
  'identity',
  'x-chunked',
  'chunked;q=1',
  '"chunked"',
  ',chunked',
  'chunked,',
  'gzip',
  'close',
  'keep-alive',
  'Close',
  'keep-alive, close',
  'upgrade',
  'timeout=5',
  'timeout=0',
  'timeout=1, max=2',
  'timeout=600',
  '',
  ' ',
  '\t',
  'a\tb',
  '\xa0chunked',
  '\xa05',
  'close\xa0',
  '\x0bchunked',
  'chunked\x85',
  'ü',
  '\x0b',
  'x'.repeat(300),
]
const SIZES = [
  '5',
  '0005',
  '5;a=b',
  '5 ',
  ' 5',
  '5\t',
  '0x5',
  '+5',
  '-5',
  '5;',
  '5 ;a',
  'g',
  '',
  'FFFFFFFFFFFFFFFFF',
  '00',
]
const TOKENS = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\n\n',
  '\r\n ',
  '\r\n\t',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '0\r\n\r\n',
  '5\r\nhello\r\n',
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  '\xff',
  '\x7f',
  '0',
  '1',
]

/** @template T @param {Random} random @param {readonly T[]} list @returns {T} */
const pick = (random, list) => /** @type {T} */ (list[Math.floor(random() * list.length)])
/** Returns a whole number from 0 to `max`. */
const upTo = (/** @type {Random} */ random, /** @type {number} */ max) =>
  Math.floor(random() * (max + 1))
const repeat = (/** @type {number} */ times, /** @type {() => string} */ generate) =>
  Array.from({ length: times }, generate).join('')

/** @param {Random} random */
const endOfLine = (random) => (random() < 0.02 ? '\n' : '\r\n')

/** @param {Random} random @param {string} line */
function generateHead(random, line, firstFields = '') {
  const field = () => {
    const colon = pick(random, [': ', ': ', ':', ':\t', ' : '])
    return pick(random, NAMES) + colon + pick(random, VALUES) + endOfLine(random)
  }
  const fields = [firstFields, repeat(upTo(random, 3), field)]
  if (random() < 0.5) fields.reverse()
  return line + endOfLine(random) + fields.join('') + endOfLine(random)
}

/** @param {Random} random */
function generateChunks(random) {
  const chunk = () =>
    random() < 0.85
      ? `${pick(random, ['5', '05', '5;a=b'])}\r\nhello\r\n`
      : `${pick(random, SIZES)}${endOfLine(random)}hello${endOfLine(random)}`
  const trailer = random() < 0.2 ? generateHead(random, 'X-T: 1') : '\r\n'
  return `${repeat(upTo(random, 3), chunk)}${pick(random, ['0', '0', '0', '00', '0;x'])}\r\n${trailer}`
}

/** @param {Random} random */
function generateFromGrammar(random) {
  const interims =
    random() < 0.15
      ? repeat(1 + upTo(random, 1), () => generateHead(random, pick(random, INTERIMS)))
      : ''
  const line = pick(random, random() < 0.7 ? STATUS_LINES.slice(0, 4) : STATUS_LINES)
  const kind = random()
  const surplus = random() < 0.1 ? pick(random, TOKENS) : ''
  if (kind < 0.4)
    return `${interims}${generateHead(random, line, 'Content-Length: 5\r\n')}hello${surplus}`
  if (kind < 0.8) {
    return (
      interims +
      generateHead(random, line, 'Transfer-Encoding: chunked\r\n') +
      generateChunks(random) +
      surplus
    )
  }
  return `${interims}${generateHead(random, line)}${pick(random, ['', 'hello', generateChunks(random)])}${surplus}`
}

/** @param {Random} random @param {string} text @param {readonly string[]} corpus */
function mutate(random, text, corpus) {
  const from = upTo(random, text.length)
  const to = Math.min(text.length, from + upTo(random, 12))
  const [before, selected, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  switch (upTo(random, 6)) {
    case 0:
      return before + after
    case 1:
      return before + selected + selected + after
    case 2:
      return before + pick(random, TOKENS) + selected + after
    case 3:
      return before + String.fromCharCode(upTo(random, 255)) + text.slice(from + 1)
    case 4:
      return before + selected.replaceAll('\r\n', pick(random, ['\n', '\r', '\r\r\n'])) + after
    case 5:
      return before + pick(random, corpus).slice(upTo(random, 40))
    default:
      return text.slice(0, from)
  }
}

/**
 * Returns a random answer.
 *
 * @param {Random} random
 * @param {readonly string[]} corpus
 */
export function generateAnswer(random, corpus) {
  let text = random() < 0.8 ? generateFromGrammar(random) : pick(random, corpus)
  const times = random() < 0.4 ? 0 : 1 + upTo(random, 2)
  for (let n = 0; n < times; n++) text = mutate(random, text, corpus)
  return text
}

/**
 * Divides bytes into pieces, as a network may: one piece, single bytes, or several pieces.
 *
 * @param {Random} random
 * @param {Buffer} bytes
 * @returns {Buffer[]}
 */
export function divide(random, bytes) {
  const kind = random()
  if (bytes.length === 0 || kind < 0.3) return [bytes]
  let lengthMax = bytes.length
  if (kind < 0.4) lengthMax = 1
  else if (kind < 0.7) lengthMax = 12
  const pieces = []
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + upTo(random, lengthMax - 1)
    pieces.push(bytes.subarray(from, to))
    from = to
  }
  return pieces
}
