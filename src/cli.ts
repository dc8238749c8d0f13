import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Command as Program } from 'commander'
import {
  type ClientCommand,
  type Command,
  type CommandOutput,
  type Input,
  inputName,
  type Paint,
  type Progress,
  type RemoteStore,
  SILENT,
} from './command.ts'
import { migrateCommand } from './commands.ts'
import { type Config, readConfig } from './config/config.ts'
import { environment } from './config/env.ts'
import { askHolder } from './control/ask-holder.ts'
import { isUnavailable } from './db/failure.ts'
import type { MigrationResult } from './db/migrate.ts'
import type { Execution } from './process/execute-here.ts'
import { painterOf } from './process/paint.ts'
import {
  createProgram,
  type DemoOptions,
  type ParsedCommandLine,
  type ServerOptions,
} from './process/program.ts'
import { openProgressDisplay } from './process/progress.ts'
import { requireFolder } from './process/require-folder.ts'
import { type ReachedProcess, reachProcess, runAtTerminal } from './process/run-at-terminal.ts'
import { StartError } from './process/start-error.ts'

const EXIT_USAGE = 2
const EXIT_REFUSED = 1
/** The number of times that a command is sent or run again after another process locked the folder. */
const REPEATS_MAX = 3

/**
 * The program `tradepost`. `start` and `migrate` run in this process; other commands run in the process
 * that has the database open. This file loads no feature, so a command that a running server answers
 * takes a tenth of a second.
 */
const program = createProgram({
  start,
  migrate: migrateHere,
  run: runCommand,
  runClient,
  completion,
})

async function start(options: ServerOptions, demoOptions: DemoOptions): Promise<void> {
  if (demoOptions.lively && !demoOptions.demo) throw new StartError('--lively: add --demo.')
  // Most objects of a start are kept, so a larger young generation would only take memory (decision 451).
  setFlagsFromString('--semi-space-growth-factor=1')
  const { main } = await import('./main.ts')
  await main(configOf(options), demoOptions)
}

function configOf({ port, dataDir }: ServerOptions): Config {
  const options = { ...(port && { PORT: port }), ...(dataDir && { DATA_DIR: dataDir }) }
  const result = readConfig({ ...environment(), ...options })
  if ('faults' in result) throw new StartError(result.faults.join('\n'))
  return result.config
}

async function runCommand(
  command: Command,
  { options, input, json }: ParsedCommandLine,
): Promise<void> {
  hideKey(options)
  const store = command.runRemotely && (await findRemoteStore(options, input))
  const run = store ? remoteRun(command, store) : localRun(command, configOf(options))
  // The server that runs the command may have another working directory.
  if (input.file) input.file = resolve(String(input.file))
  const { runAtTerminal: atTerminal } = command
  if (atTerminal) {
    const terminal = { input, json, printLine, paint: painterOf(process.stdout) }
    return runAtTerminal(run.reach, { runAtTerminal: atTerminal }, terminal)
  }
  const value = await withProgress(json, (show) => run.once(input, show))
  printValue(command, value, json)
  if (command.isCheck && !(value as { ok: boolean }).ok) process.exitCode = EXIT_REFUSED
}

/** The two ways to run a command: once, or at the terminal with many calls. */
interface Run {
  once(input: Input, show: ShowProgress): Promise<unknown>
  reach(): Promise<ReachedProcess>
}

const localRun = (command: Command, settings: Config): Run => ({
  once: (input, show) => execute(settings, { command, input, show }),
  reach: () => reachProcess(settings, command),
})

function remoteRun({ runRemotely }: Command, store: RemoteStore): Run {
  const run = async (input: Input, output: CommandOutput) => runRemotely?.(store, input, output)
  return {
    once: (input, emit) => run(input, { ...SILENT, emit }),
    reach: async () => ({
      runOnce: (input, signal = SILENT.signal) => run(input, { ...SILENT, signal }),
      isRemote: true,
      close: async () => {},
    }),
  }
}

async function findRemoteStore(
  options: ServerOptions,
  input: Input,
): Promise<RemoteStore | undefined> {
  const { findTarget } = await import('./process/remote/target.ts')
  const target = await findTarget({ options, input, env: environment() })
  return target && (await import('./process/remote/store-client.ts')).openRemoteStore(target)
}

