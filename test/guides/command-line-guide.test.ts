import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adminCommands, migrateCommand } from '../../src/commands.ts'
import { clientCommands } from '../../src/process/remote/commands.ts'
import { ROOT } from '../process/build-once.ts'

/** The commands that are not in the list of commands. */
const BUILT_IN = ['start', 'completion']

const ALL = [...adminCommands, ...clientCommands, migrateCommand]

const guide = await readFile(join(ROOT, 'docs', 'guides', 'command-line.md'), 'utf8')
/** The usage in the first column of each row of the table in the guide. */
const usages = [...guide.matchAll(/^\| `([a-z][^`]*)` \|/gm)].map(([, usage = '']) => usage)

test('the guide lists every command once, and nothing else', () => {
  const names = ALL.map(({ name }) => name).concat(BUILT_IN)
  const nameOf = (usage: string) =>
    names
      .filter((name) => usage === name || usage.startsWith(`${name} `))
      .sort((first, second) => second.length - first.length)[0] ?? usage
  expect(usages.map(nameOf).sort()).toEqual([...names].sort())
})

test.each(ALL)('the guide shows the required options of $name', ({ name, options = [] }) => {
  const usage = usages.find((item) => item === name || item.startsWith(`${name} `))
  for (const { flags, required } of options) {
    if (required) expect(usage).toContain(flags.split(' ')[0])
  }
})

test('the guide shows no option that no command has', () => {
  const knownFlags = ALL.flatMap(({ options = [] }) =>
    options.map(({ flags }) => flags.split(' ')[0]),
  )
  knownFlags.push('--demo', '--lively', '--dry-run', '--url', '--api-key')
  const shownFlags = usages.flatMap((usage) => usage.match(/--[a-z-]+/g) ?? [])
  expect(shownFlags.filter((flag) => !knownFlags.includes(flag))).toEqual([])
})
