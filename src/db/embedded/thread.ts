import { once } from 'node:events'
import { type MessagePort, Worker } from 'node:worker_threads'
import { CODE_FOLDER } from '../../kernel/code-folder.ts'

/** A message of the worker, in addition to those of its connections. */
type WorkerMessage =
  | { ready: true }
  | { awake: true }
  | { dump: Uint8Array }
  | { reset: boolean }
  | { crash: unknown }

/** The number of unanswered checks after which the worker is ended. */
const UNANSWERED_MAX = 15

interface Watch {
  /** The statement timeout. */
  statement_ms: number
  /** The watch starts when this resolves; if omitted, when the worker is ready. */
  startsAfter?: Promise<void> | undefined
}

/** A worker thread that runs PostgreSQL. */
export class Thread {
  /** Rejects if the worker crashes before it is ready. */
  readonly ready: Promise<void>
  readonly #worker: Worker
  #cause: unknown
  #unanswered = 0

  constructor(
    workerData: object,
    { statement_ms, startsAfter }: Watch,
    onExit: (cause: unknown) => void,
  ) {
    const worker = new Worker(new URL('db/embedded/worker.mjs', CODE_FOLDER), { workerData })
    this.#worker = worker
    worker.on('error', (error) => {
      this.#cause ??= error
    })
    let watch: NodeJS.Timeout | undefined
    let hasEnded = false
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        this.recordAnswer()
        if ('crash' in message) this.#cause ??= message.crash
        if (!('ready' in message)) return
        resolve()
        void startsAfter?.then(startChecks)
        if (!startsAfter) startChecks()
      })
      const startChecks = () => {
        if (hasEnded || !Number.isFinite(statement_ms)) return
        watch = setInterval(() => this.#check(statement_ms), statement_ms / UNANSWERED_MAX).unref()
      }
      worker.once('exit', (code) => {
        hasEnded = true
        clearInterval(watch)
        this.#cause ??= new Error(`The embedded database ended with code ${code}.`)
        onExit(this.#cause)
        reject(this.#cause)
      })
    })
    this.ready.catch(() => {})
  }

  /** Records an answer, which proves that the worker is alive. */
  recordAnswer() {
    this.#unanswered = 0
  }

  open(port: MessagePort) {
    this.#worker.postMessage(port, [port])
  }

  async dump(): Promise<Uint8Array> {
    this.#worker.postMessage('dump')
    for (;;) {
      const [message]: WorkerMessage[] = await once(this.#worker, 'message')
      if (message && 'dump' in message) return message.dump
    }
  }

  save() {
    this.#worker.postMessage('save')
  }

  /** Restores the saved state. Returns false if the worker crashes before that. */
  async reset(): Promise<boolean> {
    this.#worker.postMessage('reset')
    const stopListening = new AbortController()
    const { signal } = stopListening
    try {
      const exit = once(this.#worker, 'exit', { signal }).then(() => ({ reset: false }))
      for (;;) {
        const nextMessage = once(this.#worker, 'message', { signal })
        const received = nextMessage.then(([message]): WorkerMessage => message)
        const message = await Promise.race([received, exit])
        if ('reset' in message) return message.reset
      }
    } finally {
      stopListening.abort()
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

  // Checks are counted, and not time, because a blocked main thread also receives no answers.
  #check(statement_ms: number) {
    if (this.#unanswered++ < UNANSWERED_MAX) return this.#worker.postMessage('awake?')
    return this.terminate(`The embedded database did not answer for ${statement_ms} ms.`)
  }
}
