// GET /v1/products/{id} on PostgreSQL, compared with a bare Fastify handler that runs the same statement
// and answers the same bytes.
//
//   node bench/read-product.mjs             the figures
//   node bench/read-product.mjs --profile   and where the process spends its time
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  atLeast,
  bench,
  hasTime,
  median,
  openFolder,
  quantile,
  ROOT,
  say,
  table,
} from './lib/bench.mjs'
import { endChild } from './lib/children.mjs'
import { loop, openConnection } from './lib/connection.mjs'
import { openInProcess } from './lib/in-process.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { selfTimes } from './lib/profile.mjs'
import { call, startServer, unlimitedKey } from './lib/shop.mjs'
import { PRODUCT } from './lib/stock.mjs'

const CONNECTIONS = 16
const ROUNDS = 5
const ROUND_MS = 4_000
const WARM_UP_MS = 2_000
const BAR = 0.5
const PROFILE = process.argv.includes('--profile')

await bench(`GET /v1/products/{id}, ${CONNECTIONS} connections`, async (later) => {
  const { databaseUrl, pid } = await openPostgres(later)
  const dataDir = openFolder(later)
  const { id, statement } = await prepare({ dataDir, databaseUrl })
  const profiles = join(dataDir, 'profiles')
  mkdirSync(profiles)
  const nodeOptions = PROFILE ? ['--cpu-prof', '--cpu-prof-dir', profiles] : []

  const bareServer = await startBare(later, { databaseUrl, ...statement })
  const tradepost = await startServer(later, { dataDir, databaseUrl, nodeOptions })
  const path = `/v1/products/${id}`
  const ours = await openClients(later, tradepost.origin, [path, await unlimitedKey(tradepost)])
  ours.pids = [tradepost.child.pid, pid]
  const bare = await openClients(later, bareServer.origin, [path, {}])
  bare.pids = [bareServer.pid, pid]
  await checkSame(ours, bare)

  const results = await measure({ ours, bare })
  report(results)
  if (!PROFILE) return
  await tradepost.stop()
  const rows = selfTimes(profiles, 25).map(({ name, share }) => [percent(share), name])
  table(['self time', 'function'], rows)
})

/** Creates the product and captures the statement that reads it. */
async function prepare(place) {
  const endings = []
  const statements = []
  const record = (text, values) => void statements.push({ text, values })
  const { origin, headers } = await openInProcess((end) => endings.push(end), place, record)
  const { product } = await call(origin, headers, ['POST', '/products', PRODUCT])
  await call(origin, headers, ['GET', `/products/${product.id}`])
  statements.length = 0
  await call(origin, headers, ['GET', `/products/${product.id}`])
  for (const end of endings.reverse()) await end()
  if (statements.length !== 1)
    throw new Error(`A read sends ${statements.length} statements, not 1.`)
  const [statement] = statements
  if (statement.values.at(-1) !== product.id) throw new Error('The hash is not the last parameter.')
  return { id: product.id, statement }
}

async function startBare(later, task) {
  const child = fork(join(ROOT, 'bench', 'lib', 'bare-server.mjs'))
  later(() => endChild(child))
  child.send({ ...task, parsers: join(ROOT, 'dist', 'db', 'parsers.js') })
  const [{ origin }] = await once(child, 'message')
  return { origin, pid: child.pid }
}

async function openClients(later, origin, [path, headers]) {
  const opening = Array.from({ length: CONNECTIONS }, () => openConnection(origin))
  const connections = await Promise.all(opening)
  for (const connection of connections) later(connection.close)
  const bytes = connections[0].request('GET', path, headers)
  return { connections, bytes }
}

async function checkSame(...clients) {
  const [one, other] = await Promise.all(
    clients.map(({ connections, bytes }) => connections[0].send(bytes)),
  )
  // The field sequence may differ, so the parsed objects and the lengths are compared.
  const same =
    one.body.length === other.body.length &&
    isDeepStrictEqual(JSON.parse(one.body), JSON.parse(other.body))
  if (!same) throw new Error(`The answers differ:\n${one.body}\n${other.body}`)
  say(`Both answer the same ${one.body.length} bytes.\n`)
}

async function measure({ ours, bare }) {
  await round(bare, WARM_UP_MS)
  await round(ours, WARM_UP_MS)
  const rounds = []
  for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) {
    // The starting server alternates, so that a machine that slows down favours neither.
    const first = n % 2 === 0 ? bare : ours
    const one = await round(first, ROUND_MS)
    const other = await round(first === bare ? ours : bare, ROUND_MS)
    rounds.push(first === bare ? { bare: one, ours: other } : { bare: other, ours: one })
  }
  return rounds
}

function round(clients, for_ms) {
  const { bytes } = clients
  return loop(clients, for_ms, async (connection) => {
    const { status } = await connection.send(bytes)
    if (status !== 200) throw new Error(`A read answered ${status}.`)
  })
}

function report(rounds) {
  const rate = (name) => median(rounds.map((item) => item[name].perSecond))
  const time = (name, share) =>
    quantile(
      rounds.flatMap((item) => item[name].times),
      share,
    )
  const cost = (name, at) => Math.round(1_000 * median(rounds.map((item) => item[name].cpu[at])))
  const line = (title, name) => [
    title,
    Math.round(rate(name)),
    time(name, 0.5).toFixed(1),
    time(name, 0.99).toFixed(1),
    cost(name, 0),
    cost(name, 1),
    rounds.map((item) => Math.round(item[name].perSecond)).join(' '),
  ]
  table(
    ['server', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'PostgreSQL', 'rounds'],
    [line('bare Fastify', 'bare'), line('Tradepost', 'ours')],
  )
  const ratio = rate('ours') / rate('bare')
  const verdict = atLeast(ratio, BAR)
  table(['ratio of medians', 'bar', ''], [[ratio.toFixed(2), `at least ${BAR}`, verdict]])
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}
