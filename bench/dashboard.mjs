// The dashboard: its first page, its lists, the delay of clicks, and what open dashboards cost the server.
//
//   node bench/dashboard.mjs                all parts, about 12 minutes
//   node bench/dashboard.mjs first lists    these parts: first, lists, journeys, idle, load
import { loadavg } from 'node:os'
import { first, journeys, lists, openBrowser } from './dashboard/browser.mjs'
import { fill, openStore, RECORDS } from './dashboard/seed.mjs'
import { idle, load } from './dashboard/streams.mjs'
import { atMost, bench, say, table } from './lib/bench.mjs'

const IN_BROWSER = { first, lists, journeys }
const OF_SERVER = { idle, load }
const names = [...Object.keys(IN_BROWSER), ...Object.keys(OF_SERVER)]
const asked = process.argv.slice(2)
const parts = asked.length > 0 ? asked : names

await bench(`The dashboard, ${RECORDS} records in each list`, async (later) => {
  const unknown = parts.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no part ${unknown}. The parts are ${names.join(', ')}.`)
  const isSeen = parts.some((name) => name in IN_BROWSER)
  const browser = isSeen && (await openBrowser(later, await openFilled(later)))
  const store = parts.some((name) => name in OF_SERVER) && (await openStore(later))
  for (const name of parts) {
    const before = loadavg()[0]
    const rows = await (name in IN_BROWSER
      ? IN_BROWSER[name](browser)
      : OF_SERVER[name](later, store))
    say(`load of the machine: ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`)
    table([name, '', 'bar', ''], rows.map(lineOf))
  }
})

async function openFilled(later) {
  const store = await openStore(later)
  await fill(store)
  return store
}

function lineOf([title, value, unit, bar]) {
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 10 ? 1 : 0
  const shown = `${value.toFixed(digits)} ${unit}`.trim()
  return [title, shown, ...(bar === undefined ? ['', ''] : [`at most ${bar}`, atMost(value, bar)])]
}