async function runClient(
  command: ClientCommand,
  { options, input, json }: ParsedCommandLine,
): Promise<void> {
  hideKey(options)
  const env = environment()
  async function openStore() {
    const { requireTarget } = await import('./process/remote/target.ts')
    const { openRemoteStore } = await import('./process/remote/store-client.ts')
    return openRemoteStore(await requireTarget({ options, input, env }))
  }
  const value = await command.runHere({ options, env, openStore }, input)
  if (!command.hasOwnOutput) printValue(command, value, json)
}

/** Removes the key from the list of processes, where every user of the machine could read it. */
function hideKey({ apiKey }: ServerOptions) {
  if (apiKey !== undefined) process.title = 'tradepost'
}

function printValue(command: Pick<Command, 'print'>, value: unknown, json: boolean) {
  const print = command.print as (value: unknown, paint: Paint) => string
  printLine(json ? JSON.stringify(value) : print(value, painterOf(process.stdout)))
}

async function completion(definition: Program, shell: string): Promise<void> {
  const { completionScript } = await import('./process/completion.ts')
  process.stdout.write(await completionScript(definition, shell))
}

const printLine = (text: string) => process.stdout.write(`${text}\n`)

type ShowProgress = (progress: Progress) => void

/** Runs the work, and shows its progress on standard error unless the output is JSON. */
async function withProgress(
  json: boolean,
  work: (show: ShowProgress) => Promise<unknown>,
): Promise<unknown> {
  if (json) return work(() => {})
  const progressDisplay = openProgressDisplay(process.stderr)
  return work(progressDisplay.show).finally(progressDisplay.close)
}

/**
 * Runs the command in the process that holds the embedded database, or in this process if no process holds
 * it. The features and the database are loaded only in the second case.
 */
async function execute(settings: Config, work: Execution): Promise<unknown> {
  const { command, input, show } = work
  await command.before?.(settings, input)
  const load = () => import('./process/execute-here.ts')
  if (settings.databaseUrl) return (await load()).executeHere(settings, work)
  if (command.restores) return (await load()).executeAlone(settings, work)
  const request = { command: command.name, input }
  const newOptions = (command.options ?? [])
    .filter((option) => option.isIgnoredByEarlierServers)
    .filter(({ flags }) => input[inputName(flags)] !== undefined)
    .map(({ flags }) => flags)
  for (let attempt = 0; ; attempt++) {
    const onLine = (line: unknown) => show(line as Progress)
    const answer = await askHolder(settings.dataDir, request, { onLine, newOptions })
    if (answer.answered) return answer.value
    try {
      return await (await load()).executeAlone(settings, work)
    } catch (error) {
      // Another process locked the folder since the request, so send the request again.
      if ((error as Error).name !== 'FolderHeldError' || attempt === REPEATS_MAX) throw error
    }
  }
}

async function migrateHere({ options, input, json }: ParsedCommandLine): Promise<void> {
  const settings = configOf(options)
  const dryRun = input.dryRun === true
  if (!settings.databaseUrl) await requireFolder('DATA_DIR', settings.dataDir)
  const answer = settings.databaseUrl
    ? { answered: false as const }
    : await askHolder(settings.dataDir, { command: migrateCommand.name, input: { dryRun } })
  const value = answer.answered ? answer.value : await migrateAlone(settings, dryRun)
  const print = migrateCommand.print as (value: MigrationResult) => string
  printLine(json ? JSON.stringify(value) : print(value as MigrationResult))
}

async function migrateAlone(settings: Config, dryRun: boolean): Promise<MigrationResult> {
  return (await import('./process/migrate-at.ts')).migrateAt(settings, dryRun)
}

/** Prints the message of an error without a stack trace, and sets the exit code. */
function reportError(error: unknown) {
  const { exitCode, code, message } = error as { exitCode?: number; code?: string; message: string }
  if (code?.startsWith('commander.')) {
    process.exitCode = exitCode === 0 ? 0 : EXIT_USAGE
    return
  }
  process.stderr.write(`${exitCode === undefined ? unexpectedErrorText(error) : message}\n`)
  process.exitCode = exitCode ?? EXIT_REFUSED
}

/** Returns the message of an unexpected error. A driver's message would not help an operator (decision 130). */
const unexpectedErrorText = (error: unknown): string =>
  isUnavailable(error)
    ? 'The database did not answer in time. The machine may be overloaded, or another process, such as a migration or a restore, locks its tables. Repeat the command.'
    : `The command failed: ${(error as Error).message}`

program.parseAsync().then(
  () => process.exit(),
  (error) => {
    reportError(error)
    process.exit()
  },
)
