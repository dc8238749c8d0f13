// Starts Tradepost as a separate process, as an operator does, and calls it.
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ROOT } from './bench.mjs'
import { endChild, hasEnded } from './children.mjs'
import { cpuOf } from './proc.mjs'

const START_TIMEOUT_MS = 60_000
const POLL_MS = 5

/** Returns the program of a checkout, which is this one unless `root` is another. */
const programOf = (root = ROOT) => join(root, 'bin', 'tradepost.mjs')

/** Starts the demo store on a free port, and resolves when its ready file is written. */
export async function startServer(
  atEnd,
  { dataDir, databaseUrl, nodeOptions = [], settings, root },
) {
  const program = programOf(root)
  const env = { ...environment(dataDir, databaseUrl), ...settings }
  const readyFile = join(dataDir, 'ready.json')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, program, 'start', '--demo'], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = () => endChild(child)
  atEnd(stop)
  const ready = await untilReady(child, readyFile)
  const started_s = (performance.now() - startedAt) / 1_000
  const cpu_s = cpuOf(child.pid) / 1_000
  // A worker serves no HTTP.
  const origin = ready.store_api && new URL(ready.store_api).origin
  return { child, ready, started_s, cpu_s, stop, origin, env, program }
}

/** Returns the environment of the process. It inherits no settings of Tradepost and Node. */
export function environment(dataDir, databaseUrl) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TRADEPOST_|NODE_OPTIONS$|DATABASE_URL$)/.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS: '0',
    TRADEPOST_METRICS_ADDRESS: 'off',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
}

async function untilReady(child, readyFile) {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!hasEnded(child) && Date.now() < deadline) {
    const ready = existsSync(readyFile) && JSON.parse(readFileSync(readyFile, 'utf8'))
    if (ready && ready.pid === child.pid) return ready
    await pause(POLL_MS)
  }
  if (hasEnded(child)) throw new Error(`Tradepost did not start: it exited with ${child.exitCode}.`)
  throw new Error(`Tradepost did not start within ${START_TIMEOUT_MS / 1_000} s.`)
}

/** Creates an API key without a rate limit for the live side of the demo store, and returns its headers. */
export async function unlimitedKey({ ready, env, program = programOf() }) {
  const store = ready.stores.find((side) => side.livemode).id
  const command = [program, 'keys', 'create', '--store', store, '--permissions', 'all']
  const options = ['--rate-limit', '0', '--name', 'Benchmark', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [...command, ...options], { env })
  return { 'x-api-key': JSON.parse(stdout).key, 'x-store-hash': store }
}

/** Runs `tradepost doctor`, and returns its findings. */
export async function diagnose({ env, program }) {
  const command = [program, 'doctor', '--json']
  const options = { env, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, command, options).catch(
    (failure) => failure,
  )
  return JSON.parse(stdout)
}

/** Calls the Store API. Throws unless the answer is a success. */
export async function call(origin, headers, [method, path, body]) {
  const response = await fetch(`${origin}/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!answer.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}
