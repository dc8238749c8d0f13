// Measures the times that a user of the dashboard waits for the browser.
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { hasTimeFor, median, quantile } from '../lib/bench.mjs'
import { signIn } from './seed.mjs'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const ROUNDS = 5
/** The rate of the network: 10 Mbit/s, in bytes a second. */
const NETWORK_RATE = 10_000_000 / 8
/** The factor by which the CPU is slowed. */
const CPU_SLOWDOWN = 4
/** No round of journeys begins after this time, so a busy machine has fewer rounds. */
const JOURNEYS_MS = 90_000
const STEP_MS = 30_000
/** The links of the navigation, and the headings of their pages. */
const LISTS = ['Orders', 'Products', 'Customers', 'Events', 'License keys']

export async function openBrowser(atEnd, store) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  atEnd(() => browser.close())
  const [, name, value] = /^([^=]+)=(.*)$/.exec(await signIn(store))
  const { origin } = store.tradepost
  return {
    home: `${origin}/dashboard/${store.hash}`,
    /** Opens a page with an empty cache. */
    async open() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      await context.addCookies([{ name, value, url: origin }])
      context.setDefaultTimeout(STEP_MS)
      await context.addInitScript(recordMeasurements)
      return context.newPage()
    },
  }
}

/** Records measurements in a page. The browser runs the function before the scripts of the page. */
function recordMeasurements() {
  const measured = {
    interactiveAt: 0,
    layoutShift: 0,
    delays: {},
    clickedAt: 0,
    rowsDrawnAt: 0,
    hasExpectedRows: undefined,
  }
  globalThis.measured = measured
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) {
      if (!hadRecentInput) measured.layoutShift += value
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (!interactionId) continue
      measured.delays[interactionId] = Math.max(measured.delays[interactionId] ?? 0, duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  const recordClick = ({ timeStamp }) => Object.assign(measured, { clickedAt: timeStamp })
  addEventListener('click', recordClick, true)
  // The time is recorded after the next frame and the tasks that were queued before it.
  const recordTime = (name) =>
    requestAnimationFrame(() =>
      setTimeout(() => Object.assign(measured, { [name]: performance.now() })),
    )
  const checkPage = () => {
    if (!measured.interactiveAt && document.querySelector('h1')) {
      // Negative until the time is recorded, so that a later change of the page does not record it again.
      measured.interactiveAt = -1
      recordTime('interactiveAt')
    }
    if (!measured.hasExpectedRows?.()) return
    measured.hasExpectedRows = undefined
    recordTime('rowsDrawnAt')
  }
  new MutationObserver(checkPage).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}

const untilLoaded = (page) =>
  page.waitForFunction(
    () => document.querySelector('h1') && !document.querySelector('.skeleton, .refreshing'),
  )

/** Measures the time until the first page is interactive, and the bytes of its scripts. */
export async function measureFirstPage({ home, open }) {
  const interactiveTimes = []
  const mainThreadTimes = []
  const scriptSizes = []
  for (let n = 0; n <= ROUNDS; n++) {
    const page = await open()
    const scripts = []
    const addScript = (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body())
    }
    page.on('response', addScript)
    const devtools = await page.context().newCDPSession(page)
    // Processor time depends little on the load of the machine.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: NETWORK_RATE,
      uploadThroughput: NETWORK_RATE,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(home)
    await page.waitForFunction(() => globalThis.measured.interactiveAt > 0)
    page.off('response', addScript)
    const { metrics } = await devtools.send('Performance.getMetrics')
    const bodies = await Promise.all(scripts)
    scriptSizes.push(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0))
    // The first round is not counted, because it also starts processes of the browser.
    if (n > 0) {
      interactiveTimes.push(await page.evaluate(() => globalThis.measured.interactiveAt))
      mainThreadTimes.push(1_000 * metrics.find(({ name }) => name === 'TaskDuration').value)
    }
    await page.context().close()
  }
  return [
    [
      'first page interactive, CPU slowed 4 times, 10 Mbit/s',
      median(interactiveTimes),
      'ms',
      1_000,
    ],
    ['busy time of the main thread until then', median(mainThreadTimes), 'ms', undefined],
    ['scripts of the first page, gzip', Math.max(...scriptSizes) / 1_000, 'KB', 200],
  ]
}

