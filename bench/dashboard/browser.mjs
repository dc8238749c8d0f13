// Times that a person at a browser waits.
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { median, quantile } from '../lib/bench.mjs'
import { signIn } from './seed.mjs'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const ROUNDS = 5
/** 10 Mbit/s, in bytes a second. */
const LINK = 10_000_000 / 8
const SLOWED = 4
const LISTS = [
  ['Orders', 'Orders'],
  ['Products', 'Products'],
  ['Customers', 'Customers'],
  ['Events', 'Events'],
  ['License keys', 'License keys'],
]

export async function openBrowser(later, store) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  later(() => browser.close())
  const [, name, value] = /^([^=]+)=(.*)$/.exec(await signIn(store))
  const { origin } = store.tradepost
  return {
    home: `${origin}/dashboard/${store.hash}`,
    /** A page without a cache. */
    async open() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      await context.addCookies([{ name, value, url: origin }])
      await context.addInitScript(watch)
      return context.newPage()
    },
  }
}

/** Runs in each page before its scripts. */
function watch() {
  const seen = { interactive: 0, shift: 0, events: {}, clicked: 0, drawn: 0, until: undefined }
  globalThis.seen = seen
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) {
      if (!hadRecentInput) seen.shift += value
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (!interactionId) continue
      seen.events[interactionId] = Math.max(seen.events[interactionId] ?? 0, duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  addEventListener('click', ({ timeStamp }) => Object.assign(seen, { clicked: timeStamp }), true)
  // After the next frame, and the tasks that were queued before it.
  const mark = (name) =>
    requestAnimationFrame(() =>
      setTimeout(() => Object.assign(seen, { [name]: performance.now() })),
    )
  const look = () => {
    if (!seen.interactive && document.querySelector('h1')) {
      seen.interactive = -1
      mark('interactive')
    }
    if (!seen.until?.()) return
    seen.until = undefined
    mark('drawn')
  }
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}

const settled = (page) =>
  page.waitForFunction(
    () => document.querySelector('h1') && !document.querySelector('.skeleton, .refreshing'),
  )

/** Time to the first page that can be used, and the bytes of its scripts. */
export async function first({ home, open }) {
  const times = []
  const busy = []
  const sizes = []
  for (let n = 0; n <= ROUNDS; n++) {
    const page = await open()
    const scripts = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body())
    })
    const devtools = await page.context().newCDPSession(page)
    // Processor time depends little on what else the machine does.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await devtools.send('Network.enable')
    const link = { offline: false, latency: 0, downloadThroughput: LINK, uploadThroughput: LINK }
    await devtools.send('Network.emulateNetworkConditions', link)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
    await page.goto(home)
    await page.waitForFunction(() => globalThis.seen.interactive > 0)
    const { metrics } = await devtools.send('Performance.getMetrics')
    const bodies = await Promise.all(scripts)
    sizes.push(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0))
    // The first page of the browser also starts its processes.
    if (n > 0) {
      times.push(await page.evaluate(() => globalThis.seen.interactive))
      busy.push(1_000 * metrics.find(({ name }) => name === 'TaskDuration').value)
    }
    await page.context().close()
  }
  return [
    ['first page interactive, CPU slowed 4 times, 10 Mbit/s', median(times), 'ms', 1_000],
    ['of it, the main thread of the page is busy', median(busy), 'ms', undefined],
    ['scripts of the first page, gzip', Math.max(...sizes) / 1_000, 'KB', 200],
  ]
}

/** From a click in the navigation, or on the button of the next page, to the frame that shows the rows. */
export async function lists({ home, open }) {
  const rows = []
  for (const [name, heading] of LISTS) {
    const opened = []
    const turned = []
    for (let n = 0; n < ROUNDS; n++) {
      const page = await open()
      await page.goto(home)
      await settled(page)
      await expectRows(page, heading)
      await page.getByRole('navigation').getByRole('link', { name }).first().click()
      opened.push(await drawn(page))
      await settled(page)
      for (let turn = 0; turn < 3; turn++) {
        await expectRows(page, heading, await firstRow(page))
        await page.getByRole('button', { name: 'Next' }).click()
        turned.push(await drawn(page))
        await settled(page)
      }
      await page.context().close()
    }
    rows.push([`${name}: opened from the navigation`, median(opened), 'ms', 150])
    rows.push([`${name}: next page`, median(turned), 'ms', 150])
  }
  return rows
}

/** Rows look alike, but each leads to its own page. */
const firstRow = (page) => page.locator('.list tbody tr a').first().getAttribute('href')

/** Notes in the page for which rows the next click waits. */
const expectRows = (page, heading, before) =>
  page.evaluate(
    ([heading, before]) => {
      globalThis.seen.drawn = 0
      globalThis.seen.until = () => {
        const link = document.querySelector('.list tbody tr a')
        const isThere = document.querySelector('h1')?.textContent === heading
        return isThere && link !== null && link.getAttribute('href') !== before
      }
    },
    [heading, before],
  )

async function drawn(page) {
  await page.waitForFunction(() => globalThis.seen.drawn > 0)
  return page.evaluate(() => globalThis.seen.drawn - globalThis.seen.clicked)
}

/** Clicks and keys of the main journeys: their delay, and how much moved without them. */
export async function journeys({ home, open }) {
  const delays = []
  const shifts = []
  for (let n = 0; n < ROUNDS; n++) {
    const page = await open()
    await page.goto(home)
    await settled(page)
    const follow = async (name) => {
      await page.getByRole('navigation').getByRole('link', { name }).first().click()
      await settled(page)
    }
    const openRow = async () => {
      await page.locator('main tbody tr a').first().click()
      await page.locator('h1').waitFor()
      await settled(page)
    }
    await follow('Orders')
    await page.getByLabel('E-mail, number or id').pressSequentially('4711')
    await page.locator('.filters button').click()
    await settled(page)
    await follow('Orders')
    await openRow()
    await follow('Products')
    await openRow()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('customers')
    await page.keyboard.press('Escape')
    await follow('Analytics')
    await page.waitForTimeout(500)
    const seen = await page.evaluate(() => globalThis.seen)
    shifts.push(seen.shift)
    delays.push(...Object.values(seen.events))
    await page.context().close()
  }
  return [
    [`interaction to next paint, p95 of ${delays.length}`, quantile(delays, 0.95), 'ms', 100],
    ['layout shift of the longest journey', Math.max(...shifts), '', 0.02],
  ]
}
