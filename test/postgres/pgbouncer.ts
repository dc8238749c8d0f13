import { once } from 'node:events'
import { access, constants, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { timeLimit } from '../clock.ts'
import { keepPort } from '../ports.ts'
import { elapse } from '../until.ts'
import { findAccount, type Unavailable } from './account.ts'
import {
  changeOwner,
  endChild,
  hasEnded,
  openWorkplace,
  reasonOf,
  startLogged,
  type Workplace,
} from './workplace.ts'

type PgBouncer = { url: string; close(): Promise<void> }

const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
const START_TIMEOUT_MS = 60_000
const POLL_MS = 20

/** Starts PgBouncer in transaction mode in front of a server. It accepts any database and user, without a password. */
export async function startPgBouncer(serverUrl: string): Promise<PgBouncer | Unavailable> {
  const program = await findProgram()
  if (program === undefined) return { unavailable: 'The program pgbouncer is not installed.' }
  const account = await findAccount()
  if ('unavailable' in account) return account

  const workplace = await openWorkplace('pgbouncer', account)
  try {
    return await launch(program, workplace, serverUrl)
  } catch (error) {
    await workplace.close()
    return { unavailable: `PgBouncer does not start as ${account.name}: ${reasonOf(error)}` }
  }
}

async function findProgram(): Promise<string | undefined> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS]) {
    const program = join(folder, 'pgbouncer')
    const isExecutable = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return program
  }
  return undefined
}

async function launch(
  program: string,
  workplace: Workplace,
  serverUrl: string,
): Promise<PgBouncer> {
  const port = await keepPort()
  const file = join(workplace.folder, 'pgbouncer.ini')
  await writeFile(file, configuration(new URL(serverUrl), port), { mode: 0o600 })
  await changeOwner(file, workplace.account)

  const { child, output } = await startLogged(workplace, 'pgbouncer.log', [program, file])
  const isOver = timeLimit(START_TIMEOUT_MS)
  while (!(await acceptsConnections(port))) {
    if (hasEnded(child) || isOver()) {
      await endChild(child, 'SIGTERM')
      throw new Error(await output())
    }
    await elapse(POLL_MS)
  }

  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    async close() {
      await endChild(child, 'SIGTERM')
      await workplace.close()
    },
  }
}

/** Returns the configuration file. With `auth_type = any`, PgBouncer ignores the user name of a client. */
function configuration(server: URL, port: number): string {
  const target = [
    `host=${quoted(server.hostname)}`,
    `port=${server.port || '5432'}`,
    `user=${quoted(decodeURIComponent(server.username) || 'postgres')}`,
  ]
  if (server.password !== '') target.push(`password=${quoted(decodeURIComponent(server.password))}`)
  return `
[databases]
* = ${target.join(' ')}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
`
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

export async function acceptsConnections(port: number): Promise<boolean> {
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
