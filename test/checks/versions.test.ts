import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const { version } = JSON.parse(read('package.json'))

test('the packages, the lock file, the guides and the changelog name the version of package.json', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  expect(JSON.parse(read('sdk/package.json')).version).toBe(version)
  expect([packages[''].version, packages.sdk.version]).toEqual([version, version])
  expect(read('README.md')).toContain(`Tradepost ${version} is running.`)
  expect(read('docs/guides/client.md')).toContain(`tradepost-client-${version}.tgz`)
  expect(/^## \[(\d.*?)\]/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})
