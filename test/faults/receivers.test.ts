import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Unavailable } from '../postgres/server.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { type Answer, fine, type Received } from './listener.ts'
import {
  type Delivery,
  deliveriesOf,
  expectAllEmittedOnce,
  expectWholeHistories,
  passWaits,
  untilIdle,
} from './records.ts'
import { LONG, type Scene, until, withScene } from './scene.ts'

const EVENTS = 3
const TRIES = 7
const BODY_MAX = 4 * 1024
const GIGABYTE = 1_000_000_000
/** More bytes than the socket buffers of a machine hold. */
const POURED_MAX = 64_000_000

const raw =
  (write: (socket: Socket) => void): Answer =>
  (_, socket) =>
    write(socket)
const says = (...parts: (string | Buffer)[]) =>
  raw((socket) => {
    for (const part of parts) socket.write(part)
  })
const head = (status: number, ...lines: string[]) =>
  `HTTP/1.1 ${status} Bad\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`

let poured = 0

const pours = (status: number) =>
  raw((socket) => {
    const chunk = 'x'.repeat(65_536)
    const pour = () => {
      while (!socket.destroyed) {
        poured += chunk.length
        if (!socket.write(chunk)) return
      }
    }
    socket.on('drain', pour)
    socket.write(head(status, `content-length: ${GIGABYTE}`))
    pour()
  })

const drips = (first: string, drop: string) =>
  raw((socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(drop), 100)
    socket.on('close', () => clearInterval(timer))
  })

interface Mode {
  answer: Answer
  /** The recorded status of one attempt. */
  status: 'pending' | 'succeeded'
  status_code?: number
  error?: RegExp
  /** The part of the body that is stored. */
  body?: string | RegExp
}

const BOMB = gzipSync(Buffer.alloc(20_000_000))

