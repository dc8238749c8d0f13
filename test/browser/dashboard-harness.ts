import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { createMigratedInstallation, type Server } from '../process/spawn-server.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The dashboard of a started demo store in Chromium, signed in on its test side. */
export interface OpenedDashboard {
  server: Server
  browser: Browser
  context: BrowserContext
  /** Calls the Store API of the test side; throws if it refuses. */
  ask(method: string, path: string, body?: unknown): Promise<Json>
  /** Goes to a page of the store, and waits until nothing is loading. */
  goTo(page: Page, path: string): Promise<void>
  /** Opens each page at this width and in these colours; none may have a fault, or scroll sideways. */
  examine(
    paths: readonly string[],
    view: View,
    /** Brings each page into the state that is examined. */
    prepare?: (page: Page) => Promise<void>,
  ): Promise<void>
  close(): Promise<void>
}

export interface View {
  width: number
  colorScheme: 'light' | 'dark'
}

export const VIEWS: View[] = [320, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

const launchInstalled = () =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })

export async function openDashboard(launch = launchInstalled): Promise<OpenedDashboard> {
  const installation = await createMigratedInstallation()
  const server = await installation.start()
  const browser = await launch()
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
  })
  const first = await context.newPage()
  await first.goto(/http\S+sign-in\?token=\S+/.exec(server.stdout())?.[0] ?? '')
  await first.getByRole('heading', { name: 'Home' }).waitFor()
  await first.close()

  async function goTo(page: Page, path: string) {
    await page.goto(`${server.origin}/dashboard/${server.test.id}${path}`)
    await page.locator('h1').waitFor()
    await vi.waitFor(async () => expect(await page.locator('.skeleton').count()).toBe(0), 30_000)
  }

  return {
    server,
    browser,
    context,
    goTo,
    async ask(method, path, body) {
      const target = {
        origin: server.origin,
        store: server.test.id,
        key: server.test.api_key ?? '',
      }
      const { status, json } = await call(target, method, path, body === undefined ? {} : { body })
      if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
      return json
    },
    async examine(paths, { width, colorScheme }, prepare) {
      const viewed = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        bypassCSP: true,
        storageState: await context.storageState(),
      })
      const page = await viewed.newPage()
      for (const path of paths) {
        await goTo(page, path)
        await prepare?.(page)
        expect(await page.locator('.failure').count(), path).toBe(0)
        await page.evaluate(AXE)
        const { violations } = (await page.evaluate('axe.run()')) as Json
        const found = violations.map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`)
        expect(found, path).toEqual([])
        const wide = 'document.documentElement.scrollWidth - window.innerWidth'
        expect(await page.evaluate(wide), path).toBeLessThanOrEqual(0)
      }
      await viewed.close()
    },
    async close() {
      await browser.close()
      await installation.close()
    },
  }
}

/** The label or the text of the focused element. */
const FOCUSED =
  "(document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? '').trim()"

/** Moves with the tab key to the element that has this text or label. */
export async function tabTo(page: Page, name: string) {
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press('Tab')
    const focused = String(await page.evaluate(FOCUSED))
    if (focused.startsWith(name)) return
  }
  throw new Error(`The tab key does not reach ${name}.`)
}
