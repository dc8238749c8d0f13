// The catalogue on PostgreSQL: lists and searches among 100,000 products, imports of stock keys, and
// transfers of large files.
//
//   node bench/catalogue.mjs
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import {
  atLeast,
  atMost,
  bench,
  hasTime,
  median,
  openFolder,
  quantile,
  table,
} from './lib/bench.mjs'
import { loop, openConnection } from './lib/connection.mjs'
import { ANALYZE, manyProducts } from './lib/many-products.mjs'
import { ask, openPostgres } from './lib/postgres.mjs'
import { cpuOf } from './lib/proc.mjs'
import { call, startServer, unlimitedKey } from './lib/shop.mjs'

const PRODUCTS = 100_000
const CONNECTIONS = 16
const ROUND_MS = 4_000
const ROUNDS = 3
const KEYS_A_CALL = 5_000
const IMPORTS = 12
const FILES = 8
const FILE_BYTES = 50 * 1024 * 1024 - 1024
const MIB = 1024 * 1024
const BOUNDARY = 'bench-boundary'

await bench(`A catalogue of ${PRODUCTS} products`, async (later) => {
  const { databaseUrl, pid } = await openPostgres(later)
  const tradepost = await startServer(later, { dataDir: openFolder(later), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  const send = (...asked) => call(tradepost.origin, headers, asked)
  await ask(databaseUrl, manyProducts(headers['x-store-hash'], PRODUCTS))
  await ask(databaseUrl, ANALYZE)

  const pids = [tradepost.child.pid, pid]
  const reads = [
    ['list of 25', '/products', 30],
    ['list of 25, sorted by name', '/products?sort=name', 30],
    ['search for a phrase', '/products?search=backup%20server', 60],
    ['search for a number', '/products?search=4711', 60],
  ]
  const rows = []
  for (const [title, path, bar] of reads) {
    rows.push(await measure(later, { tradepost, headers, pids, title, path, bar }))
  }
  table(
    ['read, 16 connections', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'PostgreSQL', 'bar', ''],
    rows,
  )

  const before = pids.map(cpuOf)
  const rates = await importKeys(send)
  const keys = KEYS_A_CALL * IMPORTS
  const cpu = pids.map((item, at) => Math.round((1_000 * (cpuOf(item) - before[at])) / keys))
  const rate = Math.round(median(rates))
  table(
    ['keys a second', 'CPU µs a key', 'PostgreSQL', 'rounds', 'bar', ''],
    [[rate, ...cpu, rates.map(Math.round).join(' '), 'at least 20000', atLeast(rate, 20_000)]],
  )

  const grown = await moveFiles(tradepost, headers, send)
  table(
    [`${FILES} files of 50 MiB at once`, 'seconds', 'memory grew by MiB', 'bar', ''],
    grown.map(([way, seconds, mib]) => [
      way,
      seconds.toFixed(1),
      mib.toFixed(0),
      'at most 64',
      atMost(mib, 64),
    ]),
  )
})

async function measure(later, { tradepost, headers, pids, title, path, bar }) {
  const opening = Array.from({ length: CONNECTIONS }, () => openConnection(tradepost.origin))
  const connections = await Promise.all(opening)
  for (const connection of connections) later(connection.close)
  const bytes = connections[0].request('GET', `/v1${path}`, headers)
  const round = (for_ms) =>
    loop({ connections, pids }, for_ms, async (connection) => {
      const { status } = await connection.send(bytes)
      if (status !== 200) throw new Error(`${path} answered ${status}.`)
    })
  await round(ROUND_MS / 2)
  const rounds = []
  for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) rounds.push(await round(ROUND_MS))
  const times = rounds.flatMap((item) => item.times)
  const p99 = quantile(times, 0.99)
  const rate = Math.round(median(rounds.map((item) => item.perSecond)))
  const p50 = quantile(times, 0.5)
  const cpu = [0, 1].map((at) => Math.round(1_000 * median(rounds.map((item) => item.cpu[at]))))
  const verdict = atMost(p99, bar)
  return [title, rate, p50.toFixed(1), p99.toFixed(1), ...cpu, `at most ${bar}`, verdict]
}

/** Resident memory of a process, in bytes. */
function rssOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** Imported keys per second, for sequential calls of 5,000 keys. */
async function importKeys(send) {
  const { product, variants } = await send('POST', '/products', { name: 'Keys', price_cents: 1 })
  const path = `/products/${product.id}/variants/${variants[0].id}/keys`
  const rates = []
  for (let n = 0; n < IMPORTS; n++) {
    const keys = Array.from({ length: KEYS_A_CALL }, (_, at) => `BENCH-${n}-${at}-ABCDEFGH-IJKL`)
    const begun = performance.now()
    const { added } = await send('POST', path, { keys })
    rates.push((added * 1_000) / (performance.now() - begun))
  }
  // The first calls warm up the process.
  return rates.slice(2)
}

async function moveFiles({ origin, child }, headers, send) {
  const { product } = await send('POST', '/products', {
    name: 'Files',
    price_cents: 1,
    type: 'file',
  })
  const path = `/v1/products/${product.id}/files`
  const up = () => upload(new URL(path, origin), headers)
  const first = await up()
  const down = () => download(new URL(new URL(first.file.download_url).pathname, origin))
  await down()
  const rows = []
  for (const [way, work] of [
    ['up', up],
    ['down', down],
  ]) {
    const before = rssOf(child.pid)
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, rssOf(child.pid))
    }, 20)
    const begun = performance.now()
    await Promise.all(Array.from({ length: FILES }, work))
    clearInterval(watch)
    rows.push([way, (performance.now() - begun) / 1_000, (peak - before) / MIB])
  }
  return rows
}

function upload(url, headers) {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`
  return new Promise((resolve, reject) => {
    const type = `multipart/form-data; boundary=${BOUNDARY}`
    const sent = request(url, { method: 'POST', headers: { ...headers, 'content-type': type } })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const chunks = []
      for await (const chunk of response) chunks.push(chunk)
      const answer = JSON.parse(Buffer.concat(chunks).toString())
      if (answer.success) resolve(answer)
      else reject(new Error(JSON.stringify(answer)))
    })
    const chunk = Buffer.alloc(64 * 1024, 7)
    let left = FILE_BYTES
    const pump = () => {
      while (left > 0) {
        left -= chunk.length
        if (!sent.write(chunk)) return void sent.once('drain', pump)
      }
      sent.end(`\r\n--${BOUNDARY}--\r\n`)
    }
    sent.write(head)
    pump()
  })
}

function download(url) {
  return new Promise((resolve, reject) => {
    request(url, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`A download answered ${response.statusCode}.`))
      response.on('end', resolve).on('error', reject).resume()
    })
      .on('error', reject)
      .end()
  })
}
