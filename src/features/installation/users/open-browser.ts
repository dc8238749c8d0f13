import { spawn } from 'node:child_process'

/** The program that opens a URL in the browser, by `process.platform`. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` uses its first quoted argument as the title of a window.
  win32: ['cmd', '/c', 'start', ''],
}
const DEFAULT_OPENER = ['xdg-open'] as const

/** Opens a URL in the browser of this machine. Resolves to false if there is no browser. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? DEFAULT_OPENER
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