const MODES: Record<string, Mode> = {
  '/well': { answer: fine, status: 'succeeded', status_code: 200, body: 'ok' },
  '/hangs': { answer: () => undefined, status: 'pending', error: /^timeout: / },
  '/drips': {
    answer: drips('HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
    status: 'pending',
    error: /^timeout: /,
  },
  '/drips-its-body': {
    answer: drips(head(200, 'content-length: 100000'), 'z'),
    status: 'succeeded',
    status_code: 200,
    body: /^z+$/,
  },
  '/pours': {
    answer: pours(500),
    status: 'pending',
    status_code: 500,
    error: /^http_status: /,
    body: 'x'.repeat(BODY_MAX),
  },
  '/pours-and-is-well': {
    answer: pours(200),
    status: 'succeeded',
    status_code: 200,
    body: 'x'.repeat(BODY_MAX),
  },
  '/bombs': {
    answer: says(head(503, 'content-encoding: gzip', `content-length: ${BOMB.length}`), BOMB),
    status: 'pending',
    status_code: 503,
    error: /^http_status: /,
    // The second byte of gzip is no UTF-8.
    body: /^.\ufffd/,
  },
  '/sends-nul': {
    answer: says(head(400, 'content-length: 8'), Buffer.from('a\0b\0\0c\xff\0', 'latin1')),
    status: 'pending',
    status_code: 400,
    error: /^http_status: /,
    body: 'abc\ufffd',
  },
  '/drips-interim': {
    answer: drips('', 'HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n'),
    status: 'pending',
    error: /^timeout: /,
  },
  '/floods-interim': {
    answer: says('HTTP/1.1 102 Processing\r\n\r\n'.repeat(5_000)),
    status: 'pending',
    error: /^invalid_response: /,
  },
  '/babbles': {
    answer: says('SSH-2.0-OpenSSH_9.2\r\n\0\0\0\r\n\r\n'),
    status: 'pending',
    error: /^invalid_response: /,
  },
  '/resets': {
    answer: raw((socket) => void socket.resetAndDestroy()),
    status: 'pending',
    error: /^connection_reset: /,
  },
}
const PATHS = Object.keys(MODES)

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

test(
  'every kind of bad receiver: one request an attempt, no delivery delays another, and each ends once',
  async (context) => {
    const own = postgresOrSkip(context, postgres)
    await withScene({ postgres: own, paths: PATHS }, async (scene) => {
      const { listener } = scene
      for (const [path, { answer }] of Object.entries(MODES)) listener.answer(answer, [path])
      await scene.worker()
      await scene.emit(EVENTS)
      await expectTheHealthyFirst(scene)
      await tried(scene, 1)
      expectAsSaid(await deliveriesOf(scene), 1)
      if (LONG) return expectGivenUp(scene)

      listener.answer(fine, PATHS)
      await passWaits(scene)
      await untilIdle(scene)
      const deliveries = await deliveriesOf(scene)
      const failing = PATHS.filter((path) => MODES[path]?.status === 'pending').length
      await expectAllEmittedOnce(scene, { again_max: failing * EVENTS })
      expectReceived(listener.received, deliveries)
      expect(poured).toBeLessThan(POURED_MAX)
    })
  },
  LONG ? 400_000 : 60_000,
)

/** Deliveries to healthy receivers end while attempts to hanging receivers still run. */
async function expectTheHealthyFirst(scene: Scene): Promise<void> {
  const of = async (path: string) =>
    (await deliveriesOf(scene)).filter((item) => item.path === path)
  await until(async () => (await of('/well')).filter(isOver).length === EVENTS)
  expect(await of('/hangs')).toEqual([])
}

const isOver = ({ status }: Delivery) => status === 'succeeded' || status === 'failed'

/** Until each delivery has so many attempts, or has ended. */
async function tried(scene: Scene, attempts: number): Promise<void> {
  await until(async () => {
    const deliveries = await deliveriesOf(scene)
    return (
      deliveries.length === PATHS.length * EVENTS &&
      deliveries.every((item) => isOver(item) || item.attempts >= attempts)
    )
  })
}

function expectAsSaid(deliveries: readonly Delivery[], attempts: number): void {
  const recorded = deliveries.map(({ event, numbers, ...shown }) => shown)
  const said = deliveries.map(({ path }) => {
    const { status, status_code = null, error, body } = MODES[path] as Mode
    return {
      path,
      status,
      attempts: status === 'succeeded' ? 1 : attempts,
      status_code,
      error: error ? expect.stringMatching(error) : null,
      response_body: body instanceof RegExp ? expect.stringMatching(body) : (body ?? null),
    }
  })
  expect(recorded).toEqual(said)
  for (const { response_body } of deliveries) {
    expect(Buffer.byteLength(response_body ?? '')).toBeLessThanOrEqual(BODY_MAX)
  }
}

/** As often as was tried, under the numbers 1, 2, 3 …: no request that the log does not know. */
function expectReceived(received: readonly Received[], deliveries: readonly Delivery[]): void {
  for (const { event, path, attempts } of deliveries) {
    const numbers = received.filter((item) => item.event === event && item.path === path)
    expect(numbers.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: attempts }, (_, at) => at + 1),
    )
  }
}

/** Seven attempts, all bad: failed, and no further attempt. */
async function expectGivenUp(scene: Scene): Promise<void> {
  for (let attempts = 2; attempts <= TRIES; attempts++) {
    await passWaits(scene)
    await tried(scene, attempts)
  }
  await untilIdle(scene)
  const deliveries = await deliveriesOf(scene)
  const wrong = deliveries.filter(
    ({ path, status, attempts }) =>
      !(MODES[path]?.status === 'succeeded'
        ? status === 'succeeded' && attempts === 1
        : status === 'failed' && attempts === TRIES),
  )
  expect(wrong).toEqual([])
  expectWholeHistories(deliveries)
  expectReceived(scene.listener.received, deliveries)
  expect(scene.listener.faults).toEqual([])
}
