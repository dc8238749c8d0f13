import { type ChildProcess, spawnSync } from 'node:child_process'
import type { TestContext } from 'vitest'
import { keepPort } from '../ports.ts'
import type { Unavailable } from '../postgres/account.ts'
import { acceptsConnections } from '../postgres/pgbouncer.ts'
import { endChild, hasEnded, openWorkplace, startLogged } from '../postgres/workplace.ts'
import { until } from '../until.ts'

/** A Redis server of a test file, on a free port of loopback. It stores nothing on the disk. */
export interface RedisServer {
  url: string
  stop(): Promise<void>
  /** Starts the server again after `stop()`, on the same port and without data. */
  start(): Promise<void>
  /** Suspends the process, so that its connections stay open and get no answer. */
  freeze(): void
  resume(): void
  close(): Promise<void>
}

const PROGRAMS = ['redis-server', 'valkey-server']
const PASSWORD = 'not-for-logs'

export async function startRedis(): Promise<RedisServer | Unavailable> {
  const program = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0)
  if (!program)
    return { unavailable: 'redis-server is not on the PATH. Install the package redis-server.' }
  const workplace = await openWorkplace('redis', { name: 'this user' })
  const port = await keepPort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', workplace.folder]
  const memoryOnly = ['--save', '', '--appendonly', 'no', '--requirepass', PASSWORD]
  let process: ChildProcess | undefined

  const server: RedisServer = {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}/0`,
    async start() {
      const { child, output } = await startLogged(workplace, 'redis.log', [
        program,
        ...options,
        ...memoryOnly,
      ])
      process = child
      await until(async () => {
        if (hasEnded(child)) throw new Error(await output())
        return acceptsConnections(port)
      })
    },
    async stop() {
      if (process) await endChild(process, 'SIGKILL')
    },
    freeze: () => void process?.kill('SIGSTOP'),
    resume: () => void process?.kill('SIGCONT'),
    async close() {
      await server.stop()
      await workplace.close()
    },
  }
  await server.start()
  return server
}

/** Returns the server. Skips the test with the reason if there is none, or fails the test if `CI` is set. */
export function redisOrSkip(context: TestContext, server: RedisServer | Unavailable): RedisServer {
  if (!('unavailable' in server)) return server
  if (process.env.CI) throw new Error(server.unavailable)
  return context.skip(server.unavailable)
}
