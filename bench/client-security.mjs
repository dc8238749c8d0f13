// Calls of client programs on PostgreSQL: validations, session starts, heartbeats, and files of 100 MiB.
//
//   node bench/client-security.mjs
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, bench, openFolder, print, printTable, quantile } from './lib/bench.mjs'
import { openConnection, runAtRate, runClosedLoop } from './lib/connection.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { rssOf } from './lib/proc.mjs'
import { startServer } from './lib/server.mjs'

const CONNECTIONS = 16
const WARM_UP_MS = 2_000
const ROUND_MS = 4_000
const KEYS = 1_000
const BARS = { validate: 2_000, 'validate, one hot key': 2_000, sessions: 500, heartbeats: 1_200 }
const STEADY_RATE = { perSecond: 1_000, for_ms: ROUND_MS }
const STEADY_P99_MS = 25
const KEY_CALLS = 10
const KEYS_PER_CALL = 1_000
const MIB = 1024 * 1024
const FILE_BYTES = 100 * MIB
const FILES = 8
const GROWTH_MAX_MIB = 64
const NO_LIMITS = {
  unknown_keys: null,
  unknown_tokens: null,
  session_starts: null,
  validations: null,
  session_calls: null,
}

await bench(`Client programs, ${CONNECTIONS} connections`, async (atEnd) => {
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const tradepost = await startServer(atEnd, { dataDir: openFolder(atEnd), databaseUrl })
  const manage = openManagement(tradepost)
  const { app } = await manage('POST', '/apps', { name: 'Bench', rate_limits: NO_LIMITS })
  const { keys } = await manage('POST', '/keys', { app_id: app.id, count: KEYS })
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(tradepost.origin)),
  )
  atEnd(() => {
    for (const connection of connections) connection.close()
  })
  const setup = { connections, pids: [tradepost.child.pid, pid] }
  const calls = clientCalls(
    app.public_id,
    keys.map((item) => item.key),
  )
  const rows = []
  for (const [name, makeCall] of Object.entries(calls)) {
    await runClosedLoop(setup, WARM_UP_MS, makeCall)
    rows.push(tableRow(name, await runClosedLoop(setup, ROUND_MS, makeCall)))
  }
  printTable(
    ['calls', 'a second', 'p50 ms', 'p99 ms', 'CPU ms: ours', 'PostgreSQL', 'bar', ''],
    rows,
  )
  await measureSteadyRate(setup, calls)
  await measureKeyCreation(manage, app.id)
  await measureTransfers(tradepost, manage)
})

/** Returns a function that calls the management half of the API with the key of the demo store. */
function openManagement({ origin, ready }) {
  const { security_key } = ready.stores.find((side) => side.livemode)
  return async (method, path, body) => {
    const isFile = body instanceof Readable
    const response = await fetch(`${origin}/security/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${security_key}`,
        ...(body && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: isFile ? body : JSON.stringify(body) }),
      ...(isFile && { duplex: 'half' }),
    })
    if (path.endsWith('/content')) return response
    const answer = await response.json()
    if (!answer.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}

/** Returns the calls of a client program by their names in the table. */
function clientCalls(publicId, keys) {
  const base = `/security/v1/client/${publicId}`
  /** The token of the last session of each connection. */
  const tokens = []
  let keysUsed = 0
  const send = async (connection, path, body, headers = {}) => {
    const nonce = randomBytes(16).toString('base64url')
    const request = connection.request(
      'POST',
      base + path,
      { 'client-nonce': nonce, ...headers },
      body,
    )
    const answer = await connection.send(request)
    const json = JSON.parse(answer.body)
    if (json.code !== 'VALID') throw new Error(`${path}: ${answer.status} ${answer.body}`)
    return json
  }
  const nextKey = () => keys[keysUsed++ % keys.length]
  return {
    validate: (connection) => send(connection, '/validate', { license_key: nextKey() }),
    'validate, one hot key': (connection) =>
      send(connection, '/validate', { license_key: keys[0] }),
    async sessions(connection, index) {
      const device = { fingerprint: `machine-of-connection-${index}` }
      const { session } = await send(connection, '/sessions', { license_key: nextKey(), device })
      tokens[index] = session.token
    },
    heartbeats: (connection, index) =>
      send(connection, '/sessions/heartbeat', undefined, {
        authorization: `Bearer ${tokens[index]}`,
      }),
  }
}

