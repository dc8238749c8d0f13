import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'

/** Deadline for the body of a JSON call, on all surfaces but the runtime (decision 120). */
export const BODY_DEADLINE_MS = 60 * SECOND_MS

/** The slowest upload allowed: `bytes` a tick, averaged over `ticks`. */
const PACE = { bytes: 16 * 1024, tick_ms: SECOND_MS, ticks: 30 }

/** 408, with the code of an unreadable body (decision 205). */
class LateBody extends Refusal {
  override readonly status = 408

  constructor(why: string) {
    super('INVALID_JSON', why)
  }
}

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Ends the call if its body does not arrive in time, even if the call was already refused. A second
 * call of this function replaces the deadline.
 */
export function setBodyDeadline({ raw }: FastifyRequest, reply: FastifyReply, ms: number): void {
  clearBodyDeadline(raw)
  // Requests injected by tests have no socket.
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

/**
 * Answers 408 if something is reading the body and no answer has started; otherwise closes the
 * connection.
 */
function cutBody(raw: IncomingMessage, reply: FastifyReply, why: string): void {
  if (raw.complete) return
  const canAnswer = !reply.raw.headersSent && raw.listenerCount('error') > 0
  if (!canAnswer) raw.socket.destroy()
  else raw.emit('error', new LateBody(why))
}

/** Replaces the deadline of a body by a minimum pace, until `end` is called. */
export function watchPace({ raw }: FastifyRequest, reply: FastifyReply, pace = PACE) {
  clearBodyDeadline(raw)
  const { socket } = raw
  // Requests injected by tests have no socket.
  if (!(socket instanceof Socket)) return { end: () => undefined }
  const received: number[] = []
  let before = socket.bytesRead
  const timer = setInterval(() => {
    // A full buffer means that our storage is slow, not the caller.
    const isFull = raw.readableLength >= raw.readableHighWaterMark
    received.push(isFull ? pace.bytes : socket.bytesRead - before)
    before = socket.bytesRead
    if (received.length > pace.ticks) received.shift()
    const total = received.reduce((sum, bytes) => sum + bytes, 0)
    if (received.length < pace.ticks || total >= pace.bytes * pace.ticks) return
    cutBody(
      raw,
      reply,
      `The upload is too slow. Send a file at ${pace.bytes} bytes a second or more.`,
    )
  }, pace.tick_ms).unref()
  return { end: () => clearInterval(timer) }
}
