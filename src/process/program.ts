import { Command as Program } from 'commander'
import type { ClientCommand, Command, CommandOption, Input, RemoteOptions } from '../command.ts'
import { adminCommands, migrateCommand } from '../commands.ts'
import { versionText } from '../kernel/version.ts'
import { describeHelp, groupOf } from './program-help.ts'
import { clientCommands } from './remote/commands.ts'

/** The options that override environment variables. */
export interface ServerOptions extends RemoteOptions {
  port?: string
  dataDir?: string
}

/** The parsed command line of a command. */
export interface ParsedCommandLine {
  options: ServerOptions
  input: Input
  json: boolean
}

/** The demo stores that a start creates. */
export interface DemoOptions {
  demo: boolean
  lively: boolean
}

/** The actions of the commands. They are called when a command line is parsed. */
interface Actions {
  start(options: ServerOptions, demoOptions: DemoOptions): Promise<void>
  migrate(commandLine: ParsedCommandLine): Promise<void>
  run(command: Command, commandLine: ParsedCommandLine): Promise<void>
  /** Runs a command that needs no database. */
  runClient(command: ClientCommand, commandLine: ParsedCommandLine): Promise<void>
  completion(program: Program, shell: string): Promise<void>
}

const START: Pick<Command, 'summary' | 'examples'> = {
  summary: 'Start the server.',
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

/** Creates the program with all commands. Parsing a command line calls one of the actions. */
export function createProgram(actions: Actions): Program {
  const program = new Program('tradepost')
    .version(versionText())
    .description('A self-hosted store backend.')
  program.exitOverride().showHelpAfterError('List the commands: tradepost --help')
  addStart(program, actions)
  addMigrate(program, actions)
  for (const command of adminCommands) addCommand(program, command, actions)
  for (const command of clientCommands) addClientCommand(program, command, actions)
  const completion = program.command('completion <shell>')
  describeHelp(completion, COMPLETION).action((shell) => actions.completion(program, shell))
  for (const item of program.commands) item.helpGroup(groupOf(item.name()))
  return program
}

function addStart(program: Program, { start }: Actions): void {
  describeHelp(withServerOptions(program.command('start')), START)
    .option('--demo', 'create a demo store if there is no store yet')
    .option('--lively', 'with --demo: also create a demo shop with 90 days of orders')
    .action(({ demo = false, lively = false, ...options }) => start(options, { demo, lively }))
}

function addMigrate(program: Program, { migrate }: Actions): void {
  const subcommand = withServerOptions(program.command('migrate'))
  for (const option of migrateCommand.options ?? []) addOption(subcommand, option)
  describeHelp(subcommand, migrateCommand)
    .option('--json', 'print one JSON value')
    .action(({ json = false, dryRun = false, ...options }) =>
      migrate({ options, json, input: { dryRun } }),
    )
}

const withServerOptions = (program: Program): Program =>
  program
    .option('--port <number>', 'overrides PORT')
    .option('--data-dir <folder>', 'overrides DATA_DIR')

/** `keys create` becomes the subcommand `create` of `keys`. */
function addCommand(program: Program, command: Command, { run }: Actions): void {
  const words = command.name.split(' ')
  let parent = program
  for (const word of words.slice(0, -1)) {
    parent = parent.commands.find((item) => item.name() === word) ?? parent.command(word)
  }
  const subcommand = withServerOptions(
    parent.command([words.at(-1), ...(command.args ?? [])].join(' ')),
  )
  if (command.runRemotely) withRemoteOptions(subcommand)
  if (parent !== program) parent.summary(parent.commands.map((item) => item.name()).join(', '))
  describeHelp(subcommand, command).option('--json', 'print one JSON value')
  for (const option of command.options ?? []) addOption(subcommand, option)
  onAction(subcommand, (commandLine) => run(command, commandLine))
}

function addClientCommand(program: Program, command: ClientCommand, { runClient }: Actions): void {
  const subcommand = program.command([command.name, ...(command.args ?? [])].join(' '))
  if (command.name !== 'logout') withRemoteOptions(subcommand)
  describeHelp(subcommand, command).option('--json', 'print one JSON value')
  for (const option of command.options ?? []) addOption(subcommand, option)
  onAction(subcommand, (commandLine) => runClient(command, commandLine))
}

/** Calls the action with the parsed options and arguments of a command. */
function onAction(
  subcommand: Program,
  action: (commandLine: ParsedCommandLine) => Promise<void>,
): void {
  subcommand.action(async (...values) => {
    const { json = false, port, dataDir, url, apiKey, ...options } = subcommand.opts()
    const names = subcommand.registeredArguments.map((argument) => argument.name())
    const args = Object.fromEntries(names.map((name, position) => [name, values[position]]))
    await action({
      options: { port, dataDir, url, apiKey },
      json,
      input: { ...options, ...args },
    })
  })
}

const withRemoteOptions = (program: Program): Program =>
  program
    .option(
      '--url <address>',
      'the address of a server on another machine; overrides TRADEPOST_URL',
    )
    .option(
      '--api-key <key>',
      'the key for --url; TRADEPOST_API_KEY or `login` keep it out of the history',
    )

function addOption(subcommand: Program, item: CommandOption): void {
  const { flags, description, required, repeatable } = item
  const option = subcommand.createOption(flags, `${description}${required ? ' (required)' : ''}`)
  if (required) option.makeOptionMandatory()
  if (repeatable) option.argParser<string[]>((value, before = []) => [...before, value])
  subcommand.addOption(option)
}
