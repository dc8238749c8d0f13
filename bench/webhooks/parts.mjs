// The parts of bench/webhooks.mjs, by name.
import { atLeast, atMost, openFolder, say, table } from '../lib/bench.mjs'
import { openPostgres } from '../lib/postgres.mjs'
import { selfTimes } from '../lib/profile.mjs'
import { openReceiver } from '../lib/receiver.mjs'
import { openRedis } from '../lib/redis.mjs'
import { compare, HEADINGS, row, whole } from './drain.mjs'
import { installRivals } from './install.mjs'
import { judgeLatency, judgeNeighbour } from './latency.mjs'
import { openOurs } from './ours.mjs'
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
  neighbour,
}
/** Parts that run only if the command line names them. */
export const MORE_PARTS = { profile }

/** The same backlog for Tradepost and its rivals, in turns, on one machine, with fsync on. */
function rivals(way, bar) {
  return async (later, { count, subscribers, rounds }) => {
    installRivals()
    const { openBullmq, openGraphileWorker } = await import('./rivals.mjs')
    const receiver = await openReceiver(later, ENDPOINTS)
    const { urls } = receiver
    const ours = await openOurs(later, { urls, subscribers, ...(await openPostgres(later)) })
    const graphile = await openGraphileWorker(later, { urls, way, ...(await openPostgres(later)) })
    const redis = await openRedis(later)
    const bullmq = redis && (await openBullmq(later, { urls, way, redis }))
    const senders = [ours, graphile, bullmq].filter(Boolean)
    say(`The tasks of the others POST with undici's \`${way}\`.\n`)
    const [own, ...others] = await compare(receiver, senders, { count, rounds })
    table(HEADINGS, [own, ...others].map(row))
    if (!redis) say('BullMQ is left out: there is no redis-server on the PATH.\n')
    table(BAR_HEADINGS, [
      ...others.map((other) => ratioRow(own, other, bar)),
      ['deliveries/s', whole(own.perSecond), 'at least 5,000', atLeast(own.perSecond, 5_000)],
      ['CPU µs of Node', whole(own.node), 'at most 80', atMost(own.node, 80)],
    ])
  }
}

function ratioRow(own, { name, perSecond }, bar) {
  const ratio = own.perSecond / perSecond
  const verdict = bar ? [`at least ${bar}`, atLeast(ratio, bar)] : ['–', '']
  return [`of ${name}`, ratio.toFixed(2), ...verdict]
}

async function embedded(later, { count, rounds }) {
  const receiver = await openReceiver(later, ENDPOINTS)
  const ours = await openOurs(later, { urls: receiver.urls })
  const [own] = await compare(receiver, [ours], { count: Math.ceil(count / 4), rounds })
  table(HEADINGS, [row(own)])
  table(BAR_HEADINGS, [
    ['deliveries/s', whole(own.perSecond), 'at least 1,500', atLeast(own.perSecond, 1_500)],
  ])
}

/** A new database, compared with one that has many attempts. */
async function history(later, { count, rounds, stored }) {
  const receiver = await openReceiver(later, ENDPOINTS)
  const { urls } = receiver
  const fresh = await openOurs(later, { urls, ...(await openPostgres(later)) })
  const grown = await openOurs(later, { urls, ...(await openPostgres(later)) })
  await grown.remember(stored)
  const senders = [
    { ...fresh, name: 'fresh' },
    { ...grown, name: `after ${whole(stored)} attempts` },
  ]
  const results = await compare(receiver, senders, { count, rounds })
  table(HEADINGS, results.map(row))
  const share = results[1].perSecond / results[0].perSecond
  table(BAR_HEADINGS, [
    [results[1].name, share.toFixed(2), 'at least 0.90 of fresh', atLeast(share, 0.9)],
  ])
}

async function memory(later, { backlog }) {
  const receiver = await openReceiver(later, ENDPOINTS)
  const ours = await openOurs(later, { urls: receiver.urls, ...(await openPostgres(later)) })
  await ours.fill(backlog)
  const { peak, sent } = await watchMemory(receiver, ours, backlog)
  const name = `MB with ${whole(backlog)} waiting, ${whole(sent)} of them sent`
  table(BAR_HEADINGS, [[name, whole(peak), 'at most 300', atMost(peak, 300)]])
}

/** Profiles the worker while it drains a backlog. */
async function profile(later, { count }) {
  const receiver = await openReceiver(later, ENDPOINTS)
  const ours = await openOurs(later, { urls: receiver.urls, ...(await openPostgres(later)) })
  const profiles = openFolder(later)
  ours.place.nodeOptions = ['--cpu-prof', '--cpu-prof-dir', profiles]
  table(HEADINGS, (await compare(receiver, [ours], { count, rounds: 1 })).map(row))
  const rows = selfTimes(profiles, 30)
  table(
    ['self time', 'function'],
    rows.map(({ name, share }) => [`${(100 * share).toFixed(1)} %`, name]),
  )
}

async function latency(later) {
  const receiver = await openReceiver(later, ENDPOINTS)
  const place = await openPostgres(later)
  const ours = await openOurs(later, { urls: receiver.urls, ...place })
  await judgeLatency(later, receiver, ours)
}

async function neighbour(later, { waiting }) {
  const receiver = await openReceiver(later, ENDPOINTS)
  const place = await openPostgres(later)
  // Every store has one endpoint: the first never answers, and the others are healthy.
  const ours = await openOurs(later, { urls: receiver.urls.slice(0, 20), ...place, perStore: 1 })
  await judgeNeighbour(later, receiver, { ours, waiting })
}
