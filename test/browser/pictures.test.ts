import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differenceFrom } from './compare-pictures.ts'
import { type OpenedDashboard, openDashboard, VIEWS, type View } from './dashboard-harness.ts'
import { type Freezer, openFreezer } from './frozen-page.ts'
import { fillForPictures } from './picture-store.ts'
import { HAS_PINNED_BROWSER, launchPinnedBrowser } from './pinned-browser.ts'

/** The line above records that are fetched again comes and goes. */
const CALM = '.refreshing { box-shadow: none !important }'
/** Pages that need no session. */
const PUBLIC = { welcome: '/', reference: '/docs', 'sign-in': '/dashboard/sign-in' }

describe.skipIf(!HAS_PINNED_BROWSER)('pages look like their stored pictures', () => {
  let dashboard: OpenedDashboard
  let freezer: Freezer
  let paths: Record<string, string>
  beforeAll(async () => {
    dashboard = await openDashboard(launchPinnedBrowser)
    freezer = openFreezer(Date.now())
    paths = await fillForPictures(dashboard)
  })
  afterAll(() => dashboard?.close())

  test.concurrent.each(VIEWS)('pages of a store, at $width px in $colorScheme', async (view) => {
    const { context, goTo } = dashboard
    const differences = await compareAll(view, Object.keys(paths), {
      storageState: await context.storageState(),
      open: (page, name) => goTo(page, paths[name] ?? ''),
    })
    expect(differences).toEqual([])
  })

  test.concurrent.each(VIEWS)('pages for everyone, at $width px in $colorScheme', async (view) => {
    const open = async (page: Page, name: string) => {
      await page.goto(dashboard.server.origin + PUBLIC[name as keyof typeof PUBLIC])
    }
    expect(await compareAll(view, Object.keys(PUBLIC), { open })).toEqual([])
  })

  interface Way {
    storageState?: Awaited<ReturnType<OpenedDashboard['context']['storageState']>>
    open(page: Page, name: string): Promise<void>
  }

  /** Takes a picture of each page. Returns what differs from the stored pictures. */
  async function compareAll(
    { width, colorScheme }: View,
    names: readonly string[],
    { storageState, open }: Way,
  ): Promise<string[]> {
    const context = await dashboard.browser.newContext({
      viewport: { width, height: 800 },
      ...{ colorScheme, storageState, reducedMotion: 'reduce', bypassCSP: true },
      ...{ locale: 'en-US', timezoneId: 'UTC' },
    })
    await freezer.prepare(context)
    const page = await context.newPage()
    const differences: string[] = []
    for (const name of names) {
      await open(page, name)
      await page.evaluate('document.fonts.ready')
      await freezer.tidy(page)
      const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', style: CALM })
      const difference = differenceFrom(`${name}-${width}-${colorScheme}`, picture)
      if (difference) differences.push(difference)
    }
    await context.close()
    return differences
  }
})
