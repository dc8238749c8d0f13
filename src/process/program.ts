import { Command as Program } from 'commander'
import type { Command, CommandOption, Input } from '../command.ts'
import { adminCommands, migrateCommand } from '../commands.ts'
import { VERSION } from '../kernel/version.ts'
import { describeHelp, groupOf } from './program-help.ts'

/** Options that override variables. */
export interface ServerOptions {
  port?: string
  dataDir?: string
}

/** A command of the table, as it was typed. */
export interface Call {
  options: ServerOptions
  input: Input
  json: boolean
}

/** The demo stores that a start creates. */
export interface DemoOptions {
  demo: boolean
  lively: boolean
}

/** The actions of the commands, called once a line is parsed. */
export interface Actions {
  start(options: ServerOptions, demoOptions: DemoOptions): Promise<void>
  migrate(call: Call): Promise<void>
  run(command: Command, call: Call): Promise<void>
  completion(program: Program, shell: string): Promise<void>
}

const START: Pick<Command, 'summary' | 'examples'> = {
  summary: 'Open the shop.',
  examples: [
    'tradepost start --demo',
    'tradepost start --demo --lively',
    'tradepost start --port 8080 --data-dir /var/lib/tradepost',
  ],
}
const COMPLETION: Pick<Command, 'summary' | 'examples'> = {
  summary: 'Print a script that completes commands in your shell.',
  examples: [
    'source <(tradepost completion bash)',
    'source <(tradepost completion zsh)',
    'tradepost completion fish | source',
  ],
}

/** All commands with their options; parsing a line calls one of the actions. */
export function createProgram(actions: Actions): Program {
  const program = new Program('tradepost')
    .version(VERSION)
    .description('A self-hosted store backend.')
  program.exitOverride().showHelpAfterError('Show what is allowed: tradepost --help')
  describeStart(program, actions)
  describeMigrate(program, actions)
  for (const command of adminCommands) addCommand(program, command, actions)
  const completion = program.command('completion <shell>')
  describeHelp(completion, COMPLETION).action((shell) => actions.completion(program, shell))
  for (const item of program.commands) item.helpGroup(groupOf(item.name()))
  return program
}

function describeStart(program: Program, { start }: Actions): void {
  describeHelp(withServerOptions(program.command('start')), START)
    .option('--demo', 'with a demo store, if there is no store yet')
    .option('--lively', 'with --demo: also a demo shop, filled with 90 days of trade')
    .action(({ demo = false, lively = false, ...options }) => start(options, { demo, lively }))
}

function describeMigrate(program: Program, { migrate }: Actions): void {
  describeHelp(withServerOptions(program.command('migrate')), migrateCommand)
    .option('--dry-run', 'only say what would be applied')
    .option('--json', 'print one JSON value')
    .action(({ json = false, dryRun = false, ...options }) =>
      migrate({ options, json, input: { dryRun } }),
    )
}

const withServerOptions = (program: Program): Program =>
  program
    .option('--port <number>', 'stands for PORT')
    .option('--data-dir <folder>', 'stands for DATA_DIR')

/** `keys create` becomes the subcommand `create` of `keys`. */
function addCommand(program: Program, command: Command, { run }: Actions): void {
  const words = command.name.split(' ')
  let at = program
  for (const word of words.slice(0, -1)) {
    at = at.commands.find((item) => item.name() === word) ?? at.command(word)
  }
  const subcommand = withServerOptions(
    at.command([words.at(-1), ...(command.args ?? [])].join(' ')),
  )
  if (at !== program) at.summary(at.commands.map((item) => item.name()).join(', '))
  describeHelp(subcommand, command).option('--json', 'print one JSON value')
  for (const option of command.options ?? []) addOption(subcommand, option)
  subcommand.action(async (...values) => {
    const { json = false, port, dataDir, ...options } = subcommand.opts()
    const names = subcommand.registeredArguments.map((argument) => argument.name())
    const args = Object.fromEntries(names.map((name, position) => [name, values[position]]))
    await run(command, { options: { port, dataDir }, json, input: { ...options, ...args } })
  })
}

function addOption(subcommand: Program, item: CommandOption): void {
  const { flags, description, required, repeatable } = item
  const option = subcommand.createOption(flags, `${description}${required ? ' (required)' : ''}`)
  if (required) option.makeOptionMandatory()
  if (repeatable) option.argParser<string[]>((value, before = []) => [...before, value])
  subcommand.addOption(option)
}
