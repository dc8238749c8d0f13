import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { StoreError } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'

/** When the body of a JSON call must be there, on all surfaces but the runtime (decision 120). */
export const BODY_DEADLINE_MS = 60 * SECOND_MS

/** The pace of an upload: at least `bytes` a tick, averaged over a number of ticks. */
const PACE = { bytes: 16 * 1024, tick_ms: SECOND_MS, ticks: 30 }

/** 408, under the code of a body that cannot be read (decision 205). */
class LateBodyError extends StoreError {
  constructor(why: string) {
    super('INVALID_JSON', why)
  }

  override get status(): number {
    return 408
  }
}

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Cuts a body that is not there in time, whether it is read or was refused before. Calling it again
 * sets another deadline.
 */
export function setBodyDeadline({ raw }: FastifyRequest, reply: FastifyReply, ms: number): void {
  clearBodyDeadline(raw)
  // A request that a test injects has no socket to end.
  if (!hasBody(raw) || !(raw.socket instanceof Socket)) return
  const late = () => cutBody(raw, reply, `The body did not arrive within ${ms / SECOND_MS} s.`)
  timers.set(raw, setTimeout(late, ms).unref())
  raw.once('close', () => clearBodyDeadline(raw))
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function clearBodyDeadline(raw: IncomingMessage): void {
  clearTimeout(timers.get(raw))
  timers.delete(raw)
}

/** The reader of the body gets the error, so that the call is answered; without one, the connection ends. */
function cutBody(raw: IncomingMessage, reply: FastifyReply, why: string): void {
  if (raw.complete) return
  const canAnswer = !reply.raw.headersSent && raw.listenerCount('error') > 0
  if (!canAnswer) raw.socket.destroy()
  else raw.emit('error', new LateBodyError(why))
}

/** Replaces the deadline of a body by the pace of an upload, until `end`. */
export function watchPace({ raw }: FastifyRequest, reply: FastifyReply, pace = PACE) {
  clearBodyDeadline(raw)
  const { socket } = raw
  // A request that no socket brought is a test's.
  if (!(socket instanceof Socket)) return { end: () => undefined }
  const received: number[] = []
  let before = socket.bytesRead
  const timer = setInterval(() => {
    // A full buffer waits for our storage, not for the caller.
    const isFull = raw.readableLength >= raw.readableHighWaterMark
    received.push(isFull ? pace.bytes : socket.bytesRead - before)
    before = socket.bytesRead
    if (received.length > pace.ticks) received.shift()
    const total = received.reduce((sum, bytes) => sum + bytes, 0)
    if (received.length < pace.ticks || total >= pace.bytes * pace.ticks) return
    cutBody(raw, reply, `Send a file at ${pace.bytes} bytes a second or more.`)
  }, pace.tick_ms).unref()
  return { end: () => clearInterval(timer) }
}
