import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openTradepost, type Tradepost } from '../harness.ts'
import { expectEmpty, launchInstalled } from './dashboard-harness.ts'

/** A server whose pages a browser opens without the dashboard. */
export interface PlainPages {
  tradepost: Tradepost
  /** The origin of the server. */
  address: string
  /** Opens a page, runs the work, and fails on any error in the browser. */
  on<T>(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export async function openPlainPages(): Promise<PlainPages> {
  const tradepost = await openTradepost()
  const address = await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
  const browser: Browser = await launchInstalled()
  return {
    tradepost,
    address,
    async on(path, options, work) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const browserErrors: string[] = []
      page.on('pageerror', (error) => browserErrors.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error') browserErrors.push(message.text())
      })
      await page.goto(address + path)
      const result = await work(page)
      expectEmpty(browserErrors)
      await context.close()
      return result
    },
    async close() {
      await browser.close()
      await tradepost.close()
    },
  }
}

/** Moves the focus with Tab to the element that has exactly this label or text. */
export const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent",
    )
    if (focused === name) return
  }
  throw new Error(`No Tab leads to ${name}.`)
}
