import { readdir, readFile } from 'node:fs/promises'
import { CODE_FOLDER } from '../../kernel/code-folder.ts'
import type { Samples } from './name-schemas.ts'

const FOLDER = new URL('http/openapi/samples/', CODE_FOLDER)

/**
 * Reads the recorded calls of an API: a file for each area. They are longer than any module, so they are
 * read only for a document.
 */
export async function loadSamples(api: 'store' | 'security'): Promise<Samples> {
  const folder = new URL(`${api}/`, FOLDER)
  const names = (await readdir(folder)).sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return Object.assign({}, ...texts.map((text) => JSON.parse(text)))
}
