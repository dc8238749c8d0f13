// Setup for tests of the sender.
import type { Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { elapse } from '../../test/until.ts'
import type { Outcome } from './outcome.rules.ts'
import { startReceiver } from './receiver.fixture.ts'
import { createSender, type SenderOptions } from './sender.ts'

export const DEADLINE_MS = 400
const BODY = Buffer.from('{"id":"evt_1"}')
export const LOCAL = new Set(['127.0.0.1', 'localhost'])

export function senderWith(options: Partial<SenderOptions> = {}) {
  const sender = createSender({ allowedHosts: LOCAL, deadline_ms: DEADLINE_MS, ...options })
  onTestFinished(sender.close)
  return sender
}

/** Starts a receiver that is closed after the test. */
export async function openReceiver(answer: (socket: Socket, nth: number) => void) {
  const receiver = await startReceiver(answer)
  onTestFinished(receiver.close)
  return receiver
}

export const requestTo = (port: number, host = '127.0.0.1') => ({
  url: `http://${host}:${port}/hook?a=1`,
  headers: { 'Service-Event-Id': 'evt_1' },
  body: BODY,
})

/**
 * Resolves after at least this time, in steps of 10 ms that each give the event loop a turn, so
 * that due work runs on a busy machine too.
 */
export async function waitInTicks(ms: number): Promise<void> {
  for (let n = 0; n < ms / 10; n++) await elapse(10)
}

/** Sends one request to a receiver that answers this way, and returns the outcome. */
export async function outcomeOf(answer: (socket: Socket) => void): Promise<Outcome> {
  const { port } = await openReceiver(answer)
  return senderWith().send(requestTo(port))
}

export const respondWith = (bytes: string) => (socket: Socket) => void socket.write(bytes)
export const answerOk = respondWith('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')

/** Writes these bytes again and again. */
export function dripBytes(socket: Socket, bytes: string, every_ms = 20) {
  const timer = setInterval(() => socket.write(bytes), every_ms)
  socket.on('close', () => clearInterval(timer))
}

export const failure = (error_code: string, fields: Partial<Outcome> = {}) => ({
  ok: false,
  status_code: null,
  error_code,
  error: expect.stringMatching(new RegExp(`^${error_code}: [A-Z].*\\.$`)),
  response_body: null,
  duration_ms: expect.any(Number),
  ...fields,
})

export const success = (status_code: number, response_body: string) => ({
  ok: true,
  status_code,
  error_code: null,
  error: null,
  response_body,
  duration_ms: expect.any(Number),
})
