import type { Page, Request } from 'playwright-core'
import { until } from '../until.ts'
import { CALL_URLS } from './waiting-changes.ts'

const held = new WeakSet<Request>()

/**
 * Holds back the requests that the page sends to its API from now on, and waits until the earlier ones are answered.
 * So a test, and not the speed of the machine, chooses which request meets the end of a session. Returns a function
 * that lets them all pass.
 */
export async function holdRequests(
  page: Page,
  isHeld: (request: Request) => boolean = () => true,
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(CALL_URLS, async (route) => {
    const request = route.request()
    if (isHeld(request)) {
      held.add(request)
      await released
    }
    await route.fallback()
  })
  const hasEnded = (request: Request) => request.existingResponse() ?? request.failure()
  await until(async () =>
    (await page.requests()).every((request) => held.has(request) || hasEnded(request)),
  )
  return release
}
