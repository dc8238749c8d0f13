import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'

/** A message port with the parts of the socket interface that `pg` uses. */
export class PortStream extends Duplex {
  readonly #port: MessagePort

  constructor(port: MessagePort, onAnswer: () => void) {
    super()
    this.#port = port
    port.on('message', (bytes: Uint8Array) => {
      onAnswer()
      this.push(bytes)
    })
    port.on('close', () => this.destroy(new Error('The embedded database ended the connection.')))
  }

  connect() {
    process.nextTick(() => this.emit('connect'))
  }

  setNoDelay() {}

  ref() {
    this.#port.ref()
  }

  unref() {
    this.#port.unref()
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    // Copied, because a small Buffer is a view, and its whole memory would be transferred.
    const bytes = new Uint8Array(chunk)
    this.#port.postMessage(bytes, [bytes.buffer])
    done()
  }

  /** `pg` corks the five messages of a query; they are sent as one. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void) {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done)
  }

  override _final(done: () => void) {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#port.close()
    done(error)
  }
}
