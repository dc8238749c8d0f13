// The catalogue on PostgreSQL: lists and searches among 100,000 products, imports of stock keys, and
// transfers of large files.
//
//   node bench/catalogue.mjs
import { request as openRequest } from 'node:http'
import {
  atLeast,
  atMost,
  bench,
  hasTime,
  median,
  openFolder,
  printTable,
  quantile,
} from './lib/bench.mjs'
import { openConnection, runClosedLoop } from './lib/connection.mjs'
import { ANALYZE, manyProducts } from './lib/many-products.mjs'
import { openPostgres, query } from './lib/postgres.mjs'
import { cpuOf, rssOf } from './lib/proc.mjs'
import { call, startServer, unlimitedKey } from './lib/server.mjs'

const PRODUCTS = 100_000
const CONNECTIONS = 16
const ROUND_MS = 4_000
const ROUNDS = 3
const KEYS_PER_CALL = 5_000
const IMPORTS = 12
const FILES = 8
/** Almost 50 MiB, the limit of an upload. */
const FILE_BYTES = 50 * 1024 * 1024 - 1024
const BOUNDARY = 'bench-boundary'
const KEYS_PER_SECOND_BAR = 20_000
const GROWTH_BAR_MIB = 64

await bench(`A catalogue of ${PRODUCTS} products`, async (atEnd) => {
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const tradepost = await startServer(atEnd, { dataDir: openFolder(atEnd), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  const send = (...request) => call(tradepost.origin, headers, request)
  await query(databaseUrl, manyProducts(headers['x-store-hash'], PRODUCTS))
  await query(databaseUrl, ANALYZE)

  const pids = [tradepost.child.pid, pid]
  const reads = [
    ['list of 25', '/products', 30],
    ['list of 25, sorted by name', '/products?sort=name', 30],
    ['search for a phrase', '/products?search=backup%20server', 60],
    ['search for a number', '/products?search=4711', 60],
  ]
  const rows = []
  for (const [title, path, bar] of reads) {
    rows.push(await measureReads(atEnd, { tradepost, headers, pids, title, path, bar }))
  }
  printTable(
    [
      `read, ${CONNECTIONS} connections`,
      'req/s',
      'p50 ms',
      'p99 ms',
      'CPU µs',
      'PostgreSQL',
      'bar',
      '',
    ],
    rows,
  )

  const before = pids.map(cpuOf)
  const rates = await importKeys(send)
  const keys = KEYS_PER_CALL * IMPORTS
  const cpu = pids.map((id, index) => Math.round((1_000 * (cpuOf(id) - before[index])) / keys))
  const rate = Math.round(median(rates))
  printTable(
    ['keys a second', 'CPU µs a key', 'PostgreSQL', 'rounds', 'bar', ''],
    [
      [
        rate,
        ...cpu,
        rates.map(Math.round).join(' '),
        `at least ${KEYS_PER_SECOND_BAR}`,
        atLeast(rate, KEYS_PER_SECOND_BAR),
      ],
    ],
  )

  const transfers = await measureTransfers(tradepost, headers, send)
  printTable(
    [`${FILES} files of 50 MiB at once`, 'seconds', 'memory grew by MiB', 'bar', ''],
    transfers.map(({ name, seconds, mib }) => [
      name,
      seconds.toFixed(1),
      mib.toFixed(0),
      `at most ${GROWTH_BAR_MIB}`,
      atMost(mib, GROWTH_BAR_MIB),
    ]),
  )
})

async function measureReads(atEnd, { tradepost, headers, pids, title, path, bar }) {
  const opening = Array.from({ length: CONNECTIONS }, () => openConnection(tradepost.origin))
  const connections = await Promise.all(opening)
  for (const connection of connections) atEnd(connection.close)
  const bytes = connections[0].request('GET', `/v1${path}`, headers)
  const round = (for_ms) =>
    runClosedLoop({ connections, pids }, for_ms, async (connection) => {
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
  const cpu = [0, 1].map((index) =>
    Math.round(1_000 * median(rounds.map((item) => item.cpu[index]))),
  )
  const verdict = atMost(p99, bar)
  return [title, rate, p50.toFixed(1), p99.toFixed(1), ...cpu, `at most ${bar}`, verdict]
}

/**
 * Imports keys in sequential calls of 5,000 keys. Returns the keys a second of each call after the first two,
 * which warm up the process.
 */
async function importKeys(send) {
  const { product, variants } = await send('POST', '/products', { name: 'Keys', price_cents: 1 })
  const path = `/products/${product.id}/variants/${variants[0].id}/keys`
  const rates = []
  for (let n = 0; n < IMPORTS; n++) {
    const keys = Array.from(
      { length: KEYS_PER_CALL },
      (_, index) => `BENCH-${n}-${index}-ABCDEFGH-IJKL`,
    )
    const startedAt = performance.now()
    const { added } = await send('POST', path, { keys })
    rates.push((added * 1_000) / (performance.now() - startedAt))
  }
  return rates.slice(2)
}

/** Measures concurrent uploads and downloads, and the growth of the server's memory meanwhile. */
async function measureTransfers({ origin, child }, headers, send) {
  const { product } = await send('POST', '/products', {
    name: 'Files',
    price_cents: 1,
    type: 'file',
  })
  const path = `/v1/products/${product.id}/files`
  const uploadOnce = () => upload(new URL(path, origin), headers)
  const { file } = await uploadOnce()
  const downloadOnce = () => download(new URL(new URL(file.download_url).pathname, origin))
  await downloadOnce()
  const results = []
  for (const [name, transfer] of [
    ['up', uploadOnce],
    ['down', downloadOnce],
  ]) {
    const before = rssOf(child.pid)
    let peak = before
    const timer = setInterval(() => {
      peak = Math.max(peak, rssOf(child.pid))
    }, 20)
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: FILES }, transfer))
    clearInterval(timer)
    results.push({ name, seconds: (performance.now() - startedAt) / 1_000, mib: peak - before })
  }
  return results
}

/** Uploads a file, which it creates while it sends. Returns the answer. */
function upload(url, headers) {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`
  return new Promise((resolve, reject) => {
    const type = `multipart/form-data; boundary=${BOUNDARY}`
    const request = openRequest(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
    })
    request.on('error', reject)
    request.on('response', async (response) => {
      const chunks = []
      for await (const chunk of response) chunks.push(chunk)
      const answer = JSON.parse(Buffer.concat(chunks).toString())
      if (answer.success) resolve(answer)
      else reject(new Error(JSON.stringify(answer)))
    })
    const chunk = Buffer.alloc(64 * 1024, 7)
    let remaining = FILE_BYTES
    const writeChunks = () => {
      while (remaining > 0) {
        remaining -= chunk.length
        if (!request.write(chunk)) return void request.once('drain', writeChunks)
      }
      request.end(`\r\n--${BOUNDARY}--\r\n`)
    }
    request.write(head)
    writeChunks()
  })
}

function download(url) {
  return new Promise((resolve, reject) => {
    openRequest(url, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`A download answered ${response.statusCode}.`))
      response.on('end', resolve).on('error', reject).resume()
    })
      .on('error', reject)
      .end()
  })
}
