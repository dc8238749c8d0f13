import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedPostgres } from '../process/real-postgres.ts'
import { until } from '../until.ts'
import { type Answer, answerOk, type Received } from './receiver.ts'
import {
  type Delivery,
  deliveriesOf,
  expectAllEmittedOnce,
  expectCompleteHistories,
  makeRetriesDue,
  untilIdle,
} from './records.ts'
import { LONG, type Setup, withSetup } from './setup.ts'

const EVENTS = 3
const ATTEMPTS_MAX = 7
const BODY_MAX = 4 * 1024
const GIGABYTE = 1_000_000_000
/** More bytes than fit into the socket buffers of a machine. */
const STREAMED_MAX = 64_000_000

/** Answers by writing to the socket. */
const onSocket =
  (write: (socket: Socket) => void): Answer =>
  (_, socket) =>
    write(socket)
const writes = (...parts: (string | Buffer)[]) =>
  onSocket((socket) => {
    for (const part of parts) socket.write(part)
  })
const head = (status: number, ...lines: string[]) =>
  `HTTP/1.1 ${status} Bad\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`

let streamedBytes = 0

/** Sends a body of 1 GB as fast as the sender of the webhook reads. */
const streamsLargeBody = (status: number) =>
  onSocket((socket) => {
    const chunk = 'x'.repeat(65_536)
    const writeChunks = () => {
      while (!socket.destroyed) {
        streamedBytes += chunk.length
        if (!socket.write(chunk)) return
      }
    }
    socket.on('drain', writeChunks)
    socket.write(head(status, `content-length: ${GIGABYTE}`))
    writeChunks()
  })

/** Sends `first`, and then `part` every 100 ms. */
const sendsSlowly = (first: string, part: string) =>
  onSocket((socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(part), 100)
    socket.on('close', () => clearInterval(timer))
  })

interface ReceiverCase {
  answer: Answer
  /** The status of the delivery after the first attempt. */
  status: 'pending' | 'succeeded'
  status_code?: number
  error?: RegExp
  /** The part of the body that is stored. */
  body?: string | RegExp
}

const BOMB = gzipSync(Buffer.alloc(20_000_000))

