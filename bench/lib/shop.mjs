// Tradepost as a separate process, as an operator starts it.
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ROOT } from './bench.mjs'
import { endChild, hasEnded } from './children.mjs'
import { cpuOf } from './proc.mjs'

const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')
const START_TIMEOUT_MS = 60_000
const LOOK_AGAIN_MS = 5

/** Starts the demo store on a free port, and resolves when its ready file is written. */
export async function startServer(later, { dataDir, databaseUrl, nodeOptions = [], settings }) {
  const env = { ...environment(dataDir, databaseUrl), ...settings }
  const file = join(dataDir, 'ready.json')
  const begun = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, PROGRAM, 'start', '--demo'], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = () => endChild(child)
  later(stop)
  const ready = await untilReady(child, file)
  const started_s = (performance.now() - begun) / 1_000
  const cpu_s = cpuOf(child.pid) / 1_000
  // A worker serves no HTTP.
  const origin = ready.store_api && new URL(ready.store_api).origin
  return { child, ready, started_s, cpu_s, stop, origin, env }
}

export function environment(dataDir, databaseUrl) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TRADEPOST_|NODE_OPTIONS$|DATABASE_URL$)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS: '0',
    TRADEPOST_METRICS_ADDRESS: 'off',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
}

async function untilReady(child, file) {
  const until = Date.now() + START_TIMEOUT_MS
  while (!hasEnded(child) && Date.now() < until) {
    const ready = existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))
    if (ready && ready.pid === child.pid) return ready
    await pause(LOOK_AGAIN_MS)
  }
  throw new Error(`Tradepost did not start; its exit code is ${child.exitCode}.`)
}

/** Headers of a key without a rate limit, for the live side of the demo store. */
export async function unlimitedKey({ ready, env }) {
  const store = ready.stores.find((side) => side.livemode).id
  const command = [PROGRAM, 'keys', 'create', '--store', store, '--permissions', 'all']
  const options = ['--rate-limit', '0', '--name', 'Benchmark', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [...command, ...options], { env })
  return { 'x-api-key': JSON.parse(stdout).key, 'x-store-hash': store }
}

/** Calls the Store API. Fails unless the answer is a success. */
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
