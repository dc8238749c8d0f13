import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../process/build-once.ts'

// The variables that compose.yaml passes to the container, and those that the guide names.

/** The image sets these; the last ones are for commands on another machine. */
const NOT_PASSED = [
  ...['PORT', 'HOST', 'DATA_DIR', 'TRADEPOST_READY_FILE', 'TRADEPOST_METRICS_ADDRESS'],
  ...['TRADEPOST_URL', 'TRADEPOST_API_KEY', 'TRADEPOST_STORE'],
]

const read = (...path: string[]) => readFile(join(ROOT, ...path), 'utf8')

test('Compose passes every variable that the guide names, except those of the image', async () => {
  const guide = await read('docs', 'guides', 'running.md')
  const rows = [...guide.matchAll(/^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) \|/gm)]
  const named = rows.flatMap(([, names = '']) => names.match(/[A-Z][A-Z0-9_]+/g) ?? [])
  const [, service = ''] = (await read('compose.yaml')).split('\n  tradepost:')
  const [ofServer = ''] = service.split('\n  postgres:')
  const passed = [...ofServer.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  expect(passed.toSorted()).toEqual(named.filter((name) => !NOT_PASSED.includes(name)).toSorted())
})

test('the environment of the program has no variable that the guide does not name', async () => {
  const guide = await read('docs', 'guides', 'running.md')
  const source =
    (await read('src', 'config', 'config.ts')) + (await read('src', 'config', 'mail-config.ts'))
  const names = new Set(source.match(/\bTRADEPOST_[A-Z0-9_]*[A-Z0-9]\b/g))
  expect([...names].filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})
