// The dashboard: its first page, its lists, the delay of clicks, and the cost of open dashboards for the server.
//
// A missed bar makes the exit code 1.
//
//   node bench/dashboard.mjs                all parts, about 15 minutes
//   node bench/dashboard.mjs first lists    these parts: first, lists, journeys, idle, load
import { loadavg } from 'node:os'
import {
  measureFirstPage,
  measureJourneys,
  measureLists,
  openBrowser,
} from './dashboard/browser.mjs'
import { createRecords, openStore, RECORDS } from './dashboard/seed.mjs'
import { measureIdle, measureLoad } from './dashboard/streams.mjs'
import { atMost, bench, print, printTable, withTimeout } from './lib/bench.mjs'

const BROWSER_PARTS = { first: measureFirstPage, lists: measureLists, journeys: measureJourneys }
const SERVER_PARTS = { idle: measureIdle, load: measureLoad }
const partNames = [...Object.keys(BROWSER_PARTS), ...Object.keys(SERVER_PARTS)]
/** The longest time of a part. */
const PART_MS = 8 * 60_000
const requestedParts = process.argv.slice(2)
const parts = requestedParts.length > 0 ? requestedParts : partNames

await bench(`The dashboard, ${RECORDS} records in each list`, async (atEnd) => {
  const unknown = parts.find((name) => !partNames.includes(name))
  if (unknown)
    throw new Error(`There is no part ${unknown}. The parts are ${partNames.join(', ')}.`)
  const needsBrowser = parts.some((name) => name in BROWSER_PARTS)
  const browser = needsBrowser && (await openBrowser(atEnd, await openFullStore(atEnd)))
  const store = parts.some((name) => name in SERVER_PARTS) && (await openStore(atEnd))
  for (const name of parts) {
    const before = loadavg()[0]
    const measurement =
      name in BROWSER_PARTS ? BROWSER_PARTS[name](browser) : SERVER_PARTS[name](atEnd, store)
    const rows = await withTimeout(measurement, PART_MS, `The part ${name}`)
    print(`load of the machine: ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`)
    printTable([name, '', 'bar', ''], rows.map(tableRow))
    if (rows.some(([, value, , bar]) => bar !== undefined && !(value <= bar))) process.exitCode = 1
  }
})

async function openFullStore(atEnd) {
  const store = await openStore(atEnd)
  await createRecords(store)
  return store
}

function tableRow([title, value, unit, bar]) {
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 10 ? 1 : 0
  const figure = `${value.toFixed(digits)} ${unit}`.trim()
  return [title, figure, ...(bar === undefined ? ['', ''] : [`at most ${bar}`, atMost(value, bar)])]
}
