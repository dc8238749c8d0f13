import { SendFailure } from './outcome.rules.ts'

/** The maximum length of a chunk-size line with its extensions. */
const LINE_MAX = 4 * 1024
/** The maximum length of all trailer fields together. */
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
  #trailerLength = 0
  #isComplete = false
  #isPlain = true

  constructor(onData: (bytes: Buffer) => void) {
    this.#onData = onData
  }

  /**
   * False if the body had anything that parsers interpret differently: bare LF, extensions, trailer fields.
   */
  get isPlain(): boolean {
    return this.#isPlain
  }

  /** Returns the bytes after the body, once the body is complete. */
  read(bytes: Buffer): Buffer | undefined {
    let remaining: Buffer | undefined = bytes
    while (remaining && remaining.length > 0 && !this.#isComplete) {
      remaining = this.#expects === 'data' ? this.#readData(remaining) : this.#readLine(remaining)
    }
    return this.#isComplete ? remaining : undefined
  }

  /** Returns the bytes after the line, if the line ends within `bytes`. */
  #readLine(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(LF)
    this.#line += bytes.toString('latin1', 0, end === -1 ? bytes.length : end)
    if (this.#line.length > LINE_MAX) throw invalidChunks()
    if (end === -1) return undefined
    this.#isPlain &&= PLAIN_LINE.test(this.#line)
    this.#parseLine(this.#line.replace(/\r$/, ''))
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

  #parseLine(line: string): void {
    if (this.#expects === 'trailer') {
      this.#trailerLength += line.length
      if (this.#trailerLength > TRAILER_MAX) throw invalidChunks()
      this.#isComplete = line === ''
      if (!this.#isComplete) this.#isPlain = false
    } else if (this.#expects === 'data_end') {
      if (line !== '') throw invalidChunks()
      this.#expects = 'size'
    } else {
      const size = SIZE.exec(line)?.[1]
      if (size === undefined) throw invalidChunks()
      this.#remaining = Number.parseInt(size, 16)
      this.#expects = this.#remaining === 0 ? 'trailer' : 'data'
    }
  }
}

const invalidChunks = () =>
  new SendFailure('invalid_response', 'The chunks of the response are invalid.')
