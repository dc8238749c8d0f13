import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The folder to which the build writes the app. */
const FOLDER = new URL('../../dashboard/', import.meta.url)

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
}

export interface AppFile {
  type: string
  bytes: Buffer
}

/** The built app of the dashboard. */
export interface AppFiles {
  /** Its page, for the path of the public address and the nonce of one response. */
  pageFor(base: string, nonce: string): string
  /** The script of the sign-in page, below `/dashboard/assets`. */
  signIn: string | undefined
  /** A file below `/dashboard/assets`. Names contain a hash of the content. */
  find(name: string): AppFile | undefined
}

/** Reads the built app once; undefined if the program runs from its source. */
export function readAppFiles(): AppFiles | undefined {
  const index = new URL('index.html', FOLDER)
  if (!existsSync(index)) return undefined
  const page = readFileSync(index, 'utf8')
  const assets = new URL('assets/', FOLDER)
  const files = new Map(
    readdirSync(assets).flatMap((name) => {
      const type = TYPES[name.split('.').at(-1) ?? '']
      return type ? [[name, { type, bytes: readFileSync(new URL(name, assets)) }] as const] : []
    }),
  )
  return {
    pageFor: (base, nonce) =>
      page
        .replaceAll('%BASE%', base)
        .replaceAll('%NONCE%', nonce)
        .replaceAll('"./assets/', `"${base}/dashboard/assets/`),
    signIn: [...files.keys()].find((name) => /^sign-in-.*\.js$/.test(name)),
    find: (name) => files.get(name),
  }
}
