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
  run(app: App, input: Input): Promise<unknown>
  /** The answer for people; `--json` prints the value itself. */
  print(value: never): string
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
  spec: Omit<Command, 'run' | 'print'> & {
    run(app: App, input: Input): Promise<T>
    print(value: T): string
  },
): Command {
  return spec as unknown as Command
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
