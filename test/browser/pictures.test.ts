import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { elapse } from '../until.ts'
import { type Difference, differenceFrom, reportDifference } from './compare-pictures.ts'
import {
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  VIEWS,
  type View,
} from './dashboard-harness.ts'
import { type Freezer, openFreezer } from './frozen-page.ts'
import { createPictureRecords } from './picture-store.ts'
import { HAS_PINNED_BROWSER, launchPinnedBrowser } from './pinned-browser.ts'

/** The loading line is hidden, because it is visible only while records are fetched. */
const STYLE = '.refreshing { box-shadow: none !important }'
/**
 * A page differs from its stored picture if this many pictures do. The second is taken after a while, because
 * a busy machine may draw the last detail late, and the others after the page was opened again. If pictures are stored
 * anew, the second is stored: more calls would exceed the rate limit of the user.
 */
const PICTURES_MAX = process.env.UPDATE_PICTURES === '1' ? 2 : 5
const SECOND_PICTURE_MS = 1_000
/** Pages that need no session. */
const PUBLIC = { welcome: '/', reference: '/docs', 'sign-in': '/dashboard/sign-in' }

describe.skipIf(!HAS_PINNED_BROWSER)('pages look like their stored pictures', () => {
  let dashboard: OpenedDashboard
  let freezer: Freezer
  let paths: Record<string, string>
  beforeAll(async () => {
    dashboard = await openDashboard(launchPinnedBrowser)
    freezer = openFreezer(Date.now())
    paths = await createPictureRecords(dashboard)
  })
  afterAll(() => dashboard?.close())

  test.concurrent.each(VIEWS)('pages of a store at $width px in $colorScheme', async (view) => {
    const { context, show } = dashboard
    const differences = await compareAll(view, Object.keys(paths), {
      storageState: await context.storageState(),
      // Text that is laid out before its font has loaded, such as that of a select, can be a pixel away from its
      // place afterwards. So another page loads the fonts, and the navigation scrolls from its start.
      async open(page, name) {
        await show(page, name === 'home' ? '/orders' : '')
        await page.evaluate('document.fonts.ready')
        await show(page, paths[name] ?? '')
      },
    })
    expectEmpty(differences)
  })

  test.concurrent.each(VIEWS)('public pages at $width px in $colorScheme', async (view) => {
    const open = async (page: Page, name: string) => {
      await page.goto(dashboard.server.origin + PUBLIC[name as keyof typeof PUBLIC])
    }
    expectEmpty(await compareAll(view, Object.keys(PUBLIC), { open }))
  })

  interface OpenPage {
    storageState?: Awaited<ReturnType<OpenedDashboard['context']['storageState']>>
    open(page: Page, name: string): Promise<void>
  }

  /** Takes a picture of each page. Returns a sentence about each one that differs from its stored picture. */
  async function compareAll(
    { width, colorScheme }: View,
    names: readonly string[],
    { storageState, open }: OpenPage,
  ): Promise<string[]> {
    const context = await dashboard.browser.newContext({
      viewport: { width, height: 800 },
      ...{ colorScheme, storageState, reducedMotion: 'reduce', bypassCSP: true },
      ...{ locale: 'en-US', timezoneId: 'UTC' },
    })
    await freezer.prepare(context)
    const page = await context.newPage()
    const sentences: string[] = []
    for (const name of names) {
      const pictureName = `${name}-${width}-${colorScheme}`
      const difference = await differenceOf(page, pictureName, () => open(page, name))
      const sentence = difference && reportDifference(difference)
      if (sentence) sentences.push(sentence)
    }
    await context.close()
    return sentences
  }

  /** Opens a page and compares it. Returns the difference of the last picture if all pictures differ. */
  async function differenceOf(
    page: Page,
    name: string,
    open: () => Promise<void>,
  ): Promise<Difference | undefined> {
    let difference: Difference | undefined
    for (let count = 1; count <= PICTURES_MAX; count++) {
      if (count > 2) await page.goto('about:blank')
      if (count === 2) await elapse(SECOND_PICTURE_MS)
      else await open()
      await page.evaluate('document.fonts.ready')
      await freezer.replaceVaryingText(page)
      const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', style: STYLE })
      difference = differenceFrom(name, picture)
      if (!difference) return undefined
    }
    return difference
  }
})
