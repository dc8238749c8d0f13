import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { CODE_FOLDER } from '../../kernel/code-folder.ts'

/** The folder to which the build writes the app. */
const FOLDER = new URL('dashboard/', CODE_FOLDER)

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
}

type Encoding = 'br' | 'gzip'
const SUFFIXES: readonly [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

export interface AppFile {
  type: string
  bytes: Buffer
  /** The bytes as the build compressed them, by encoding. */
  compressedBytes: ReadonlyMap<Encoding, Buffer>
}

/** The built app of the dashboard. */
export interface AppFiles {
  /** Returns the page for a response. `base` is the path of the public URL. */
  pageFor(page: { base: string; nonce: string; isHome: boolean }): string
  /** The name of the script of the sign-in page, below `/dashboard/assets`. */
  signInScript: string | undefined
  /** The service worker, whose address must stay the same. */
  worker: AppFile | undefined
  /** Returns a file below `/dashboard/assets`. Its name contains a hash of its content. */
  find(name: string): AppFile | undefined
}

/** The scripts that only the home page needs. */
const PRELOADED_FOR_HOME = /\s*<link [^>]*data-page="home"[^>]*>/g

/** Reads the built app into memory. Returns undefined if the program runs from its source. */
export function readAppFiles(): AppFiles | undefined {
  const index = new URL('index.html', FOLDER)
  if (!existsSync(index)) return undefined
  const page = readFileSync(index, 'utf8')
  const assets = new URL('assets/', FOLDER)
  const names = new Set(readdirSync(assets))
  const read = (name: string) => readFileSync(new URL(name, assets))
  const files = new Map(
    [...names].flatMap((name) => {
      const type = TYPES[name.split('.').at(-1) ?? '']
      if (!type) return []
      const suffixes = SUFFIXES.filter(([, suffix]) => names.has(name + suffix))
      const compressedBytes = new Map(
        suffixes.map(([encoding, suffix]) => [encoding, read(name + suffix)]),
      )
      return [[name, { type, bytes: read(name), compressedBytes }] as const]
    }),
  )
  const otherPages = page.replaceAll(PRELOADED_FOR_HOME, '')
  return {
    pageFor: ({ base, nonce, isHome }) =>
      (isHome ? page : otherPages)
        .replaceAll('%BASE%', base)
        .replaceAll('%NONCE%', nonce)
        .replaceAll('"./assets/', `"${base}/dashboard/assets/`),
    signInScript: [...files.keys()].find((name) => /^sign-in-.*\.js$/.test(name)),
    worker: [...files].find(([name]) => /^worker-.*\.js$/.test(name))?.[1],
    find: (name) => files.get(name),
  }
}
