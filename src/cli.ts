import { resolve } from 'node:path'
import { Command as Program } from 'commander'
import { type Command, type Input, type Progress, SILENT } from './command.ts'
import { adminCommands, migrateCommand } from './commands.ts'
import { type Config, readConfig } from './config/config.ts'
import { environment } from './config/env.ts'
import { askHolder } from './control/ask-holder.ts'
import { FolderHeldError, holdFolder } from './control/folder-lock.ts'
import { isUnavailable } from './db/failure.ts'
import type { Migrated } from './db/migrate.ts'
import { VERSION } from './kernel/version.ts'
import { answerCommand } from './process/answer-command.ts'
import { attend } from './process/attend.ts'
import { asRefusal } from './process/database-refusal.ts'
import { openCommandLog } from './process/log.ts'
import { needDatabase } from './process/lost-database.ts'
import { migrateAt } from './process/migrate-at.ts'
import { needFolder } from './process/need-folder.ts'
import { type Opened, openApp } from './process/open-app.ts'
import { openGauge } from './process/progress.ts'
import { StartError } from './process/start-error.ts'
import { startWorkers } from './process/workers.ts'

const WRONG_USAGE = 2
const REFUSED = 1

/**
 * The program `tradepost`. `start` and `migrate` run here; other commands run where the database is
 * open.
 */
async function run(): Promise<void> {
  const program = new Program('tradepost')
    .version(VERSION)
    .description('A self-hosted store backend.')
  program.exitOverride().showHelpAfterError()
  withPlace(program.command('start'))
    .description('Open the shop.')
    .option('--demo', 'with a demo store, if there is no store yet')
    .option('--lively', 'with --demo: also a demo shop, filled with 90 days of trade')
    .action(async ({ demo = false, lively = false, ...options }) => {
      if (lively && !demo) throw new StartError('--lively: add --demo.')
      // Loaded here only; other commands need neither the server nor its surfaces.
      const { main } = await import('./main.ts')
      await main(config(options), { demo, lively })
    })
  withPlace(program.command('migrate'))
    .description('Bring the schema of the database up to date.')
    .option('--dry-run', 'only say what would be applied')
    .option('--json', 'print one JSON value')
    .action((options) => migrateHere(options))
  for (const command of adminCommands) addCommand(program, command)
  await program.parseAsync()
}

/** Options that override variables. */
interface PlaceOptions {
  port?: string
  dataDir?: string
}

const withPlace = (program: Program): Program =>
  program
    .option('--port <number>', 'stands for PORT')
    .option('--data-dir <folder>', 'stands for DATA_DIR')

function config({ port, dataDir }: PlaceOptions): Config {
  const options = { ...(port && { PORT: port }), ...(dataDir && { DATA_DIR: dataDir }) }
  const checked = readConfig({ ...environment(), ...options })
  if ('faults' in checked) throw new StartError(checked.faults.join('\n'))
  return checked.config
}

/** `keys create` becomes the subcommand `create` of `keys`. */
function addCommand(program: Program, command: Command) {
  const words = command.name.split(' ')
  let at = program
  for (const word of words.slice(0, -1)) {
    at = at.commands.find((item) => item.name() === word) ?? at.command(word)
  }
  const subcommand = withPlace(at.command([words.at(-1), ...(command.args ?? [])].join(' ')))
  if (at !== program) at.summary(at.commands.map((item) => item.name()).join(', '))
  subcommand.description(command.summary).option('--json', 'print one JSON value')
  for (const { flags, description, required, repeatable } of command.options ?? []) {
    const option = subcommand.createOption(flags, description)
    if (required) option.makeOptionMandatory()
    if (repeatable) option.argParser<string[]>((value, before = []) => [...before, value])
    subcommand.addOption(option)
  }
  subcommand.action(async (...values) => {
    const { json = false, port, dataDir, ...options } = subcommand.opts()
    const settings = () => config({ port, dataDir })
    const names = subcommand.registeredArguments.map((argument) => argument.name())
    const args = Object.fromEntries(names.map((name, position) => [name, values[position]]))
    // A server that runs the command was started in another folder.
    if (args.file) args.file = resolve(String(args.file))
    const input = { ...options, ...args }
    if (command.attend)
      return attend(settings(), { ...command, attend: command.attend }, { input, json, say })
    const value = await shown(json, (show) => execute(settings(), { command, input, show }))
    const print = command.print as (value: unknown) => string
    say(json ? JSON.stringify(value) : print(value))
    if (command.name === 'doctor' && !(value as { ok: boolean }).ok) process.exitCode = REFUSED
  })
}

