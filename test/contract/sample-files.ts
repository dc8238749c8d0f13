import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { Json } from '../harness.ts'
import { IS_WHOLE } from '../walks.ts'

// The files with the recorded samples: one for each area of an API.

const FOLDER = new URL('../../src/http/openapi/samples/', import.meta.url)

/** Files are written from all samples, and compared as texts. */
const WRITES = process.env.RECORD_SAMPLES !== undefined

/** Compares the samples with the files, or writes the files if `RECORD_SAMPLES` is set. */
export async function compareSamples(
  api: 'store' | 'security',
  samples: Readonly<Record<string, Json>>,
): Promise<void> {
  const folder = new URL(`${api}/`, FOLDER)
  const areas = new Map<string, Record<string, Json>>()
  for (const [id, sample] of Object.entries(samples)) {
    const name = `${id.split('.')[0]}.json`
    areas.set(name, { ...areas.get(name), [id]: sample })
  }
  if (WRITES) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  }
  for (const [name, ofArea] of areas) {
    const text = `${JSON.stringify(ofArea, null, 2)}\n`
    if (WRITES) await writeFile(new URL(name, folder), text)
    const stored = await readFile(new URL(name, folder), 'utf8')
    if (IS_WHOLE) expect(stored, name).toBe(text)
    // Some of its samples are compared.
    expect({ ...JSON.parse(stored), ...ofArea }, name).toEqual(JSON.parse(stored))
  }
  if (IS_WHOLE) expect((await readdir(folder)).sort()).toEqual([...areas.keys()].sort())
}
