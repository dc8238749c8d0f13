import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import type { Unavailable } from '../postgres/account.ts'
import {
  endChild,
  freePort,
  hasEnded,
  type LoggedChild,
  openWorkplace,
  startIn,
} from '../postgres/workplace.ts'

/** A Redis of one test file, on a free port of loopback. It keeps nothing on disk. */
export interface RedisServer {
  url: string
  stop(): Promise<void>
  /** Starts it again after `stop()`: same port, no data. */
  start(): Promise<void>
  /** Stops it from answering while its connections stay open, until it is resumed. */
  freeze(): void
  resume(): void
  close(): Promise<void>
}

const PROGRAMS = ['redis-server', 'valkey-server']
const PASSWORD = 'not-for-logs'
const START_TIMEOUT_MS = 60_000
const LOOK_AGAIN_MS = 20

export async function startRedis(): Promise<RedisServer | Unavailable> {
  const program = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0)
  if (!program)
    return { unavailable: 'There is no redis-server. Install the package redis-server.' }
  const workplace = await openWorkplace('redis', { name: 'this user' })
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', workplace.folder]
  const memoryOnly = ['--save', '', '--appendonly', 'no', '--requirepass', PASSWORD]
  let running: LoggedChild | undefined

  const server: RedisServer = {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}/0`,
    async start() {
      running = await startIn(workplace, 'redis.log', [program, ...options, ...memoryOnly])
      const until = Date.now() + START_TIMEOUT_MS
      while (!(await accepts(port))) {
        if (hasEnded(running.child) || Date.now() > until) throw new Error(await running.said())
        await pause(LOOK_AGAIN_MS)
      }
    },
    async stop() {
      if (running) await endChild(running.child, 'SIGKILL')
    },
    freeze: () => void running?.child.kill('SIGSTOP'),
    resume: () => void running?.child.kill('SIGCONT'),
    async close() {
      await server.stop()
      await workplace.close()
    },
  }
  await server.start()
  return server
}

/** The server, or a skipped test that says why; with `CI` set a missing server is a failure. */
export function redisOrSkip(context: TestContext, server: RedisServer | Unavailable): RedisServer {
  if (!('unavailable' in server)) return server
  if (process.env.CI) throw new Error(server.unavailable)
  return context.skip(server.unavailable)
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
