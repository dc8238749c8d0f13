// GET /v1/products/{id} on PostgreSQL, compared with two bare Fastify handlers that answer the same object: one runs the
// same prepared statement, the other reads the answer as one stored text.
//
//   node bench/read-product.mjs             the figures
//   node bench/read-product.mjs --profile   the figures and the functions with most processor time
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  atLeast,
  atMost,
  bench,
  hasTime,
  median,
  openFolder,
  print,
  printTable,
  quantile,
  ROOT,
} from './lib/bench.mjs'
import { endChild } from './lib/children.mjs'
import { openConnection, runClosedLoop } from './lib/connection.mjs'
import { openInProcess } from './lib/in-process.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { selfTimes } from './lib/profile.mjs'
import { call, startServer, unlimitedKey } from './lib/server.mjs'
import { PRODUCT } from './lib/stock.mjs'

const CONNECTIONS = 16
const ROUNDS = 5
const ROUND_MS = 4_000
const WARM_UP_MS = 2_000
const RATE_BAR = 0.5
/** How often the processor time of a read may be that of a stored text. */
const STORED_BAR = 2.2
const hasProfile = process.argv.includes('--profile')

await bench(`GET /v1/products/{id}, ${CONNECTIONS} connections`, async (atEnd) => {
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const dataDir = openFolder(atEnd)
  const { id, statement } = await prepare({ dataDir, databaseUrl })
  const profiles = join(dataDir, 'profiles')
  mkdirSync(profiles)
  const nodeOptions = hasProfile ? ['--cpu-prof', '--cpu-prof-dir', profiles] : []

  const tradepost = await startServer(atEnd, { dataDir, databaseUrl, nodeOptions })
  const key = await unlimitedKey(tradepost)
  const answer = await call(tradepost.origin, key, ['GET', `/products/${id}`])
  const bareServer = await startBareServer(atEnd, { databaseUrl, answer, ...statement })
  const path = `/v1/products/${id}`
  const ours = await openClients(atEnd, tradepost.origin, [path, key])
  ours.pids = [tradepost.child.pid, pid]
  const openBare = async (bareUrl) => ({
    ...(await openClients(atEnd, bareServer.origin, [bareUrl, {}])),
    pids: [bareServer.pid, pid],
  })
  const clients = { ours, bare: await openBare(path), stored: await openBare(`/stored/${id}`) }
  await checkAnswers(clients)

  printFigures(await measure(clients))
  if (!hasProfile) return
  await tradepost.stop()
  const rows = selfTimes(profiles, 25).map(({ name, share }) => [percent(share), name])
  printTable(['self time', 'function'], rows)
})

/** Creates the product, and returns its id and the statement that reads it. */
async function prepare(setup) {
  const cleanups = []
  const statements = []
  const record = (text, values) => void statements.push({ text, values })
  const { origin, headers } = await openInProcess((step) => cleanups.push(step), setup, record)
  const { product } = await call(origin, headers, ['POST', '/products', PRODUCT])
  await call(origin, headers, ['GET', `/products/${product.id}`])
  statements.length = 0
  await call(origin, headers, ['GET', `/products/${product.id}`])
  for (const step of cleanups.reverse()) await step()
  if (statements.length !== 1)
    throw new Error(`A read sends ${statements.length} statements, not 1.`)
  const [statement] = statements
  if (statement.values.at(-1) !== product.id) throw new Error('The hash is not the last parameter.')
  return { id: product.id, statement }
}

async function startBareServer(atEnd, task) {
  const child = fork(join(ROOT, 'bench', 'lib', 'bare-server.mjs'))
  atEnd(() => endChild(child))
  child.send({ ...task, parsersFile: join(ROOT, 'dist', 'db', 'parsers.js') })
  const [{ origin }] = await once(child, 'message')
  return { origin, pid: child.pid }
}

async function openClients(atEnd, origin, [path, headers]) {
  const opening = Array.from({ length: CONNECTIONS }, () => openConnection(origin))
  const connections = await Promise.all(opening)
  for (const connection of connections) atEnd(connection.close)
  const bytes = connections[0].request('GET', path, headers)
  return { connections, bytes }
}

/** Throws unless all handlers answer the same object. */
async function checkAnswers(clients) {
  const [ourAnswer, ...others] = await Promise.all(
    Object.values(clients).map(({ connections, bytes }) => connections[0].send(bytes)),
  )
  for (const { body } of others) {
    // The sequence of fields may differ, so the parsed objects and the lengths are compared.
    const areEqual =
      ourAnswer.body.length === body.length &&
      isDeepStrictEqual(JSON.parse(ourAnswer.body), JSON.parse(body))
    if (!areEqual) throw new Error(`The answers differ:\n${ourAnswer.body}\n${body}`)
  }
  print(`All answer the same object of ${ourAnswer.body.length} bytes.\n`)
}

async function measure(clients) {
  const names = Object.keys(clients)
  for (const name of names) await measureReads(clients[name], WARM_UP_MS)
  const rounds = []
  for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) {
    const round = {}
    // The sequence alternates, so that a machine that slows down favours none.
    for (const name of n % 2 === 0 ? names : names.toReversed())
      round[name] = await measureReads(clients[name], ROUND_MS)
    rounds.push(round)
  }
  return rounds
}

function measureReads(clients, for_ms) {
  const { bytes } = clients
  return runClosedLoop(clients, for_ms, async (connection) => {
    const { status } = await connection.send(bytes)
    if (status !== 200) throw new Error(`A read answered ${status}.`)
  })
}

function printFigures(rounds) {
  const rate = (name) => median(rounds.map((round) => round[name].perSecond))
  const cpu = (name, index) =>
    Math.round(1_000 * median(rounds.map((round) => round[name].cpu[index])))
  const tableRow = (title, name) => {
    const times = rounds.flatMap((round) => round[name].times)
    return [
      title,
      Math.round(rate(name)),
      quantile(times, 0.5).toFixed(1),
      quantile(times, 0.99).toFixed(1),
      cpu(name, 0),
      cpu(name, 1),
      rounds.map((round) => Math.round(round[name].perSecond)).join(' '),
    ]
  }
  printTable(
    ['server', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'PostgreSQL', 'rounds'],
    [
      tableRow('bare Fastify, a stored text', 'stored'),
      tableRow('bare Fastify, the same statement', 'bare'),
      tableRow('Tradepost', 'ours'),
    ],
  )
  const ratio = rate('ours') / rate('bare')
  const cpuRatio = median(rounds.map((round) => cpuOf(round.ours) / cpuOf(round.stored)))
  printTable(
    ['ratio', 'value', 'bar', ''],
    [
      [
        'rate to the same statement',
        ratio.toFixed(2),
        `at least ${RATE_BAR}`,
        atLeast(ratio, RATE_BAR),
      ],
      [
        'processor time to a stored text',
        cpuRatio.toFixed(2),
        `at most ${STORED_BAR}`,
        atMost(cpuRatio, STORED_BAR),
      ],
    ],
  )
}

function cpuOf({ cpu: [node, postgres] }) {
  return node + postgres
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}
