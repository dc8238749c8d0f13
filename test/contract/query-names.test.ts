import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
/** Files that may name single queries: tests, and those that hand queries on. */
const OTHER = /\.(test|fixture)\.ts$|(^|\/)index\.ts$|\/queries\//
const NAMED_IMPORT = /^import (?!type )\{[^}]*\} from '\.\/queries(\/[\w-]+)?\.ts'/m

test('a use case calls the queries of its area through q, because a query may have the name of a use case', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !OTHER.test(name),
  )
  const naming = files.filter((name) => NAMED_IMPORT.test(readFileSync(join(SRC, name), 'utf8')))
  expect(naming).toEqual([])
})
