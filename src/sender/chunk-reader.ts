import { SendFailure } from './outcome.rules.ts'

/** Of a chunk's length with its extensions, and of all trailer fields together. */
const LINE_MAX = 4 * 1024
const TRAILER_MAX = 16 * 1024
const LF = 10
const PLAIN_LINE = /^[\da-f]*\r$/i
const SIZE = /^([\da-f]{1,12})[\t ]*(?:;|$)/i

/** Takes a chunked body apart, in whatever pieces it comes (RFC 9112, section 7.1). */
export class ChunkReader {
  readonly #onData: (bytes: Buffer) => void
  /** What comes next: a line with a length, so many bytes, the line end behind them, trailer fields. */
  #expects: 'size' | 'data' | 'data_end' | 'trailer' = 'size'
  #left = 0
  #line = ''
  #trailer = 0
  #isWhole = false
  #isPlain = true

  constructor(onData: (bytes: Buffer) => void) {
    this.#onData = onData
  }

  /** Whether there was nothing that readers understand differently: bare LF, extensions, trailer fields. */
  get isPlain(): boolean {
    return this.#isPlain
  }

  /** Gives what stands behind the body, once that is whole. */
  read(bytes: Buffer): Buffer | undefined {
    let rest: Buffer | undefined = bytes
    while (rest && rest.length > 0 && !this.#isWhole) {
      rest = this.#expects === 'data' ? this.#readData(rest) : this.#readLine(rest)
    }
    return this.#isWhole ? rest : undefined
  }

  /** Gives what stands behind the line, where it ends here. */
  #readLine(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(LF)
    this.#line += bytes.toString('latin1', 0, end === -1 ? bytes.length : end)
    if (this.#line.length > LINE_MAX) throw broken()
    if (end === -1) return undefined
    this.#isPlain &&= PLAIN_LINE.test(this.#line)
    this.#takeLine(this.#line.replace(/\r$/, ''))
    this.#line = ''
    return bytes.subarray(end + 1)
  }

  #readData(bytes: Buffer): Buffer {
    const length = Math.min(this.#left, bytes.length)
    this.#onData(bytes.subarray(0, length))
    this.#left -= length
    if (this.#left === 0) this.#expects = 'data_end'
    return bytes.subarray(length)
  }

  #takeLine(line: string): void {
    if (this.#expects === 'trailer') {
      this.#trailer += line.length
      if (this.#trailer > TRAILER_MAX) throw broken()
      this.#isWhole = line === ''
      if (!this.#isWhole) this.#isPlain = false
    } else if (this.#expects === 'data_end') {
      if (line !== '') throw broken()
      this.#expects = 'size'
    } else {
      const size = SIZE.exec(line)?.[1]
      if (size === undefined) throw broken()
      this.#left = Number.parseInt(size, 16)
      this.#expects = this.#left === 0 ? 'trailer' : 'data'
    }
  }
}

const broken = () => new SendFailure('invalid_response', 'The chunks of the answer are broken.')
