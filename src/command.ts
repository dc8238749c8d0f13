import type { App } from './app.ts'

/** What the command line passed, by the camel-case names of options and the names of arguments. */
export type Input = Record<string, unknown>

/**
 * A command of `tradepost`, as data. It runs in the server's process where one holds the embedded
 * database, else in its own.
 */
export interface Command {
  /** `keys create`: the words to type. */
  name: string
  summary: string
  /** As commander writes them: `<id>`. */
  args?: readonly string[]
  options?: readonly CommandOption[]
  /** It waits for sweeps and webhooks: where no server runs, they run beside it. */
  needsWorkers?: boolean
  /** It may make a database where `DATA_DIR` holds none (decision 130). */
  makesDatabase?: boolean
  run(app: App, input: Input, talk?: Talk): Promise<unknown>
  /** The answer for people; `--json` prints the value itself. */
  print?(value: never): string
  /** Instead of one answer: it stays at the terminal, asks as often as it needs, and shows what it hears. */
  attend?(terminal: Terminal): Promise<void>
}

/** How a command that takes long speaks with who asked. */
export interface Talk {
  emit(progress: Progress): void
  /** Aborted when who asked has left, or the process stops. */
  signal: AbortSignal
}

/** How far a command has come. */
export interface Progress {
  done: number
  total: number
  failed: number
}

/** For those who do not listen. */
export const SILENT: Talk = { emit() {}, signal: new AbortController().signal }

/** The terminal, as a command that stays there sees it. */
export interface Terminal {
  input: Input
  json: boolean
  say(text: string): void
  /** Runs the command where the database is open, with this input. */
  ask(input: Input, signal?: AbortSignal): Promise<unknown>
  /** Aborted by Ctrl+C. */
  signal: AbortSignal
}

export interface CommandOption {
  flags: string
  description: string
  required?: boolean
  /** May be said several times. */
  repeatable?: boolean
}

/** A refusal that people read as a sentence: exit code 1, or 2 where the command was used wrongly. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Ties a command's answer to its printing; at run time it only returns its argument. */
export function command<T>(
  spec: Omit<Command, 'run' | 'print' | 'attend'> & {
    run(app: App, input: Input, talk?: Talk): Promise<T>
    print(value: T): string
  },
): Command & Required<Pick<Command, 'print'>> {
  return spec as unknown as Command & Required<Pick<Command, 'print'>>
}

export const text = (input: Input, name: string): string | undefined => {
  const value = input[name]
  return typeof value === 'string' && value.length > 0 ? value : undefined
}

/** A text that the command cannot do without; commander asked for it already. */
export function needed(input: Input, name: string): string {
  const value = text(input, name)
  if (value === undefined) throw new CommandError(`--${name} is missing.`, 2)
  return value
}

export const texts = (input: Input, name: string): string[] => {
  const value = input[name]
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
}
