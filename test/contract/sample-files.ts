import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { Json } from '../harness.ts'

// The files with the recorded samples: one for each area of an API (decision 506).

const FOLDER = new URL('../../src/http/openapi/samples/', import.meta.url)

/** Compares the samples with the files, or writes the files if `RECORD_SAMPLES` is set. */
export async function compareSamples(
  api: 'store' | 'security',
  samples: Readonly<Record<string, Json>>,
): Promise<void> {
  const folder = new URL(`${api}/`, FOLDER)
  const texts = new Map<string, Record<string, Json>>()
  for (const [id, sample] of Object.entries(samples)) {
    const name = `${id.split('.')[0]}.json`
    texts.set(name, { ...texts.get(name), [id]: sample })
  }
  if (process.env.RECORD_SAMPLES) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  }
  for (const [name, ofArea] of texts) {
    const text = `${JSON.stringify(ofArea, null, 2)}\n`
    if (process.env.RECORD_SAMPLES) await writeFile(new URL(name, folder), text)
    expect(await readFile(new URL(name, folder), 'utf8'), name).toBe(text)
  }
  expect((await readdir(folder)).sort()).toEqual([...texts.keys()].sort())
}
