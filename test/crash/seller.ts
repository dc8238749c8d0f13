import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifySignature } from '../../src/sender/signature.ts'
import { chanceOf } from '../chance.mjs'
import { now_s } from '../clock.ts'
import { openLocalServer } from '../local-server.ts'
import { elapse } from '../until.ts'

/** The stages of a request at which a test can kill the server that sent it. */
export const STAGES = ['before the answer', 'right after the answer', 'later'] as const
type Stage = (typeof STAGES)[number]

/** The attempts of one request for the text of a delivery. */
interface TextRequest {
  orderId: string
  attempts: number[]
  /** The answered texts. Each attempt gets a different text, so that a second delivery is detected. */
  texts: string[]
}

/** A seller's server that answers slowly with a text. */
export interface Seller {
  url: string
  secret: string
  /** The requests by their `id`. */
  requests: ReadonlyMap<string, TextRequest>
  /** Requests whose signature does not verify, or that differ from an earlier attempt. */
  faults: string[]
  /** Calls the function once, at this stage of the n-th request from now. */
  runAt(n: number, stage: Stage, action: () => void): Promise<void>
  close(): Promise<void>
}

const SLOW_MS = 60

interface PlannedAction {
  remainingRequests: number
  stage: Stage
  run: () => void
}

export async function openSeller(): Promise<Seller> {
  const requests = new Map<string, TextRequest>()
  const faults: string[] = []
  const chance = chanceOf('a slow seller')
  let planned: PlannedAction | undefined

  const server = await openLocalServer(async (request, response) => {
    // The body is incomplete if the sender was killed during the request.
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const text = answerCall(body, (name) => String(request.headers[name]))
    const action = planned && --planned.remainingRequests === 0 ? planned : undefined
    if (action?.stage === 'before the answer') action.run()
    await elapse(chance() * SLOW_MS)
    await sendAnswer(response, text)
    if (action?.stage === 'later') await elapse(chance() * SLOW_MS)
    if (action && action.stage !== 'before the answer') action.run()
  })

  /** Returns the text that answers the request. */
  function answerCall(body: Buffer, header: (name: string) => string): string {
    const { id, order } = JSON.parse(body.toString())
    if (!verifySignature(seller.secret, header('service-signature'), body, now_s())) {
      faults.push(`${id}: the signature does not verify.`)
    }
    const known = requests.get(id) ?? { orderId: order.id, attempts: [], texts: [] }
    if (known.orderId !== order.id) faults.push(`${id}: the order has changed.`)
    const text = `KEY-${id}-${known.texts.length + 1}`
    const attempts = [...known.attempts, Number(header('service-delivery-attempt'))]
    requests.set(id, { ...known, attempts, texts: [...known.texts, text] })
    return text
  }

  const seller: Seller = {
    url: `${server.origin}/`,
    secret: '',
    requests,
    faults,
    runAt: (n, stage, action) =>
      new Promise((resolve) => {
        const run = () => {
          planned = undefined
          action()
          resolve()
        }
        planned = { remainingRequests: n, stage, run }
      }),
    close: server.close,
  }
  return seller
}

/** Sends the text, and waits until the operating system has it, or the sender has disconnected. */
function sendAnswer(response: ServerResponse, text: string): Promise<unknown> {
  const closed = once(response, 'close')
  response.end(text)
  return closed
}
