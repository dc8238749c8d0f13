import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect, vi } from 'vitest'
import {
  createManagementClient,
  type Management,
} from '../../sdk/client-security/management/index.ts'
import type { Json } from '../harness.ts'
import { callUntilServed } from '../process/client.ts'
import { createMigratedInstallation, type Server } from '../process/spawn-server.ts'
import { until } from '../until.ts'
import { walkPart } from '../walks.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The dashboard of a running demo store in Chromium, signed in on its test side. */
export interface OpenedDashboard {
  server: Server
  /** The data folder of the server. */
  dataDir: string
  browser: Browser
  context: BrowserContext
  /** Calls the Store API of the test side. Throws an error if the status is 300 or more. */
  ask(method: string, path: string, body?: unknown): Promise<Json>
  /** The Client Security API of the test side. */
  management: Management
  /** Opens a page of the store, and waits until it has loaded. */
  goTo(page: Page, path: string): Promise<void>
  /**
   * Opens a page of the store as a link in the app does, and waits until it has loaded. This takes a fifth of
   * the processor time of `goTo`, which is used if the app is not open yet.
   */
  show(page: Page, path: string): Promise<void>
  /** Runs the work on a new page at this address. `prepare` is called before the page is opened. */
  on(
    path: string,
    work: (page: Page) => Promise<void>,
    prepare?: (page: Page) => void,
  ): Promise<void>
  /** Runs a command of `tradepost` next to the running server. Throws an error if it fails. */
  command(...args: string[]): Promise<void>
  /** Invites a user with this role, who accepts and signs in within a new browser context. */
  signInAs(role: string, password: string, email?: string): Promise<BrowserContext>
  /** Sets a password for the owner, who signed in with a link. This steps the session up. */
  setPassword(password: string): Promise<void>
  /**
   * Opens each page at each of the widths. None may have axe violations in the light or the dark theme, or
   * scroll sideways.
   */
  examine(
    paths: readonly string[],
    /** Brings each page into the state to examine. */
    prepare?: (page: Page) => Promise<void>,
  ): Promise<void>
  /** Starts the server again after it has ended. It needs a fixed port to have the same address. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

export interface View {
  width: number
  colorScheme: 'light' | 'dark'
}

/** The width of a small phone and of a laptop, in pixels. */
export const WIDTHS = [320, 1280] as const

const sizeOf = (width: number) => ({ width, height: 800 })

export const VIEWS: View[] = WIDTHS.flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

/** Ends a test that hangs. A busy machine needs longer than the 30 s that Playwright waits by default. */
export const WAIT_MS = 180_000

export const launchInstalled = () =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })

