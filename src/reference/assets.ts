import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('./assets/', import.meta.url)

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
  ico: 'image/x-icon',
  txt: 'text/plain; charset=utf-8',
}

export interface Asset {
  type: string
  bytes: Buffer
}

export interface Assets {
  /** The folder is named by a hash of its content, so files under its URL never change. */
  folder: string
  find(name: string): Asset | undefined
}

/** Styles, scripts, fonts and the icon, read once. */
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