/** Measures the time from a click on a list, or on its next page, to the frame that shows the rows. */
export async function measureLists({ home, open }) {
  const rows = []
  for (const name of LISTS) {
    const openTimes = []
    const nextPageTimes = []
    for (let n = 0; n < ROUNDS; n++) {
      const page = await open()
      await page.goto(home)
      await untilLoaded(page)
      await expectRows(page, name)
      await page.getByRole('navigation').getByRole('link', { name }).first().click()
      openTimes.push(await timeUntilRows(page))
      await untilLoaded(page)
      for (let click = 0; click < 3; click++) {
        await expectRows(page, name, await firstRow(page))
        await page.getByRole('button', { name: 'Next' }).click()
        nextPageTimes.push(await timeUntilRows(page))
        await untilLoaded(page)
      }
      await page.context().close()
    }
    rows.push([`${name}: opened from the navigation`, median(openTimes), 'ms', 150])
    rows.push([`${name}: next page`, median(nextPageTimes), 'ms', 150])
  }
  return rows
}

/** Returns the link of the first row, which identifies the page of the list. */
const firstRow = (page) => page.locator('.list tbody tr a').first().getAttribute('href')

/** Makes the page record when it shows rows under this heading whose first row differs from `previousRow`. */
const expectRows = (page, heading, previousRow) =>
  page.evaluate(
    ([heading, previousRow]) => {
      globalThis.measured.rowsDrawnAt = 0
      globalThis.measured.hasExpectedRows = () => {
        const link = document.querySelector('.list tbody tr a')
        const hasHeading = document.querySelector('h1')?.textContent === heading
        return hasHeading && link !== null && link.getAttribute('href') !== previousRow
      }
    },
    [heading, previousRow],
  )

/** Returns the milliseconds from the last click to the frame that shows the expected rows. */
async function timeUntilRows(page) {
  await page.waitForFunction(() => globalThis.measured.rowsDrawnAt > 0)
  return page.evaluate(() => globalThis.measured.rowsDrawnAt - globalThis.measured.clickedAt)
}

/** Measures the delay of clicks and keys on the main journeys, and the layout shift without input. */
export async function measureJourneys({ home, open }) {
  const delays = []
  const shifts = []
  const hasTime = hasTimeFor(JOURNEYS_MS)
  for (let n = 0; n < ROUNDS && (n === 0 || hasTime()); n++) {
    const page = await open()
    await page.goto(home)
    await untilLoaded(page)
    await takeJourneys(page)
    // The browser reports a delay after the next frame.
    await page.waitForTimeout(500)
    const measured = await page.evaluate(() => globalThis.measured)
    shifts.push(measured.layoutShift)
    delays.push(...Object.values(measured.delays))
    await page.context().close()
  }
  return [
    [`interaction to next paint, p95 of ${delays.length}`, quantile(delays, 0.95), 'ms', 100],
    ['layout shift of the worst journey', Math.max(...shifts), '', 0.02],
  ]
}

async function takeJourneys(page) {
  const openPage = async (name) => {
    await page.locator('.navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await untilLoaded(page)
  }
  const openFirstRow = async () => {
    const listHeading = await page.locator('h1').textContent()
    await page.locator('main .list tbody tr a').first().click()
    // An order opens in a panel next to its list, other records on a page of their own.
    await page.waitForFunction(
      (heading) =>
        document.querySelector('.side-panel') ||
        ![heading, undefined].includes(document.querySelector('h1')?.textContent),
      listHeading,
    )
    await untilLoaded(page)
  }
  await openPage('Orders')
  await page.locator('[data-search]').first().pressSequentially('4711')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=4711/)
  await untilLoaded(page)
  await openPage('Orders')
  await openFirstRow()
  await openPage('Products')
  await openFirstRow()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('customers')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await openPage('Analytics')
}
