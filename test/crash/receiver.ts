import { buffer } from 'node:stream/consumers'
import { verifySignature } from '../../src/sender/signature.ts'
import { now_s } from '../clock.ts'
import type { Json } from '../harness.ts'
import { openLocalServer } from '../local-server.ts'

interface ReceivedEvent {
  id: string
  type: string
  objectId: string
  object: Json
  /** The values of `Service-Delivery-Attempt`, sorted by arrival. */
  attempts: number[]
}

/** A receiver that verifies each webhook and answers 200. */
export interface Receiver {
  url: string
  /** The signing secret, which the test sets after it has created the endpoint. */
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

  const server = await openLocalServer(async (request, response) => {
    // The body is incomplete if the sender was killed during the request.
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    receive(body, (name) => String(request.headers[name]))
    response.end('ok')
  })

  function receive(body: Buffer, header: (name: string) => string) {
    const id = header('service-event-id')
    if (!verifySignature(receiver.secret, header('service-signature'), body, now_s())) {
      faults.push(`${id}: the signature does not verify.`)
    }
    const text = body.toString()
    if ((bodies.get(id) ?? text) !== text) faults.push(`${id}: the body has changed.`)
    bodies.set(id, text)
    const { type, data } = JSON.parse(text)
    const before = received.get(id)
    const attempts = [...(before?.attempts ?? []), Number(header('service-delivery-attempt'))]
    received.set(id, { id, type, objectId: String(data.object.id), object: data.object, attempts })
  }

  const receiver: Receiver = {
    url: `${server.origin}/`,
    secret: '',
    received,
    faults,
    close: server.close,
  }
  return receiver
}