const RECEIVERS: Record<string, ReceiverCase> = {
  '/healthy': { answer: answerOk, status: 'succeeded', status_code: 200, body: 'ok' },
  '/hangs': { answer: () => undefined, status: 'pending', error: /^timeout: / },
  '/endless-headers': {
    answer: sendsSlowly('HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
    status: 'pending',
    error: /^timeout: /,
  },
  '/slow-body': {
    answer: sendsSlowly(head(200, 'content-length: 100000'), 'z'),
    status: 'succeeded',
    status_code: 200,
    body: /^z+$/,
  },
  '/large-body-of-500': {
    answer: streamsLargeBody(500),
    status: 'pending',
    status_code: 500,
    error: /^http_status: /,
    body: 'x'.repeat(BODY_MAX),
  },
  '/large-body-of-200': {
    answer: streamsLargeBody(200),
    status: 'succeeded',
    status_code: 200,
    body: 'x'.repeat(BODY_MAX),
  },
  '/gzip-bomb': {
    answer: writes(head(503, 'content-encoding: gzip', `content-length: ${BOMB.length}`), BOMB),
    status: 'pending',
    status_code: 503,
    error: /^http_status: /,
    // The second byte of gzip is not UTF-8.
    body: /^.\ufffd/,
  },
  '/nul-characters': {
    answer: writes(head(400, 'content-length: 8'), Buffer.from('a\0b\0\0c\xff\0', 'latin1')),
    status: 'pending',
    status_code: 400,
    error: /^http_status: /,
    body: 'abc\ufffd',
  },
  '/endless-interim-answers': {
    answer: sendsSlowly('', 'HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n'),
    status: 'pending',
    error: /^timeout: /,
  },
  '/5000-interim-answers': {
    answer: writes('HTTP/1.1 102 Processing\r\n\r\n'.repeat(5_000)),
    status: 'pending',
    error: /^invalid_response: /,
  },
  '/not-http': {
    answer: writes('SSH-2.0-OpenSSH_9.2\r\n\0\0\0\r\n\r\n'),
    status: 'pending',
    error: /^invalid_response: /,
  },
  '/resets': {
    answer: onSocket((socket) => void socket.resetAndDestroy()),
    status: 'pending',
    error: /^connection_reset: /,
  },
}
const PATHS = Object.keys(RECEIVERS)

const requirePostgres = sharedPostgres()

test(
  'a faulty receiver gets one request for each attempt, delays no delivery to a healthy receiver, and its attempts are recorded with the error',
  async (context) => {
    const postgresServer = requirePostgres(context)
    await withSetup({ postgres: postgresServer, paths: PATHS }, async (setup) => {
      const { receiver } = setup
      for (const [path, { answer }] of Object.entries(RECEIVERS)) receiver.setAnswer(answer, [path])
      await setup.startWorker()
      await setup.emit(EVENTS)
      await expectHealthyFirst(setup)
      await untilAttempted(setup, 1)
      expectFirstAttempts(await deliveriesOf(setup))
      if (LONG) return expectAllAttemptsFail(setup)

      receiver.setAnswer(answerOk, PATHS)
      await makeRetriesDue(setup)
      await untilIdle(setup)
      const deliveries = await deliveriesOf(setup)
      const faultyPaths = PATHS.filter((path) => RECEIVERS[path]?.status === 'pending')
      await expectAllEmittedOnce(setup, { resent_max: faultyPaths.length * EVENTS })
      expectOneRequestPerAttempt(receiver.received, deliveries)
      expect(streamedBytes).toBeLessThan(STREAMED_MAX)
    })
  },
  LONG ? 400_000 : 60_000,
)

/** Expects that deliveries to the healthy receiver end while attempts to the hanging receiver still run. */
async function expectHealthyFirst(setup: Setup): Promise<void> {
  const deliveriesTo = async (path: string) =>
    (await deliveriesOf(setup)).filter((delivery) => delivery.path === path)
  await until(async () => (await deliveriesTo('/healthy')).filter(isOver).length === EVENTS)
  expect(await deliveriesTo('/hangs')).toEqual([])
}

const isOver = ({ status }: Delivery) => status === 'succeeded' || status === 'failed'

/** Waits until each delivery has this many attempts, or has ended. */
async function untilAttempted(setup: Setup, attempts: number): Promise<void> {
  await until(async () => {
    const deliveries = await deliveriesOf(setup)
    return (
      deliveries.length === PATHS.length * EVENTS &&
      deliveries.every((delivery) => isOver(delivery) || delivery.attempts >= attempts)
    )
  })
}

function expectFirstAttempts(deliveries: readonly Delivery[]): void {
  const recorded = deliveries.map(({ eventId, earlierAttempts, ...fields }) => fields)
  const expected = deliveries.map(({ path }) => {
    const { status, status_code = null, error, body } = RECEIVERS[path] as ReceiverCase
    return {
      path,
      status,
      attempts: 1,
      status_code,
      error: error ? expect.stringMatching(error) : null,
      response_body: body instanceof RegExp ? expect.stringMatching(body) : (body ?? null),
    }
  })
  expect(recorded).toEqual(expected)
  for (const { response_body } of deliveries) {
    expect(Buffer.byteLength(response_body ?? '')).toBeLessThanOrEqual(BODY_MAX)
  }
}

/** Expects that the receiver got the attempts 1, 2, 3 … of each delivery. */
function expectOneRequestPerAttempt(
  received: readonly Received[],
  deliveries: readonly Delivery[],
): void {
  for (const { eventId, path, attempts } of deliveries) {
    const requests = received.filter((item) => item.eventId === eventId && item.path === path)
    expect(requests.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: attempts }, (_, n) => n + 1),
    )
  }
}

/** Makes all retries due, and expects that a delivery fails after seven attempts. */
async function expectAllAttemptsFail(setup: Setup): Promise<void> {
  for (let attempts = 2; attempts <= ATTEMPTS_MAX; attempts++) {
    await makeRetriesDue(setup)
    await untilAttempted(setup, attempts)
  }
  await untilIdle(setup)
  const deliveries = await deliveriesOf(setup)
  expect(deliveries.map(({ path, status, attempts }) => ({ path, status, attempts }))).toEqual(
    deliveries.map(({ path }) =>
      RECEIVERS[path]?.status === 'succeeded'
        ? { path, status: 'succeeded', attempts: 1 }
        : { path, status: 'failed', attempts: ATTEMPTS_MAX },
    ),
  )
  expectCompleteHistories(deliveries)
  expectOneRequestPerAttempt(setup.receiver.received, deliveries)
  expect(setup.receiver.faults).toEqual([])
}