function tableRow(name, { perSecond, times, cpu }) {
  const bar = BARS[name]
  return [
    name,
    perSecond.toFixed(0),
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.99).toFixed(1),
    ...cpu.map((value) => (Number.isNaN(value) ? '' : value.toFixed(2))),
    `at least ${bar}`,
    atLeast(perSecond, bar),
  ]
}

/** Measures validations at 1,000 a second. Latency is measured from the due time of each call. */
async function measureSteadyRate(setup, calls) {
  const rows = []
  for (const name of ['validate', 'validate, one hot key']) {
    const { perSecond, times } = await runAtRate(setup, STEADY_RATE, calls[name])
    const p99 = quantile(times, 0.99)
    rows.push([
      name,
      perSecond.toFixed(0),
      quantile(times, 0.5).toFixed(1),
      p99.toFixed(1),
      `at most ${STEADY_P99_MS}`,
      atMost(p99, STEADY_P99_MS),
    ])
  }
  print(`${STEADY_RATE.perSecond} validations a second, each timed from its due time:\n`)
  printTable(['calls', 'a second', 'p50 ms', 'p99 ms', 'bar', ''], rows)
}

/** Measures the creation of 10,000 license keys, in calls of 1,000. */
async function measureKeyCreation(manage, app_id) {
  const times = []
  for (let n = 0; n < KEY_CALLS; n++) {
    const startedAt = performance.now()
    await manage('POST', '/keys', { app_id, count: KEYS_PER_CALL })
    times.push(performance.now() - startedAt)
  }
  const total_ms = times.reduce((sum, time) => sum + time, 0)
  const rows = [
    [`${KEY_CALLS * KEYS_PER_CALL} keys`, total_ms.toFixed(0), quantile(times, 0.5).toFixed(0)],
  ]
  printTable(['created', 'ms', 'p50 ms for 1,000'], rows)
}

/** Measures concurrent uploads and downloads of 100 MiB, and the growth of the server's memory. */
async function measureTransfers({ child }, manage) {
  const chunk = randomBytes(MIB)
  const body = () => Readable.from(repeat(chunk, FILE_BYTES / MIB))
  await manage('POST', '/serverside-files?name=warm-up', Readable.from([chunk]))
  const uploads = await measureGrowth(child.pid, () =>
    Array.from({ length: FILES }, (_, n) => manage('POST', `/serverside-files?name=f${n}`, body())),
  )
  const { serverside_files } = await manage('GET', '/serverside-files')
  const downloads = await measureGrowth(child.pid, () =>
    serverside_files
      .filter((file) => file.size_bytes === FILE_BYTES)
      .map(async ({ id }) => {
        const { body: bytes } = await manage('GET', `/serverside-files/${id}/content`)
        for await (const _ of bytes);
      }),
  )
  print(
    `${FILES} files of 100 MiB at once; the memory of the process may grow by ${GROWTH_MAX_MIB} MiB:\n`,
  )
  const row = (name, { seconds, mib }) => [
    name,
    ((FILES * 100) / seconds).toFixed(0),
    mib.toFixed(0),
    mib < GROWTH_MAX_MIB ? 'met' : 'missed',
  ]
  printTable(
    ['direction', 'MiB/s', 'memory grew by MiB', ''],
    [row('upload', uploads), row('download', downloads)],
  )
}

function* repeat(chunk, times) {
  for (let n = 0; n < times; n++) yield chunk
}

/** Returns the duration of concurrent transfers, and the growth of the memory of the process meanwhile. */
async function measureGrowth(pid, startTransfers) {
  const before = rssOf(pid)
  let peak = before
  let isRunning = true
  const sampling = (async () => {
    while (isRunning) {
      peak = Math.max(peak, rssOf(pid))
      await pause(50)
    }
  })()
  const startedAt = performance.now()
  await Promise.all(startTransfers())
  isRunning = false
  await sampling
  return { seconds: (performance.now() - startedAt) / 1_000, mib: peak - before }
}
