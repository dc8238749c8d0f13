import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { verifySignature } from '../../src/sender/signature.ts'

/** The moment at which a server is killed: before its receiver answers, right after, or a little later. */
export const MOMENTS = ['asked', 'answered', 'later'] as const
export type Moment = (typeof MOMENTS)[number]

interface Asked {
  orderId: string
  attempts: number[]
  /** Another text at every request, so that a second delivery would show. */
  texts: string[]
}

/** A seller's server that takes its time to answer with a text. */
export interface Seller {
  url: string
  secret: string
  /** The requests by their `id`. */
  asked: ReadonlyMap<string, Asked>
  /** Requests whose signature does not verify, or that differ from an earlier attempt. */
  faults: string[]
  /** Calls the function once, at this moment of the n-th request from now. */
  strike(n: number, moment: Moment, work: () => void): Promise<void>
  close(): Promise<void>
}

const SLOW_MS = 60

interface Strike {
  left: number
  moment: Moment
  work: () => void
}

export async function openSeller(): Promise<Seller> {
  const asked = new Map<string, Asked>()
  const faults: string[] = []
  let strike: Strike | undefined

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The sender was killed in the middle of it.
      return
    }
    const text = answerCall(Buffer.concat(chunks), (name) => String(request.headers[name]))
    const struck = strike && --strike.left === 0 ? strike : undefined
    if (struck?.moment === 'asked') struck.work()
    await pause(Math.random() * SLOW_MS)
    await answered(response, text)
    if (struck?.moment === 'later') await pause(Math.random() * SLOW_MS)
    if (struck && struck.moment !== 'asked') struck.work()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** Returns the text that answers the request. */
  function answerCall(body: Buffer, header: (name: string) => string): string {
    const { id, order } = JSON.parse(body.toString())
    if (!verifySignature(seller.secret, header('service-signature'), body, Date.now() / 1_000)) {
      faults.push(`${id}: the signature does not verify.`)
    }
    const before = asked.get(id) ?? { orderId: order.id, attempts: [], texts: [] }
    if (before.orderId !== order.id) faults.push(`${id}: another order than before.`)
    const text = `KEY-${id}-${before.texts.length + 1}`
    const attempts = [...before.attempts, Number(header('service-delivery-attempt'))]
    asked.set(id, { ...before, attempts, texts: [...before.texts, text] })
    return text
  }

  const seller: Seller = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret: '',
    asked,
    faults,
    strike: (left, moment, work) =>
      new Promise((resolve) => {
        const strikeOnce = () => {
          strike = undefined
          work()
          resolve()
        }
        strike = { left, moment, work: strikeOnce }
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return seller
}

/** Sends the text, and waits until the operating system has it, or the sender is gone. */
function answered(response: ServerResponse, text: string): Promise<unknown> {
  const closed = once(response, 'close')
  response.end(text)
  return closed
}
