import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LONG, SYSTEM } from '../../vitest.config.ts'

const ROOT = new URL('../../', import.meta.url)

/** Returns the names of a pattern with one list in braces. */
function namesOf(pattern: string): string[] {
  const [, before = '', list = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? []
  return list === '' ? [pattern] : list.split(',').map((name) => `${before}${name}${after}`)
}

test('each file that only long runs take exists, so a moved one does not run before each change', () => {
  const names = [...LONG, ...SYSTEM].flatMap(namesOf).map((name) => name.replace('**', ''))
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !existsSync(new URL(name, ROOT)))).toEqual([])
})
