import { SendFailure } from './outcome.rules.ts'

/** The maximum of a chunk-size line with its extensions, and of all trailer fields together. */
const LINE_MAX = 4 * 1024
const TRAILER_MAX = 16 * 1024
const LF = 10
const PLAIN_LINE = /^[\da-f]*\r$/i
const SIZE = /^([\da-f]{1,12})[\t ]*(?:;|$)/i

/** Reads a chunked body in pieces of any size (RFC 9112, section 7.1). */
export class ChunkReader {
  readonly #onData: (bytes: Buffer) => void
  /** The next part: a chunk-size line, data, the line end after data, or trailer fields. */
  #expects: 'size' | 'data' | 'data_end' | 'trailer' = 'size'
  #remaining = 0
  #line = ''
  #trailer = 0
  #isWhole = false
  #isPlain = true

  constructor(onData: (bytes: Buffer) => void) {
    this.#onData = onData
  }

  /**
   * False if there was anything that receivers interpret differently: bare LF, extensions, trailer
   * fields.
   */
  get isPlain(): boolean {
    return this.#isPlain
  }

  /** Returns the bytes after the body, once the body is complete. */
  read(bytes: Buffer): Buffer | undefined {
    let rest: Buffer | undefined = bytes
    while (rest && rest.length > 0 && !this.#isWhole) {
      rest = this.#expects === 'data' ? this.#readData(rest) : this.#readLine(rest)
    }
    return this.#isWhole ? rest : undefined
  }

  /** Returns the bytes after the line, if the line ends within `bytes`. */
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
    const length = Math.min(this.#remaining, bytes.length)
    this.#onData(bytes.subarray(0, length))
    this.#remaining -= length
    if (this.#remaining === 0) this.#expects = 'data_end'
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
      this.#remaining = Number.parseInt(size, 16)
      this.#expects = this.#remaining === 0 ? 'trailer' : 'data'
    }
  }
}

const broken = () => new SendFailure('invalid_response', 'The chunks of the answer are broken.')
