import { once } from 'node:events'
import { type MessagePort, Worker } from 'node:worker_threads'

/** Messages of the worker, besides those of its connections. */
type Word =
  | { ready: true }
  | { awake: true }
  | { dump: Uint8Array }
  | { reset: boolean }
  | { died: unknown }

/** The number of checks without an answer after which the worker is ended. */
const LOOKS = 15

/** The statement timeout, and the start of the watch. */
interface Watch {
  statement_ms: number
  from?: Promise<void> | undefined
}

/** A worker thread that runs PostgreSQL. */
export class Thread {
  /** Rejects if the worker dies before it is ready. */
  readonly ready: Promise<void>
  readonly #worker: Worker
  #cause: unknown
  #looks = 0

  constructor(workerData: object, { statement_ms, from }: Watch, onExit: (cause: unknown) => void) {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData })
    this.#worker = worker
    worker.on('error', (error) => {
      this.#cause ??= error
    })
    let watch: NodeJS.Timeout | undefined
    let ended = false
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (word: Word) => {
        this.markAlive()
        if ('died' in word) this.#cause ??= word.died
        if (!('ready' in word)) return
        resolve()
        void from?.then(look)
        if (!from) look()
      })
      const look = () => {
        if (ended || !Number.isFinite(statement_ms)) return
        watch = setInterval(() => this.#look(statement_ms), statement_ms / LOOKS).unref()
      }
      worker.once('exit', (code) => {
        ended = true
        clearInterval(watch)
        this.#cause ??= new Error(`The embedded database ended with code ${code}.`)
        onExit(this.#cause)
        reject(this.#cause)
      })
    })
    this.ready.catch(() => {})
  }

  /** To be called at every answer, which proves that the worker is alive. */
  markAlive() {
    this.#looks = 0
  }

  open(port: MessagePort) {
    this.#worker.postMessage(port, [port])
  }

  async dump(): Promise<Uint8Array> {
    this.#worker.postMessage('dump')
    for (;;) {
      const [word]: Word[] = await once(this.#worker, 'message')
      if (word && 'dump' in word) return word.dump
    }
  }

  keep() {
    this.#worker.postMessage('keep')
  }

  /** Returns false if the worker dies meanwhile. */
  async reset(): Promise<boolean> {
    this.#worker.postMessage('reset')
    const ended = new AbortController()
    const { signal } = ended
    try {
      const exit = once(this.#worker, 'exit', { signal }).then(() => ({ reset: false }))
      for (;;) {
        const message = once(this.#worker, 'message', { signal }).then(([word]): Word => word)
        const word = await Promise.race([message, exit])
        if ('reset' in word) return word.reset
      }
    } finally {
      ended.abort()
    }
  }

  async close() {
    const exit = once(this.#worker, 'exit')
    this.#worker.postMessage('close')
    await exit
  }

  async terminate(reason: string) {
    this.#cause ??= new Error(reason)
    await this.#worker.terminate()
  }

  // Checks are counted instead of time, because a blocked main thread receives no answers either.
  #look(statement_ms: number) {
    if (this.#looks++ < LOOKS) return this.#worker.postMessage('awake?')
    return this.terminate(`The embedded database was silent for ${statement_ms} ms.`)
  }
}
