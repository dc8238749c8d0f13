import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { adminCommands, migrateCommand } from '../commands.ts'
import { EVENT_TYPES } from '../events/types.ts'
import { PLAN_NAMES } from '../features/installation/index.ts'
import { permissionsOf } from '../kernel/permissions.ts'
import { completionScript } from './completion.ts'
import { createProgram } from './program.ts'
import { clientCommands } from './remote/commands.ts'

/** Parses a line and returns the name of the command that would run, which is not run. */
async function parse(line: string): Promise<{ ran: string; stderr: string; code: string }> {
  let ran = ''
  let stderr = ''
  const recordRun = (name: string) => async () => {
    ran = name
  }
  const program = createProgram({
    start: recordRun('start'),
    migrate: recordRun('migrate'),
    completion: recordRun('completion'),
    run: async ({ name }) => recordRun(name)(),
    runClient: async ({ name }) => recordRun(name)(),
  })
  const output = {
    writeOut() {},
    writeErr: (text: string) => {
      stderr += text
    },
  }
  const captureOutput = (item: typeof program) => {
    item.configureOutput(output)
    for (const subcommand of item.commands) captureOutput(subcommand)
  }
  captureOutput(program)
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  )
  const code = await program.parseAsync(words, { from: 'user' }).then(
    () => '',
    (error) => error.code,
  )
  return { ran, stderr, code }
}

const newProgram = () =>
  createProgram({
    async start() {},
    async migrate() {},
    async run() {},
    async runClient() {},
    async completion() {},
  })

const help = (path: string): string => {
  let text = ''
  let command = newProgram()
  for (const word of path.split(' ').filter(Boolean)) {
    command = command.commands.find((item) => item.name() === word) ?? command
  }
  command.configureOutput({
    writeOut: (part) => {
      text += part
    },
  })
  command.outputHelp()
  return text
}

const ALL = [...adminCommands, ...clientCommands, migrateCommand]

describe('help', () => {
  test.each(ALL.map((command) => [command.name, command] as const))(
    '%s shows examples, and each of them parses',
    async (name, { examples }) => {
      expect(examples.length).toBeGreaterThan(0)
      for (const line of examples) {
        expect(help(name)).toContain(`  ${line}\n`)
        const [, words = ''] = /^tradepost (.*)$/.exec(line) ?? []
        expect(await parse(words)).toEqual({ ran: name, stderr: '', code: '' })
      }
    },
  )

  test('marks required options, and only these', () => {
    const text = help('keys create')
    expect(text).toMatch(/--permissions <list> .*\(required\)/)
    expect(text.match(/\(required\)/g)).toHaveLength(1)
  })

  test('of keys create lists every permission', () => {
    const text = help('keys create')
    for (const name of [...permissionsOf('store'), ...permissionsOf('security')]) {
      expect(text).toContain(name)
    }
  })

  test('of the program groups every first word under a heading', () => {
    expect(help('')).toMatch(/Begin here:\n {2}start /)
    expect(help('')).not.toContain('Other commands:')
  })
})

describe('an invalid command line', () => {
  test.each([
    ['stor list', 'commander.unknownCommand', '(Did you mean one of start, stores?)'],
    ['keys creat', 'commander.unknownCommand', '(Did you mean create?)'],
    ['keys list --tets', 'commander.unknownOption', '(Did you mean --test?)'],
    ['keys create', 'commander.missingMandatoryOptionValue', "'--permissions <list>'"],
    ['keys revoke', 'commander.missingArgument', "'id'"],
    ['keys list --store', 'commander.optionMissingArgument', "'--store <hash>'"],
    ['doctor now', 'commander.excessArguments', 'too many arguments'],
  ])('%s is refused, and the intended word is suggested', async (line, code, text) => {
    const refused = await parse(line)
    expect(refused).toMatchObject({ ran: '', code })
    expect(refused.stderr).toContain(text)
    expect(refused.stderr).toMatch(/^List the (commands|options): tradepost .*--help$/m)
  })
})

/** Returns the completions that bash offers for a line with the printed script. */
async function completionsOf(line: string): Promise<string[]> {
  const script = await completionScript(newProgram(), 'bash')
  const bashCode = `${script}\nCOMP_LINE=$1 COMP_POINT=\${#1}\n_tradepost\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', bashCode, 'bash', line], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])(
    'for %s has every command, option and value',
    async (shell) => {
      const script = await completionScript(newProgram(), shell)
      for (const { name, options = [] } of ALL) {
        expect(script).toContain(`'${name}`)
        for (const { flags } of options) {
          const [, long = ''] = /^--(\S+)/.exec(flags) ?? []
          expect(script).toContain(long)
        }
      }
      const values = [...permissionsOf('store'), ...PLAN_NAMES, ...EVENT_TYPES]
      for (const value of values) expect(script.replaceAll('\\:', ':')).toContain(value)
    },
  )

  test('offers the next words in bash', async () => {
    expect(await completionsOf('tradepost ')).toEqual(
      expect.arrayContaining(['start', 'keys', 'doctor']),
    )
    expect(await completionsOf('tradepost ke')).toEqual(['keys'])
    expect(await completionsOf('tradepost keys ')).toEqual(
      expect.arrayContaining(['create', 'list', 'revoke']),
    )
    expect(await completionsOf('tradepost keys create --perm')).toEqual(['--permissions'])
    expect(await completionsOf('tradepost stores set-plan --plan s')).toEqual([
      'starter',
      'scale',
      'self_hosted',
    ])
    expect(await completionsOf('tradepost webhooks trigger order.com')).toEqual(['order.completed'])
  })

  test('continues a list in bash after its last comma and after a colon', async () => {
    expect(await completionsOf('tradepost keys create --permissions al')).toEqual(['all'])
    expect(await completionsOf('tradepost keys create --permissions orders:r')).toEqual(['read'])
    expect(await completionsOf('tradepost keys create --permissions orders:read,prod')).toEqual([
      'read,products:read',
      'read,products:write',
    ])
  })

  test('for another shell is refused, and the supported shells are listed', async () => {
    await expect(completionScript(newProgram(), 'tcsh')).rejects.toThrow(
      '<shell>: write one of bash, zsh, fish, not "tcsh".',
    )
  })
})