const say = (text: string) => process.stdout.write(`${text}\n`)

type Show = (progress: Progress) => void

/** Shows progress, which is for people and not part of the answer. */
async function shown(json: boolean, work: (show: Show) => Promise<unknown>): Promise<unknown> {
  if (json) return work(() => {})
  const gauge = openGauge(process.stderr)
  return work(gauge.show).finally(gauge.close)
}

/** Runs the command in the process that holds the embedded database, or else here. */
async function execute(settings: Config, work: Work): Promise<unknown> {
  const { command, input, show } = work
  await command.before?.(settings, input)
  if (settings.databaseUrl) return executeHere(settings, work)
  if (command.restores) return executeAlone(settings, work)
  const request = { command: command.name, input }
  for (let tries = 0; ; tries++) {
    const onLine = (line: unknown) => show(line as Progress)
    const answer = await askHolder(settings.dataDir, request, { onLine })
    if (answer.answered) return answer.value
    try {
      return await executeAlone(settings, work)
    } catch (error) {
      // Another process took the folder between the request and our lock, so ask again.
      if (!(error instanceof FolderHeldError) || tries === 3) throw error
    }
  }
}

/** Takes the folder first; a FolderHeldError says who has it. */
async function executeAlone(settings: Config, work: Work): Promise<unknown> {
  if (!work.command.makesDatabase) await needDatabase(settings.dataDir)
  await needFolder('DATA_DIR', settings.dataDir)
  try {
    const held = await holdFolder(settings.dataDir, async () => {
      throw new StartError('Another command is running; repeat yours.', 1)
    })
    return await executeHere(settings, work).finally(() => held.release())
  } catch (error) {
    throw asRefusal(settings, error)
  }
}

interface Work {
  command: Command
  input: Input
  show: Show
}

async function executeHere(settings: Config, { command, input, show }: Work): Promise<unknown> {
  const { app, close } = await openQuietly(settings, command.restores)
  try {
    const workers = command.needsWorkers ? startWorkers(app) : undefined
    const request = { command: command.name, input }
    const talk = { ...SILENT, emit: show }
    return await answerCommand(app, [command], request, talk).finally(() => workers?.stop())
  } finally {
    await close()
  }
}

const openQuietly = (settings: Config, restores?: boolean): Promise<Opened> =>
  openApp(settings, { log: openCommandLog(), patient: true, restores })

interface MigrateOptions extends PlaceOptions {
  dryRun?: boolean
  json?: boolean
}

async function migrateHere({ dryRun = false, json = false, ...options }: MigrateOptions) {
  const settings = config(options)
  if (!settings.databaseUrl) await needFolder('DATA_DIR', settings.dataDir)
  const asked = settings.databaseUrl
    ? { answered: false as const }
    : await askHolder(settings.dataDir, { command: migrateCommand.name, input: { dryRun } })
  const value = asked.answered ? asked.value : await migrateAt(settings, dryRun)
  const migrated = value as Migrated
  say(
    json
      ? JSON.stringify(migrated)
      : (migrateCommand.print as (value: Migrated) => string)(migrated),
  )
}

/** Prints a sentence, never a stack trace, and sets the exit code. */
function fail(error: unknown) {
  const { exitCode, code, message } = error as { exitCode?: number; code?: string; message: string }
  if (code?.startsWith('commander.')) {
    process.exitCode = exitCode === 0 ? 0 : WRONG_USAGE
    return
  }
  process.stderr.write(`${exitCode === undefined ? whyItFailed(error) : message}\n`)
  process.exitCode = exitCode ?? REFUSED
}

/** A driver's message does not help an operator (decision 130). */
const whyItFailed = (error: unknown): string =>
  isUnavailable(error)
    ? 'The database did not answer in time. The machine may be overloaded; repeat the command.'
    : `It failed: ${(error as Error).message}`

run().then(
  () => process.exit(),
  (error) => {
    fail(error)
    process.exit()
  },
)
