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

  override _write(chunk: Buffer, _encoding: string, callback: () => void) {
    // A small Buffer is a view of a larger memory block, which would be transferred as a whole.
    const bytes = new Uint8Array(chunk)
    this.#port.postMessage(bytes, [bytes.buffer])
    callback()
  }

  /** Sends the five messages of a query, which `pg` corks, as one. */
  override _writev(chunks: { chunk: Buffer }[], callback: () => void) {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', callback)
  }

  override _final(callback: () => void) {
    this.push(null)
    callback()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void) {
    this.#port.close()
    callback(error)
  }
}
