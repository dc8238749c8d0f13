import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifySignature } from '../../src/sender/signature.ts'
import type { Json } from '../harness.ts'

export interface ReceivedEvent {
  id: string
  type: string
  objectId: string
  object: Json
  /** The values of `Service-Delivery-Attempt`, in order of arrival. */
  attempts: number[]
}

/** A receiver that verifies each webhook and answers 200. */
export interface Receiver {
  url: string
  /** Shown once, when the endpoint was made; nothing is verified before. */
  secret: string
  /** The received events, by event id. */
  received: ReadonlyMap<string, ReceivedEvent>
  /** Requests whose signature does not verify, or that differ from an earlier attempt. */
  faults: string[]
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received = new Map<string, ReceivedEvent>()
  const faults: string[] = []
  const bodies = new Map<string, string>()

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The sender was killed in the middle of it.
      return
    }
    receive(Buffer.concat(chunks), (name) => String(request.headers[name]))
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function receive(body: Buffer, header: (name: string) => string) {
    const id = header('service-event-id')
    const now_s = Date.now() / 1_000
    if (!verifySignature(receiver.secret, header('service-signature'), body, now_s)) {
      faults.push(`${id}: the signature does not verify.`)
    }
    const text = body.toString()
    if ((bodies.get(id) ?? text) !== text) faults.push(`${id}: another body than before.`)
    bodies.set(id, text)
    const { type, data } = JSON.parse(text)
    const before = received.get(id)
    const attempts = [...(before?.attempts ?? []), Number(header('service-delivery-attempt'))]
    received.set(id, { id, type, objectId: String(data.object.id), object: data.object, attempts })
  }

  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret: '',
    received,
    faults,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
