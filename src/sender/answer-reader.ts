import { readHead } from './answer.rules.ts'
import { ChunkReader } from './chunk-reader.ts'
import { SendFailure } from './outcome.rules.ts'

/** Receives the parts of an answer while it is read. */
export interface AnswerListener {
  /** Called for interim answers (1xx) too. */
  onHeaders(status: number): void
  /** `bytes` is overwritten by the next read; copy what is kept. */
  onData(bytes: Buffer): void
}

const HEAD_MAX = 16 * 1024
const SWITCHING_PROTOCOLS = 101
const LF = 10
const CR = 13
const NOTHING = Buffer.alloc(0)

/**
 * Reads the answer to one request, in pieces of any size (RFC 9112). Throws a `SendFailure` if it
 * is not HTTP/1.
 */
export class AnswerReader {
  readonly #hearer: AnswerListener
  /** The start of an incomplete head. */
  #head = NOTHING
  #keep_ms = 0
  /** True if an interim answer allows the receiver to close the connection after it. */
  #interimCloses = false
  #body: number | ChunkReader | 'until_end' | undefined = undefined

  constructor(answerListener: AnswerListener) {
    this.#hearer = answerListener
  }

  /**
   * Reads the next bytes. Returns undefined until the answer is complete; then for how many ms its
   * connection may be reused, or 0.
   */
  read(bytes: Buffer): number | undefined {
    let rest = bytes
    while (this.#body === undefined) {
      const behind = this.#readHead(rest)
      if (!behind) return undefined
      rest = behind
    }
    const behind = this.#readBody(this.#body, rest)
    if (!behind) return undefined
    const isCertain = !(this.#body instanceof ChunkReader) || this.#body.isPlain
    return behind.length === 0 && isCertain && !this.#interimCloses ? this.#keep_ms : 0
  }

  /** To be called when the connection ended; returns true if that completes the answer. */
  end(): boolean {
    return this.#body === 'until_end'
  }

  /** Returns the bytes after the head, once the head is complete. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const all = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    // The bytes scanned before may end within the empty line.
    const end = endOfHead(all, Math.max(0, this.#head.length - 2))
    if ((end ?? all.length) > HEAD_MAX) {
      throw new SendFailure('invalid_response', "The answer's header is larger than 16 KB.")
    }
    if (end === undefined) {
      if (!mayBeHead(all)) throw notHttp()
      // The read buffer is overwritten by the next read.
      this.#head = Buffer.from(all)
      return undefined
    }
    this.#head = NOTHING
    const head = readHead(all.toString('latin1', 0, end))
    if (!head || head.status === SWITCHING_PROTOCOLS) throw notHttp()
    this.#hearer.onHeaders(head.status)
    if (head.status < 200) this.#interimCloses ||= head.keep_ms === 0
    else {
      this.#keep_ms = head.keep_ms
      this.#body = head.body === 'chunked' ? this.#newChunks() : head.body
    }
    return all.subarray(end)
  }

  #newChunks = () => new ChunkReader((bytes) => this.#hearer.onData(bytes))

  /** Returns the bytes after the body, once the body is complete. */
  #readBody(body: number | ChunkReader | 'until_end', bytes: Buffer): Buffer | undefined {
    if (body instanceof ChunkReader) return body.read(bytes)
    const length = body === 'until_end' ? bytes.length : Math.min(body, bytes.length)
    if (length > 0) this.#hearer.onData(bytes.subarray(0, length))
    if (body === 'until_end') return undefined
    this.#body = body - length
    return this.#body === 0 ? bytes.subarray(length) : undefined
  }
}

const notHttp = () => new SendFailure('invalid_response', 'The answer is not valid HTTP/1.1.')

/** Rejects other protocols at the first bytes, without waiting for the end of the head. */
const mayBeHead = (bytes: Buffer): boolean => 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))

/** Returns the position after the first empty line that follows a line end at `from` or later. */
function endOfHead(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return undefined
}
