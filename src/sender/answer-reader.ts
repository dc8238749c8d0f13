import { readHead } from './answer.rules.ts'
import { ChunkReader } from './chunk-reader.ts'
import { SendFailure } from './outcome.rules.ts'

/** Receives the parts of an answer while it is read. */
export interface AnswerListener {
  /** Called for interim answers (1xx) too. */
  onHeaders(status: number): void
  /** The next read overwrites `bytes`, so bytes that are needed later must be copied. */
  onData(bytes: Buffer): void
}

const HEAD_MAX = 16 * 1024
const SWITCHING_PROTOCOLS = 101
const LF = 10
const CR = 13
const EMPTY = Buffer.alloc(0)

/**
 * Reads the answer to one request, in pieces of any size (RFC 9112). Throws a `SendFailure` if the answer is
 * not HTTP/1.
 */
export class AnswerReader {
  readonly #listener: AnswerListener
  /** The start of an incomplete head. */
  #head = EMPTY
  #keep_ms = 0
  /** True if an interim answer allows the receiver to close the connection after it. */
  #interimCloses = false
  #body: number | ChunkReader | 'until_end' | undefined = undefined

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  /**
   * Reads the next bytes. Returns undefined until the answer is complete. Then returns the time in milliseconds
   * for which the connection may be reused; 0 if it may not.
   */
  read(bytes: Buffer): number | undefined {
    let remaining = bytes
    while (this.#body === undefined) {
      const bytesAfterHead = this.#readHead(remaining)
      if (!bytesAfterHead) return undefined
      remaining = bytesAfterHead
    }
    const bytesAfterBody = this.#readBody(this.#body, remaining)
    if (!bytesAfterBody) return undefined
    const isUnambiguous = !(this.#body instanceof ChunkReader) || this.#body.isPlain
    return bytesAfterBody.length === 0 && isUnambiguous && !this.#interimCloses ? this.#keep_ms : 0
  }

  /** Call this when the connection has ended. Returns true if its end completes the answer. */
  end(): boolean {
    return this.#body === 'until_end'
  }

  /** Returns the bytes after the head, once the head is complete. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const all = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    // The bytes that were scanned before may end within the empty line.
    const end = endOfHead(all, Math.max(0, this.#head.length - 2))
    if ((end ?? all.length) > HEAD_MAX) {
      throw new SendFailure('invalid_response', "The answer's header is larger than 16 KB.")
    }
    if (end === undefined) {
      if (!mayBeHead(all)) throw invalidHttp()
      // The read buffer is overwritten by the next read.
      this.#head = Buffer.from(all)
      return undefined
    }
    this.#head = EMPTY
    const head = readHead(all.toString('latin1', 0, end))
    if (!head || head.status === SWITCHING_PROTOCOLS) throw invalidHttp()
    this.#listener.onHeaders(head.status)
    if (head.status < 200) this.#interimCloses ||= head.keep_ms === 0
    else {
      this.#keep_ms = head.keep_ms
      this.#body = head.body === 'chunked' ? this.#newChunks() : head.body
    }
    return all.subarray(end)
  }

  #newChunks = () => new ChunkReader((bytes) => this.#listener.onData(bytes))

  /** Returns the bytes after the body, once the body is complete. */
  #readBody(body: number | ChunkReader | 'until_end', bytes: Buffer): Buffer | undefined {
    if (body instanceof ChunkReader) return body.read(bytes)
    const length = body === 'until_end' ? bytes.length : Math.min(body, bytes.length)
    if (length > 0) this.#listener.onData(bytes.subarray(0, length))
    if (body === 'until_end') return undefined
    this.#body = body - length
    return this.#body === 0 ? bytes.subarray(length) : undefined
  }
}

const invalidHttp = () => new SendFailure('invalid_response', 'The answer is not valid HTTP/1.1.')

/** Rejects other protocols at the first bytes, without waiting for the end of the head. */
const mayBeHead = (bytes: Buffer): boolean => 'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))

/** Returns the position after the first empty line that follows a line end at `from` or later. */
function endOfHead(bytes: Buffer, from: number): number | undefined {
  for (
    let lineEnd = bytes.indexOf(LF, from);
    lineEnd !== -1;
    lineEnd = bytes.indexOf(LF, lineEnd + 1)
  ) {
    if (bytes[lineEnd + 1] === LF) return lineEnd + 2
    if (bytes[lineEnd + 1] === CR && bytes[lineEnd + 2] === LF) return lineEnd + 3
  }
  return undefined
}
