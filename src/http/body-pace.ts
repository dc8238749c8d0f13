import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'

/** The deadline for the body of a JSON call, on all surfaces but that of client programs (decision 120). */
export const BODY_DEADLINE_MS = 60 * SECOND_MS

/** The slowest upload allowed: `bytes` a tick, averaged over `ticks`. */
const MINIMUM_PACE = { bytes: 16 * 1024, tick_ms: SECOND_MS, ticks: 30 }

/** A body that did not arrive in time: status 408, with the code of an unreadable body (decision 120). */
class LateBodyRefusal extends Refusal {
  override readonly status = 408

  constructor(message: string) {
    super('INVALID_JSON', message)
  }
}

const bodyTimers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Ends the call if its body does not arrive in time, even if the call was already refused. Calling this
 * function again replaces the deadline.
 */
export function setBodyDeadline({ raw }: FastifyRequest, reply: FastifyReply, ms: number): void {
  clearBodyDeadline(raw)
  // Requests injected by tests have no socket.
  if (!hasBody(raw) || !(raw.socket instanceof Socket)) return
  const abortLateBody = () =>
    abortBody(raw, reply, `The body did not arrive within ${ms / SECOND_MS} s.`)
  bodyTimers.set(raw, setTimeout(abortLateBody, ms).unref())
  raw.once('close', () => clearBodyDeadline(raw))
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function clearBodyDeadline(raw: IncomingMessage): void {
  clearTimeout(bodyTimers.get(raw))
  bodyTimers.delete(raw)
}

/**
 * Answers 408 if the body is being read and no answer has started. Otherwise closes the connection.
 */
function abortBody(raw: IncomingMessage, reply: FastifyReply, message: string): void {
  if (raw.complete) return
  const canAnswer = !reply.raw.headersSent && raw.listenerCount('error') > 0
  if (!canAnswer) raw.socket.destroy()
  else raw.emit('error', new LateBodyRefusal(message))
}

/** Replaces the deadline of a body with a minimum pace, until `end` is called. */
export function watchPace({ raw }: FastifyRequest, reply: FastifyReply, pace = MINIMUM_PACE) {
  clearBodyDeadline(raw)
  const { socket } = raw
  // Requests injected by tests have no socket.
  if (!(socket instanceof Socket)) return { end: () => undefined }
  const receivedBytes: number[] = []
  let lastBytesRead = socket.bytesRead
  const timer = setInterval(() => {
    // A full buffer means that our storage is slow, not the caller.
    const isFull = raw.readableLength >= raw.readableHighWaterMark
    receivedBytes.push(isFull ? pace.bytes : socket.bytesRead - lastBytesRead)
    lastBytesRead = socket.bytesRead
    if (receivedBytes.length > pace.ticks) receivedBytes.shift()
    const total = receivedBytes.reduce((sum, bytes) => sum + bytes, 0)
    if (receivedBytes.length < pace.ticks || total >= pace.bytes * pace.ticks) return
    abortBody(
      raw,
      reply,
      `The upload is too slow. Send a file at ${pace.bytes} bytes a second or more.`,
    )
  }, pace.tick_ms).unref()
  return { end: () => clearInterval(timer) }
}
