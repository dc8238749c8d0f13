// The parts of bench/webhooks.mjs, by name.
import { atLeast, atMost, openFolder, print, printTable } from '../lib/bench.mjs'
import { openPostgres } from '../lib/postgres.mjs'
import { selfTimes } from '../lib/profile.mjs'
import { openReceiver } from '../lib/receiver.mjs'
import { openRedis } from '../lib/redis.mjs'
import { openTradepost } from './bench-app.mjs'
import { compareSenders, formatInteger, HEADINGS, tableRow } from './drain.mjs'
import { installRivals } from './install.mjs'
import { measureLatency, measureNeighbour, measureTrickle } from './latency.mjs'
import { watchMemory } from './watch-memory.mjs'

const ENDPOINTS = 200
const BAR_HEADINGS = ['figure', 'value', 'bar', '']

export const PARTS = {
  rivals: rivals('fetch', 2),
  'rivals-request': rivals('request'),
  'rivals-dispatch': rivals('dispatch'),
  embedded,
  history,
  memory,
  latency,
  trickle,
  neighbour,
}
/** Parts that run only if the command line names them. */
export const MORE_PARTS = { profile }

/** Compares Tradepost with its rivals. They send the same backlog in turns, and flush their data to the disk. */
function rivals(httpClient, bar) {
  return async (atEnd, { count, subscribers, rounds }) => {
    installRivals()
    const { openBullmq, openGraphileWorker } = await import('./rivals.mjs')
    const receiver = await openReceiver(atEnd, ENDPOINTS)
    const { urls } = receiver
    const tradepost = await openTradepost(atEnd, {
      urls,
      subscribers,
      ...(await openPostgres(atEnd)),
    })
    const options = { urls, httpClient }
    const graphile = await openGraphileWorker(atEnd, { ...options, ...(await openPostgres(atEnd)) })
    const redis = await openRedis(atEnd)
    const bullmq = redis && (await openBullmq(atEnd, { ...options, redis }))
    const senders = [tradepost, graphile, bullmq].filter(Boolean)
    print(`The tasks of the rivals use undici's \`${httpClient}\`.\n`)
    const [ours, ...others] = await compareSenders(receiver, senders, { count, rounds })
    printTable(HEADINGS, [ours, ...others].map(tableRow))
    if (!redis) print('BullMQ is not measured, because there is no redis-server on the PATH.\n')
    printTable(BAR_HEADINGS, [
      ...others.map((other) => ratioRow(ours, other, bar)),
      [
        'deliveries/s',
        formatInteger(ours.perSecond),
        'at least 5,000',
        atLeast(ours.perSecond, 5_000),
      ],
      ['CPU µs of Node', formatInteger(ours.nodeCpu_us), 'at most 80', atMost(ours.nodeCpu_us, 80)],
    ])
  }
}

function ratioRow(ours, { name, perSecond }, bar) {
  const ratio = ours.perSecond / perSecond
  const verdict = bar ? [`at least ${bar}`, atLeast(ratio, bar)] : ['–', '']
  return [`ratio to ${name}`, ratio.toFixed(2), ...verdict]
}

async function embedded(atEnd, { count, rounds }) {
  const receiver = await openReceiver(atEnd, ENDPOINTS)
  const tradepost = await openTradepost(atEnd, { urls: receiver.urls })
  const [ours] = await compareSenders(receiver, [tradepost], {
    count: Math.ceil(count / 4),
    rounds,
  })
  printTable(HEADINGS, [tableRow(ours)])
  printTable(BAR_HEADINGS, [
    [
      'deliveries/s',
      formatInteger(ours.perSecond),
      'at least 1,500',
      atLeast(ours.perSecond, 1_500),
    ],
  ])
}

/** Compares a new database with a database that has many attempts. */
async function history(atEnd, { count, rounds, stored }) {
  const receiver = await openReceiver(atEnd, ENDPOINTS)
  const { urls } = receiver
  const onNewDatabase = await openTradepost(atEnd, { urls, ...(await openPostgres(atEnd)) })
  const onFilledDatabase = await openTradepost(atEnd, { urls, ...(await openPostgres(atEnd)) })
  await onFilledDatabase.fillHistory(stored)
  const senders = [
    { ...onNewDatabase, name: 'new database' },
    { ...onFilledDatabase, name: `after ${formatInteger(stored)} attempts` },
  ]
  const results = await compareSenders(receiver, senders, { count, rounds })
  printTable(HEADINGS, results.map(tableRow))
  const ratio = results[1].perSecond / results[0].perSecond
  printTable(BAR_HEADINGS, [
    [`ratio ${results[1].name}`, ratio.toFixed(2), 'at least 0.90', atLeast(ratio, 0.9)],
  ])
}

async function memory(atEnd, { backlog }) {
  const receiver = await openReceiver(atEnd, ENDPOINTS)
  const tradepost = await openTradepost(atEnd, {
    urls: receiver.urls,
    ...(await openPostgres(atEnd)),
  })
  await tradepost.fill(backlog)
  const { peak_mib, sentCount } = await watchMemory(receiver, tradepost, backlog)
  const name = `MB with ${formatInteger(backlog)} pending, ${formatInteger(sentCount)} of them sent`
  printTable(BAR_HEADINGS, [[name, formatInteger(peak_mib), 'at most 300', atMost(peak_mib, 300)]])
}

/** Profiles the worker while it drains a backlog. */
async function profile(atEnd, { count }) {
  const receiver = await openReceiver(atEnd, ENDPOINTS)
  const tradepost = await openTradepost(atEnd, {
    urls: receiver.urls,
    ...(await openPostgres(atEnd)),
  })
  const profiles = openFolder(atEnd)
  tradepost.setup.nodeOptions = ['--cpu-prof', '--cpu-prof-dir', profiles]
  printTable(
    HEADINGS,
    (await compareSenders(receiver, [tradepost], { count, rounds: 1 })).map(tableRow),
  )
  const rows = selfTimes(profiles, 30)
  printTable(
    ['self time', 'function'],
    rows.map(({ name, share }) => [`${(100 * share).toFixed(1)} %`, name]),
  )
}

async function latency(atEnd) {
  const receiver = await openReceiver(atEnd, ENDPOINTS)
  const database = await openPostgres(atEnd)
  const tradepost = await openTradepost(atEnd, { urls: receiver.urls, ...database })
  await measureLatency(atEnd, receiver, tradepost)
}

async function trickle(atEnd) {
  const receiver = await openReceiver(atEnd, ENDPOINTS)
  const database = await openPostgres(atEnd)
  const tradepost = await openTradepost(atEnd, { urls: receiver.urls, ...database })
  await measureTrickle(atEnd, receiver, { ...tradepost, databasePid: database.pid })
}

async function neighbour(atEnd, { waiting }) {
  const receiver = await openReceiver(atEnd, ENDPOINTS)
  const database = await openPostgres(atEnd)
  // Each store has one endpoint, because the endpoint of one store must hang and all others must answer.
  const urls = receiver.urls.slice(0, 20)
  const tradepost = await openTradepost(atEnd, { urls, ...database, perStore: 1 })
  await measureNeighbour(atEnd, receiver, { sender: tradepost, waiting })
}
