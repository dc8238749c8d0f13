import type { App } from './app.ts'
import type { Config } from './config/config.ts'

/** The input of a command, by the names of its arguments and options in camel case. */
export type Input = Record<string, unknown>

/**
 * A command of `tradepost`, as data. It runs in the process of the server if that holds the embedded
 * database, and otherwise in a separate process. Its module is loaded for every command line, so `run`
 * imports use cases and queries when it is called.
 */
export interface Command {
  /** The words to type, such as `keys create`. */
  name: string
  summary: string
  /** Complete command lines, shown by `--help`. */
  examples: readonly string[]
  /** The arguments in the syntax of commander, such as `<id>`. */
  args?: readonly string[]
  /** The allowed values of the first argument, for completion. */
  argValues?: Values
  options?: readonly CommandOption[]
  /** Further inputs that `runAtTerminal` sends. A running server refuses inputs that it does not know. */
  internalInputs?: readonly string[]
  /** True if the command waits for jobs or webhooks. If no server runs, they run in its process. */
  needsWorkers?: boolean
  /** True if the command may create a database in an empty `DATA_DIR` (decision 130). */
  makesDatabase?: boolean
  /**
   * True if the command fills an empty database. It is refused while a server holds `DATA_DIR`, and
   * allowed if that folder has a secrets key but no database.
   */
  restores?: boolean
  /** True if the value has the field `ok`, and the exit code is 1 if that is false. */
  isCheck?: boolean
  /**
   * Runs in the process of the command line, before the database is opened. It may add to the input. Throws if the command
   * cannot succeed.
   */
  before?(config: Config, input: Input): Promise<void>
  run(app: App, input: Input, output?: CommandOutput): Promise<unknown>
  /**
   * Does the same through the API of a store on another machine (decision 486). A command without it ignores
   * TRADEPOST_URL. It is also called for each call of `runOnce` of an interactive command.
   */
  runRemotely?(store: RemoteStore, input: Input, output: CommandOutput): Promise<unknown>
  /** Formats the value for people. `--json` prints the value instead. */
  print?(value: never, paint?: Paint): string
  /**
   * Replaces the single call of `run`: calls it as often as needed, and shows the results at the terminal.
   */
  runAtTerminal?(terminal: Terminal): Promise<void>
}

/** Colours a part of the output if the terminal has colours. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string

/** Returns the text without colours. */
export const plain: Paint = (_style, text) => text

/** The progress and the cancellation of a long command. */
export interface CommandOutput {
  emit(progress: Progress): void
  /** Aborts when the client disconnects or the process stops. */
  signal: AbortSignal
}

/** The progress of a command. */
export interface Progress {
  done: number
  total: number
  failed: number
}

/** Discards all output. */
export const SILENT: CommandOutput = { emit() {}, signal: new AbortController().signal }

/** The terminal of a command with `runAtTerminal`. */
export interface Terminal {
  input: Input
  json: boolean
  printLine(text: string): void
  paint: Paint
  /** Runs the command once with this input, in the process that has the database open. */
  runOnce(input: Input, signal?: AbortSignal): Promise<unknown>
  /** Aborts on Ctrl+C. */
  signal: AbortSignal
  /** True if `runOnce` calls the API of a store, whose calls are limited. */
  isRemote?: true
}

/** The API of a store on another machine, called with an API key. */
export interface RemoteStore {
  /** Calls the Store API. Throws a RemoteRefusal for an answer without success. */
  call<Answer = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options?: { body?: unknown; signal?: AbortSignal },
  ): Promise<Answer>
}

/** The options that select a store on another machine. */
export interface RemoteOptions {
  url?: string
  apiKey?: string
}

/** A command that needs no database: it calls the API, or changes the settings of the command line. */
export interface ClientCommand
  extends Pick<Command, 'name' | 'summary' | 'examples' | 'args' | 'options' | 'print'> {
  runHere(context: ClientContext, input: Input): Promise<unknown>
  /** True if the command writes to standard output itself, so that nothing else is printed there. */
  hasOwnOutput?: true
}

export interface ClientContext {
  options: RemoteOptions
  env: Readonly<Record<string, string | undefined>>
  /** Returns the store of the options, the environment or the login. */
  openStore(): Promise<RemoteStore>
}

/** Returns the allowed values. It is a function because the table of event types loads many shapes. */
type Values = () => readonly string[] | Promise<readonly string[]>

export interface CommandOption {
  flags: string
  description: string
  required?: boolean
  /** True if the option may be passed several times. */
  repeatable?: boolean
  /** The allowed values, for help and completion. */
  values?: Values
  /**
   * True if earlier releases do not have the option and their servers would ignore it. Servers of this and
   * of later releases refuse unknown options, so newer options do not need it.
   */
  isIgnoredByEarlierServers?: boolean
}

/** Returns the name of an option or an argument in the input: `failedSince` for `--failed-since <duration>`. */
export function inputName(flags: string): string {
  const [, option, argument] = /--([\w-]+)|[<[](\w+)/.exec(flags) ?? []
  const name = option ?? argument ?? flags
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
}

/** The options that select a store. Both may be omitted if there is exactly one store. */
export const STORE_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--store <hash>',
    description: 'the id of the store; required if there are several stores',
  },
  { flags: '--test', description: 'the test side, if --store is left out' },
]

/** A refusal for people: exit code 1, or 2 for wrong usage. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * Makes the types of `run` and `print` agree. At run time it only returns its argument.
 */
export function command<T>(
  spec: Omit<Command, 'run' | 'print' | 'runAtTerminal' | 'runRemotely'> & {
    run(app: App, input: Input, output?: CommandOutput): Promise<T>
    runRemotely?(store: RemoteStore, input: Input, output: CommandOutput): Promise<T>
    print(value: T, paint?: Paint): string
  },
): Command & Required<Pick<Command, 'print'>> {
  return spec as unknown as Command & Required<Pick<Command, 'print'>>
}

/** Returns a text option, or undefined if it is missing or empty. */
export const text = (input: Input, name: string): string | undefined => {
  const value = input[name]
  return typeof value === 'string' && value.length > 0 ? value : undefined
}

/** Returns a required option. */
export const requiredText = (input: Input, name: string): string =>
  textOr(input, name, `--${name} is missing.`)

/** Returns a required argument, which may be empty on the command line. */
export const requiredArgument = (input: Input, name: string): string =>
  textOr(input, name, `<${name}> is missing.`)

function textOr(input: Input, name: string, refusal: string): string {
  const value = text(input, name)
  if (value === undefined) throw new CommandError(refusal, 2)
  return value
}

/** Returns the values of a repeatable option. */
export const texts = (input: Input, name: string): string[] => {
  const value = input[name]
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
}

/** An answer of a remote API without success. The message says what to do. */
export class RemoteRefusal extends CommandError {
  readonly status: number
  readonly code: string

  constructor(message: string, { status, code }: { status: number; code: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Returns true if a repeated call would be refused again. */
export const isFinalRefusal = (error: unknown): boolean =>
  error instanceof RemoteRefusal && error.status < 500 && error.status !== 429
