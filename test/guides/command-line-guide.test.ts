import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adminCommands, migrateCommand } from '../../src/commands.ts'
import { ROOT } from '../process/build-once.ts'

/** Commands that have no entry in the command table. */
const BUILT_IN = ['start', 'completion']

const guide = await readFile(join(ROOT, 'docs', 'guides', 'command-line.md'), 'utf8')
/** The usage in the first column of each table row. */
const usages = [...guide.matchAll(/^\| `([a-z][^`]*)` \|/gm)].map(([, usage = '']) => usage)

test('the guide lists every command once, and no other', () => {
  const names = [...adminCommands, migrateCommand].map(({ name }) => name).concat(BUILT_IN)
  const nameOf = (usage: string) =>
    names
      .filter((name) => usage === name || usage.startsWith(`${name} `))
      .sort((one, other) => other.length - one.length)[0] ?? usage
  expect(usages.map(nameOf).sort()).toEqual([...names].sort())
})

test.each([...adminCommands, migrateCommand])(
  'the guide shows the options of $name that are required',
  ({ name, options = [] }) => {
    const usage = usages.find((item) => item === name || item.startsWith(`${name} `))
    for (const { flags, required } of options) {
      if (required) expect(usage).toContain(flags.split(' ')[0])
    }
  },
)

test('the options in the guide are those of the commands', () => {
  const known = [...adminCommands, migrateCommand].flatMap(({ options = [] }) =>
    options.map(({ flags }) => flags.split(' ')[0]),
  )
  known.push('--demo', '--lively', '--dry-run')
  const shown = usages.flatMap((usage) => usage.match(/--[a-z-]+/g) ?? [])
  expect(shown.filter((flag) => !known.includes(flag))).toEqual([])
})