export async function openDashboard(
  launch = launchInstalled,
  settings: Record<string, string> = {},
): Promise<OpenedDashboard> {
  const installation = await createMigratedInstallation(settings)
  const server = await installation.start()
  const browser = await launch()
  browser.on('context', (opened) => opened.setDefaultTimeout(WAIT_MS))
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
  })
  const signIn = await context.newPage()
  await signIn.goto(/http\S+sign-in\?token=\S+/.exec(server.stdout())?.[0] ?? '')
  await signIn.getByRole('heading', { name: 'Home' }).waitFor()
  await signIn.close()

  const addressOf = (path: string) => `/dashboard/${server.test.id}${path}`

  async function goTo(page: Page, path: string) {
    await page.goto(server.origin + addressOf(path))
    await untilLoaded(page)
  }

  async function show(page: Page, path: string) {
    if (!page.url().startsWith(server.origin + addressOf(''))) return goTo(page, path)
    await page
      .evaluate(showInApp, { address: addressOf(path), wait_ms: WAIT_MS })
      .catch((error: Error) => {
        // The router loads the document again, once, if the script of a page could not be loaded.
        if (!/garbage collected|context was destroyed/.test(error.message)) throw error
        return page.waitForLoadState()
      })
    await untilLoaded(page)
  }

  const management = createManagementClient({
    url: `${server.origin}/security/v1`,
    apiKey: server.test.security_key ?? '',
  })

  return {
    server,
    dataDir: installation.dataDir,
    browser,
    context,
    management,
    goTo,
    show,
    async on(path, work, prepare) {
      const page = await context.newPage()
      prepare?.(page)
      const requests = recordRequests(page)
      try {
        await goTo(page, path)
        await work(page)
      } catch (error) {
        throw await withPageText(error, page, requests)
      } finally {
        await page.close()
      }
    },
    async command(...args) {
      const { code, stdout, stderr } = await installation.run(args)
      if (code !== 0) throw new Error(stdout + stderr)
    },
    async signInAs(role, password, email = `${role}@example.com`) {
      const url = `${server.origin}/dashboard/api/stores/${server.test.id}/invitations`
      const data = { email, role }
      const response = await context.request.post(url, { data, headers: { origin: server.origin } })
      if (!response.ok()) throw new Error(await response.text())
      const invitedContext = await browser.newContext({ locale: 'en-US' })
      const page = await invitedContext.newPage()
      await page.goto(((await response.json()) as Json).url)
      await page.getByLabel('Your name').fill('Vera')
      await page.getByLabel('New password').fill(password)
      await page.getByRole('button', { name: 'Accept' }).click()
      await page.getByRole('heading', { name: 'Choose a store' }).or(page.locator('h1')).waitFor()
      await page.close()
      return invitedContext
    },
    async setPassword(password) {
      const url = `${server.origin}/dashboard/api/password`
      const headers = { origin: server.origin }
      const response = await context.request.post(url, { data: { password }, headers })
      if (!response.ok()) throw new Error(await response.text())
    },
    async ask(method, path, body) {
      const target = {
        origin: server.origin,
        store: server.test.id,
        key: server.test.api_key ?? '',
      }
      const options = body === undefined ? {} : { body }
      const { status, json } = await callUntilServed(target, method, path, options)
      if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
      return json
    },
    async examine(paths, prepare) {
      const viewContext = await browser.newContext({
        colorScheme: 'light',
        bypassCSP: true,
        storageState: await context.storageState(),
      })
      const page = await viewContext.newPage()
      for (const path of walkPart(paths, String(paths[0]))) {
        await page.setViewportSize(sizeOf(WIDTHS[0]))
        await show(page, path)
        await prepare?.(page)
        expect(await page.locator('.failure').count(), path).toBe(0)
        for (const width of WIDTHS) {
          await page.setViewportSize(sizeOf(width))
          await examine(page, `${path} at ${width} px`)
        }
      }
      await viewContext.close()
    },
    async startAgain() {
      await installation.start()
    },
    async close() {
      await browser.close()
      await installation.close()
    },
  }
}

/** Waits until no part of the page is loading, which would move the element that a click is meant for. */
export async function untilLoaded(page: Page) {
  await page.locator('h1').waitFor()
  await vi.waitFor(async () => expect(await page.locator('.skeleton').count()).toBe(0), WAIT_MS)
}

/**
 * Opens an address with the router of the app, which it publishes, and waits until the page is rendered.
 * Runs in the page, so it uses no value of this file.
 */
function showInApp({ address, wait_ms }: { address: string; wait_ms: number }): Promise<void> {
  const { __TSR_ROUTER__: router } = globalThis as unknown as {
    __TSR_ROUTER__: {
      subscribe(event: 'onRendered', listener: () => void): () => void
      history: { push(address: string): void }
    }
  }
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`The app did not show ${address}.`)), wait_ms)
    const unsubscribe = router.subscribe('onRendered', () => {
      unsubscribe()
      resolve()
    })
    router.history.push(address)
  })
}

/** Returns a growing list of the page's changes and reads of the user, each with its status once it is answered. */
function recordRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', async (request) => {
    if (request.method() === 'GET' && !/\/me$/.test(request.url())) return
    const index = requests.length
    const text = `${request.method()} ${request.url()}`
    requests.push(text)
    const response = await request.response().catch(() => null)
    requests[index] = `${text} ${response?.status()}`
  })
  return requests
}

/** Adds the text of the page and its last requests to the error of a test that failed on it. */
async function withPageText(
  error: unknown,
  page: Page,
  requests: readonly string[],
): Promise<unknown> {
  if (!(error instanceof Error) || page.isClosed()) return error
  const text = await page.evaluate('document.body.innerText').catch(String)
  error.message += `\n\n${page.url()} shows:\n${text}\n\nIts requests:\n${requests.slice(-20).join('\n')}`
  return error
}

/** After this time the app reads its data again. */
const STALE_MS = 60_000

