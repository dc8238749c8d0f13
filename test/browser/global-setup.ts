import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { writeEmbeddedTemplate } from '../global-setup.ts'

/** Migrates a database for the tests of the reference. Those of the dashboard start the program itself. */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export.
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-tests-'))
  const template = join(folder, 'template')
  await writeEmbeddedTemplate(template)
  project.provide('database', 'embedded')
  project.provide('template', template)
  return () => rm(folder, { recursive: true })
}
