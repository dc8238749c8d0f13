import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { ROOT } from '../process/build-once.ts'

const ENTRY = createRequire(import.meta.url).resolve('@sparticuz/chromium')
const CACHE = join(ROOT, 'node_modules', '.cache')

/** The package contains a browser for this platform only. */
export const HAS_PINNED_BROWSER = process.platform === 'linux' && process.arch === 'x64'

/**
 * Starts the browser of the package `@sparticuz/chromium`, so that pictures are the same on every machine.
 * The package also contains its libraries and a font for missing glyphs.
 */
export async function launchPinnedBrowser(): Promise<Browser> {
  const folder = unpackBrowser()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-lcd-text', '--font-render-hinting=none'],
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  })
}

/** Returns the folder of the unpacked browser. Each version is unpacked once, which takes 2 s. */
function unpackBrowser(): string {
  const folder = join(CACHE, `chromium-${versionOf(ENTRY)}`)
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  // The final rename prevents the use of a partly unpacked browser.
  const partialFolder = mkdtempSync(join(CACHE, 'chromium-'))
  const script = `import(${JSON.stringify(pathToFileURL(ENTRY))}).then((m) => m.default.executablePath())`
  // The package unpacks into TMPDIR, and its libraries only if it detects Amazon Linux.
  const env = { ...process.env, TMPDIR: partialFolder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' }
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The browser could not be unpacked: ${stderr}`)
  writeFileSync(
    join(partialFolder, 'fonts.conf'),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`,
  )
  renameSync(partialFolder, folder)
  return folder
}

function versionOf(entry: string): string {
  const root = entry.slice(0, entry.indexOf('chromium/build'))
  return JSON.parse(readFileSync(join(root, 'chromium', 'package.json'), 'utf8')).version
}
