// Calls of client programs on PostgreSQL: validations, session starts, heartbeats, and files of 100 MiB.
//
//   node bench/client-security.mjs
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, bench, openFolder, quantile, say, table } from './lib/bench.mjs'
import { loop, openConnection, pace } from './lib/connection.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { rssOf } from './lib/proc.mjs'
import { startServer } from './lib/shop.mjs'

const CONNECTIONS = 16
const WARM_UP_MS = 2_000
const ROUND_MS = 4_000
const KEYS = 1_000
const BARS = { validate: 2_000, 'validate, one hot key': 2_000, sessions: 500, heartbeats: 1_200 }
const PACE = { perSecond: 1_000, for_ms: ROUND_MS }
const PACED_P99_MS = 25
const MINTS = 10
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

await bench(`Client programs, ${CONNECTIONS} connections`, async (later) => {
  const { databaseUrl, pid } = await openPostgres(later)
  const tradepost = await startServer(later, { dataDir: openFolder(later), databaseUrl })
  const seller = openSeller(tradepost)
  const { app } = await seller('POST', '/apps', { name: 'Bench', rate_limits: NO_LIMITS })
  const { keys } = await seller('POST', '/keys', { app_id: app.id, count: KEYS })
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(tradepost.origin)),
  )
  later(() => {
    for (const item of connections) item.close()
  })
  const place = { connections, pids: [tradepost.child.pid, pid] }
  const program = openProgram(
    app.public_id,
    keys.map((item) => item.key),
  )
  const rows = []
  for (const [name, work] of Object.entries(program)) {
    await loop(place, WARM_UP_MS, work)
    rows.push(lineOf(name, await loop(place, ROUND_MS, work)))
  }
  table(['calls', 'a second', 'p50 ms', 'p99 ms', 'CPU ms: ours', 'PostgreSQL', 'bar', ''], rows)
  await keepPace(place, program)
  await mint(seller, app.id)
  await moveFiles(tradepost, seller)
})

/** Management calls with the key of the demo store. */
function openSeller({ origin, ready }) {
  const { security_key } = ready.stores.find((side) => side.livemode)
  return async (method, path, body) => {
    const bare = body instanceof Readable
    const response = await fetch(`${origin}/security/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${security_key}`,
        ...(body && { 'content-type': bare ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: bare ? body : JSON.stringify(body) }),
      ...(bare && { duplex: 'half' }),
    })
    if (path.endsWith('/content')) return response
    const answer = await response.json()
    if (!answer.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}

function openProgram(publicId, keys) {
  const base = `/security/v1/client/${publicId}`
  const tokens = []
  let turn = 0
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
  const next = () => keys[turn++ % keys.length]
  return {
    validate: (connection) => send(connection, '/validate', { license_key: next() }),
    'validate, one hot key': (connection) =>
      send(connection, '/validate', { license_key: keys[0] }),
    async sessions(connection, at) {
      const device = { fingerprint: `machine-of-connection-${at}` }
      const { session } = await send(connection, '/sessions', { license_key: next(), device })
      tokens[at] = session.token
    },
    heartbeats: (connection, at) =>
      send(connection, '/sessions/heartbeat', undefined, { authorization: `Bearer ${tokens[at]}` }),
  }
}

function lineOf(name, { perSecond, times, cpu }) {
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

/** Validations at 1,000 a second. Latency is measured from the due time of each call. */
async function keepPace(place, program) {
  const rows = []
  for (const name of ['validate', 'validate, one hot key']) {
    const { perSecond, times } = await pace(place, PACE, program[name])
    const p99 = quantile(times, 0.99)
    rows.push([
      name,
      perSecond.toFixed(0),
      quantile(times, 0.5).toFixed(1),
      p99.toFixed(1),
      `at most ${PACED_P99_MS}`,
      atMost(p99, PACED_P99_MS),
    ])
  }
  say(`${PACE.perSecond} checks a second, each timed from when it was due:\n`)
  table(['calls', 'a second', 'p50 ms', 'p99 ms', 'bar', ''], rows)
}

/** 10,000 license keys, in calls of 1,000. */
async function mint(seller, app_id) {
  const times = []
  for (let n = 0; n < MINTS; n++) {
    const begun = performance.now()
    await seller('POST', '/keys', { app_id, count: 1_000 })
    times.push(performance.now() - begun)
  }
  const total_ms = times.reduce((sum, item) => sum + item, 0)
  const rows = [[`${MINTS * 1_000} keys`, total_ms.toFixed(0), quantile(times, 0.5).toFixed(0)]]
  table(['minted', 'ms', 'ms for 1,000'], rows)
}

/** Concurrent uploads and downloads of 100 MiB, and the additional memory of the process. */
async function moveFiles({ child }, seller) {
  const chunk = randomBytes(MIB)
  const body = () => Readable.from(repeat(chunk, FILE_BYTES / MIB))
  await seller('POST', '/serverside-files?name=warm-up', Readable.from([chunk]))
  const up = await growth(child.pid, () =>
    Array.from({ length: FILES }, (_, n) => seller('POST', `/serverside-files?name=f${n}`, body())),
  )
  const { serverside_files } = await seller('GET', '/serverside-files')
  const down = await growth(child.pid, () =>
    serverside_files
      .filter((file) => file.size_bytes === FILE_BYTES)
      .map(async ({ id }) => {
        const { body: bytes } = await seller('GET', `/serverside-files/${id}/content`)
        for await (const _ of bytes);
      }),
  )
  say(
    `${FILES} files of 100 MiB at once; the memory of the process may grow by ${GROWTH_MAX_MIB} MiB:\n`,
  )
  const row = (name, { seconds, mib }) => [
    name,
    ((FILES * 100) / seconds).toFixed(0),
    mib.toFixed(0),
    mib < GROWTH_MAX_MIB ? 'met' : 'missed',
  ]
  table(['way', 'MiB/s', 'grew by MiB', ''], [row('upload', up), row('download', down)])
}

function* repeat(chunk, times) {
  for (let n = 0; n < times; n++) yield chunk
}

async function growth(pid, work) {
  const before = rssOf(pid)
  let most = before
  let going = true
  const watching = (async () => {
    while (going) {
      most = Math.max(most, rssOf(pid))
      await pause(50)
    }
  })()
  const begun = performance.now()
  await Promise.all(work())
  going = false
  await watching
  return { seconds: (performance.now() - begun) / 1_000, mib: most - before }
}
