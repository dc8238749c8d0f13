import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import type { Command, Paint, Progress } from './command.ts'
import { migrateCommand } from './commands.ts'
import { type Config, readConfig } from './config/config.ts'
import { environment } from './config/env.ts'
import { askHolder } from './control/ask-holder.ts'
import { isUnavailable } from './db/failure.ts'
import type { Migrated } from './db/migrate.ts'
import { attend } from './process/attend.ts'
import type { Work } from './process/execute-here.ts'
import { loadWings } from './process/load-wings.ts'
import { needFolder } from './process/need-folder.ts'
import { painterOf } from './process/paint.ts'
import {
  type Call,
  createProgram,
  type DemoOptions,
  type ServerOptions,
} from './process/program.ts'
import { openGauge } from './process/progress.ts'
import { StartError } from './process/start-error.ts'

const WRONG_USAGE = 2
const REFUSED = 1

/**
 * The program `tradepost`. `start` and `migrate` run here; other commands run where the database is
 * open. This file loads no feature: a command that a running server answers takes a tenth of a second.
 */
const program = createProgram({ start, migrate: migrateHere, run: runCommand, completion })

async function start(options: ServerOptions, demoOptions: DemoOptions): Promise<void> {
  if (demoOptions.lively && !demoOptions.demo) throw new StartError('--lively: add --demo.')
  await loadWings()
  const { main } = await import('./main.ts')
  await main(config(options), demoOptions)
}

function config({ port, dataDir }: ServerOptions): Config {
  const options = { ...(port && { PORT: port }), ...(dataDir && { DATA_DIR: dataDir }) }
  const checked = readConfig({ ...environment(), ...options })
  if ('faults' in checked) throw new StartError(checked.faults.join('\n'))
  return checked.config
}

async function runCommand(command: Command, { options, input, json }: Call): Promise<void> {
  const settings = config(options)
  const paint = painterOf(process.stdout)
  // A server that runs the command was started in another folder.
  if (input.file) input.file = resolve(String(input.file))
  if (command.attend) {
    return attend(settings, { ...command, attend: command.attend }, { input, json, say, paint })
  }
  const value = await shown(json, (show) => execute(settings, { command, input, show }))
  const print = command.print as (value: unknown, paint: Paint) => string
  say(json ? JSON.stringify(value) : print(value, paint))
  if (command.name === 'doctor' && !(value as { ok: boolean }).ok) process.exitCode = REFUSED
}

async function completion(described: Program, shell: string): Promise<void> {
  const { completionScript } = await import('./process/completion.ts')
  process.stdout.write(await completionScript(described, shell))
}

const say = (text: string) => process.stdout.write(`${text}\n`)

type Show = (progress: Progress) => void

/** Shows progress, which is for people and not part of the answer. */
async function shown(json: boolean, work: (show: Show) => Promise<unknown>): Promise<unknown> {
  if (json) return work(() => {})
  const gauge = openGauge(process.stderr)
  return work(gauge.show).finally(gauge.close)
}

/**
 * Runs the command in the process that holds the embedded database, or else here. Only the latter loads
 * the features and the database.
 */
async function execute(settings: Config, work: Work): Promise<unknown> {
  const { command, input, show } = work
  await command.before?.(settings, input)
  if (settings.databaseUrl) return (await loadExecution()).executeHere(settings, work)
  if (command.restores) return (await loadExecution()).executeAlone(settings, work)
  const request = { command: command.name, input }
  for (let tries = 0; ; tries++) {
    const onLine = (line: unknown) => show(line as Progress)
    const answer = await askHolder(settings.dataDir, request, { onLine })
    if (answer.answered) return answer.value
    try {
      return await (await loadExecution()).executeAlone(settings, work)
    } catch (error) {
      // Another process took the folder between the request and our lock, so ask again.
      if ((error as Error).name !== 'FolderHeldError' || tries === 3) throw error
    }
  }
}

async function loadExecution() {
  await loadWings()
  return import('./process/execute-here.ts')
}

async function migrateHere({ options, input, json }: Call): Promise<void> {
  const settings = config(options)
  const dryRun = input.dryRun === true
  if (!settings.databaseUrl) await needFolder('DATA_DIR', settings.dataDir)
  const asked = settings.databaseUrl
    ? { answered: false as const }
    : await askHolder(settings.dataDir, { command: migrateCommand.name, input: { dryRun } })
  const value = asked.answered ? asked.value : await migrateAlone(settings, dryRun)
  const print = migrateCommand.print as (value: Migrated) => string
  say(json ? JSON.stringify(value) : print(value as Migrated))
}

async function migrateAlone(settings: Config, dryRun: boolean): Promise<Migrated> {
  await loadWings()
  return (await import('./process/migrate-at.ts')).migrateAt(settings, dryRun)
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

program.parseAsync().then(
  () => process.exit(),
  (error) => {
    fail(error)
    process.exit()
  },
)
