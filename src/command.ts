import type { App } from './app.ts'
import type { Config } from './config/config.ts'

/** The input from the command line, by camel-case option names and by argument names. */
export type Input = Record<string, unknown>

/**
 * A command of `tradepost`, as data. It runs in the server's process if that holds the embedded
 * database, or else in its own. Its module is loaded to parse a command line; `run` therefore imports
 * use cases and queries when it is called.
 */
export interface Command {
  /** The words to type, such as `keys create`. */
  name: string
  summary: string
  /** Complete lines to copy, shown by `--help`. */
  examples: readonly string[]
  /** In the syntax of commander: `<id>`. */
  args?: readonly string[]
  /** The allowed values of the first argument, for completion. */
  argValues?: Values
  options?: readonly CommandOption[]
  /** The command waits for jobs or webhooks; if no server runs, they run in its process. */
  needsWorkers?: boolean
  /** The command may create a database if `DATA_DIR` has none (decision 130). */
  makesDatabase?: boolean
  /**
   * The command fills an empty database. It is refused while a server holds `DATA_DIR`, and allowed where
   * that folder has a secrets key without its database.
   */
  restores?: boolean
  /** Runs before the database is opened, and throws where the command cannot succeed. */
  before?(config: Config, input: Input): Promise<void>
  run(app: App, input: Input, output?: CommandOutput): Promise<unknown>
  /** The output for people; `--json` prints the value itself. */
  print?(value: never, paint?: Paint): string
  /**
   * Replaces the single answer: the command stays at the terminal, makes requests and shows events.
   */
  attend?(terminal: Terminal): Promise<void>
}

/** Colours a part of the output if the terminal has colours. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string

/** Leaves the text as it is. */
export const plain: Paint = (_style, text) => text

/** The progress output of a long command, and its cancellation. */
export interface CommandOutput {
  emit(progress: Progress): void
  /** Aborts when the client has left or the process stops. */
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

/** The terminal of a command that stays there. */
export interface Terminal {
  input: Input
  json: boolean
  say(text: string): void
  paint: Paint
  /** Runs the command where the database is open, with this input. */
  ask(input: Input, signal?: AbortSignal): Promise<unknown>
  /** Aborts on Ctrl+C. */
  signal: AbortSignal
}

/** Loaded only if needed, because the table of event types loads its shapes. */
export type Values = () => readonly string[] | Promise<readonly string[]>

export interface CommandOption {
  flags: string
  description: string
  required?: boolean
  /** May be passed several times. */
  repeatable?: boolean
  /** The allowed values, for help and completion. */
  values?: Values
}

/** How a command names its store; both may be left out where there is exactly one. */
export const STORE_OPTIONS: readonly CommandOption[] = [
  { flags: '--store <hash>', description: 'the id of the store; needed where there are several' },
  { flags: '--test', description: 'the test side, where --store is left out' },
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
 * Ties the type of a command's answer to its printing; at run time it only returns its argument.
 */
export function command<T>(
  spec: Omit<Command, 'run' | 'print' | 'attend'> & {
    run(app: App, input: Input, output?: CommandOutput): Promise<T>
    print(value: T, paint?: Paint): string
  },
): Command & Required<Pick<Command, 'print'>> {
  return spec as unknown as Command & Required<Pick<Command, 'print'>>
}

export const text = (input: Input, name: string): string | undefined => {
  const value = input[name]
  return typeof value === 'string' && value.length > 0 ? value : undefined
}

/** Returns a required option; commander has checked its presence. */
export function needed(input: Input, name: string): string {
  const value = text(input, name)
  if (value === undefined) throw new CommandError(`--${name} is missing.`, 2)
  return value
}

export const texts = (input: Input, name: string): string[] => {
  const value = input[name]
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
}
