import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { CODE_FOLDER } from '../kernel/code-folder.ts'

const FOLDER = new URL('reference/assets/', CODE_FOLDER)

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
  ico: 'image/x-icon',
  txt: 'text/plain; charset=utf-8',
}

interface Asset {
  type: string
  bytes: Buffer
}

interface Assets {
  /** The URL path of the files. It contains a hash of their content, so a file under this path never changes. */
  folder: string
  find(name: string): Asset | undefined
}

/** Reads the styles, scripts, fonts and the icon into memory. */
export function readAssets(): Assets {
  const names = readdirSync(FOLDER).filter((name) => typeOf(name) !== undefined)
  const files = new Map<string, Asset>()
  const hash = createHash('sha256')
  for (const name of names.sort()) {
    const bytes = readFileSync(new URL(name, FOLDER))
    hash.update(name).update(bytes)
    files.set(name, { type: typeOf(name) ?? '', bytes })
  }
  const version = hash.digest('hex').slice(0, 12)
  return { folder: `/docs/assets/${version}`, find: (name) => files.get(name) }
}

const typeOf = (name: string): string | undefined => TYPES[name.split('.').at(-1) ?? '']
