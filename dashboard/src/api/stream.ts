import { API } from './call.ts'

/** The kinds of messages of a stream, and the events of its connection. */
const TYPES = ['open', 'error', 'order', 'delivery', 'counts'] as const

export interface StreamMessage {
  type: (typeof TYPES)[number]
  /** JSON; undefined for the events of the connection. */
  data?: string
}

interface StoreStream {
  storeId: string
  /** Resolves at the first message. Every later change is in the stream. */
  begun: Promise<void>
  /** True after the first message. */
  hasBegun: boolean
  /** Passes on all messages, also those that arrived before. */
  listen(receive: (message: StreamMessage) => void): void
  close(): void
}

function openStream(storeId: string): StoreStream {
  const source = new EventSource(`${API}/stores/${storeId}/stream`)
  const keptMessages: StreamMessage[] = []
  let receive = (message: StreamMessage): void => void keptMessages.push(message)
  for (const type of TYPES) {
    source.addEventListener(type, (event) => receive({ type, data: (event as MessageEvent).data }))
  }
  const stream: StoreStream = {
    storeId,
    begun: new Promise((resolve) => {
      source.addEventListener('counts', () => resolve(), { once: true })
    }),
    hasBegun: false,
    listen(next) {
      for (const message of keptMessages) next(message)
      receive = next
    },
    close: () => source.close(),
  }
  void stream.begun.then(() => {
    stream.hasBegun = true
  })
  return stream
}

let preparedStream: StoreStream | undefined

/** Opens the stream of a store while the code of its page loads, so that the page need not read its data again. */
export function prepareStream(storeId: string): Promise<void> {
  preparedStream = openStream(storeId)
  return preparedStream.begun
}

/** Returns the prepared stream of the store, once, or opens one. */
export function takeStream(storeId: string): StoreStream {
  const stream = preparedStream
  preparedStream = undefined
  if (stream?.storeId === storeId) return stream
  stream?.close()
  return openStream(storeId)
}