/** Lets the page read its data again, as when the user returns to its tab. */
export async function returnToTab(page: Page) {
  await page.clock.fastForward(STALE_MS)
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
}

export async function declineSignIn(page: Page) {
  const prompt = page.getByRole('dialog', { name: 'Your session has ended' })
  await closeByEscape(prompt)
}

const RULES_ON_COLORS = ['color-contrast', 'link-in-text-block']
/** The pixels by which the page can be scrolled sideways, if positive. */
export const HIDDEN_WIDTH = 'document.documentElement.scrollWidth - window.innerWidth'

/** Expects that the list is empty. The first line of the failure is the list, unlike that of `toEqual([])`. */
export function expectEmpty(findings: readonly string[], subject = '') {
  if (findings.length > 0) expect.fail(`${subject && `${subject}: `}${findings.join('; ')}`)
}

/** The number of tables that can be scrolled sideways. It must be 0 on a phone, where their rows are cards. */
const SIDEWAYS_TABLES =
  "innerWidth > 640 ? 0 : [...document.querySelectorAll('.table-frame')].filter((frame) => frame.scrollWidth > frame.clientWidth).length"

/** Expects that the page has no axe violations in either theme, and does not scroll sideways. */
export async function examine(page: Page, path: string) {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  expectEmpty(await violationsOf(page), `${path}, light`)
  expect(await page.evaluate(HIDDEN_WIDTH), path).toBeLessThanOrEqual(0)
  expect(await page.evaluate(SIDEWAYS_TABLES), path).toBe(0)
  // The themes differ in colors only.
  await page.emulateMedia({ colorScheme: 'dark' })
  expectEmpty(await violationsOf(page, RULES_ON_COLORS), `${path}, dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The violations of these rules, or of all rules that axe applies by default. */
async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  const options = {
    // Axe then prepares no report of the elements that pass.
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  return page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  )
}

/** Waits until a dialog has the focus, and so takes keys. The dialog is visible before that. */
export const untilDialogHasFocus = (dialog: Locator) =>
  dialog.locator(':scope:focus, :focus').first().waitFor()

/** An accepted key closes a dialog within this time. */
const CLOSING_MS = 2_000

/**
 * Closes a dialog with the Escape key. A dialog takes the focus when it is rendered, and listens for this key only
 * after it is rendered once more, so a key that comes at once may be lost.
 */
export async function closeByEscape(dialog: Locator): Promise<void> {
  await untilDialogHasFocus(dialog)
  await until(async () => {
    await dialog.page().keyboard.press('Escape')
    const closed = dialog.waitFor({ state: 'detached', timeout: CLOSING_MS })
    return closed.then(
      () => true,
      () => false,
    )
  }, WAIT_MS)
}

/** Waits until no dialog is open. */
export const untilDialogCloses = (page: Page) =>
  page.getByRole('dialog').waitFor({ state: 'detached' })

/** Moves the focus to a button or link with Tab, and presses it with Enter. */
/** Opens a page by its entry in the navigation, whose group may be folded. The name may be followed by a count. */
export async function openEntry(page: Page, name: string) {
  const navigation = page.locator('#navigation')
  const link = page.getByRole('link', { name: new RegExp(`^${name}( |$)`), includeHidden: true })
  const group = navigation.locator('details', { has: link })
  if ((await group.count()) > 0 && (await group.getAttribute('open')) === null)
    await group.locator('summary').click()
  await navigation.locator(link).click()
}

export async function press(page: Page, name: string) {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** The label or the text of the focused element. */
const FOCUSED_NAME =
  "(document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? '').trim()"

const TOP_DIALOG_HAS_FOCUS = `((dialog) => !dialog || dialog.contains(document.activeElement))(
  [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1))`

/**
 * Moves the focus with Tab to the next element whose label or text begins with this name. A dialog is visible a
 * moment before it moves the focus to its first field.
 */
export async function tabTo(page: Page, name: string) {
  await expect
    .poll(() => page.evaluate(TOP_DIALOG_HAS_FOCUS), { message: name, timeout: WAIT_MS })
    .toBe(true)
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press('Tab')
    const focused = String(await page.evaluate(FOCUSED_NAME))
    if (focused.startsWith(name)) return
  }
  throw new Error(`The tab key does not reach ${name}.`)
}
