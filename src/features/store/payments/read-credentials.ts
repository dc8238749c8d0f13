import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError } from '../../../command.ts'

/** The credentials that `payments connect` asks for at a terminal. The last ones may be left empty. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  stripe: ['secret_key', 'webhook_secret', 'publishable_key'],
}

const INPUT_MAX = 16 * 1024

type Input = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }

/**
 * Reads the credentials of a provider from standard input: a line `name=value` for each. They are never arguments, which
 * other users of the machine and the history of the shell could read.
 */
export async function readCredentials(
  input: Input,
  provider: string,
): Promise<Record<string, string>> {
  const names = QUESTIONS[provider] ?? []
  if (names.length === 0) return {}
  if (input.isTTY) return askFor(input, names)
  return parseCredentials(await text(input))
}

/** Parses the lines of credentials. Empty lines and comments are left out, as in a file of environment variables. */
function parseCredentials(lines: string): Record<string, string> {
  if (lines.length > INPUT_MAX)
    throw new CommandError('Standard input is too long: write one line name=value for each key.', 2)
  const entries = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line, index) => {
      const [name = '', ...value] = line.split('=')
      if (/^[a-z_]+$/.test(name.trim()) && value.length > 0)
        return [name.trim(), value.join('=').trim()] as const
      // The line may be a key, so it is not repeated.
      throw new CommandError(`Standard input, entry ${index + 1}: write name=value.`, 2)
    })
  return Object.fromEntries(entries)
}

/** Asks for each value at a terminal, and does not show it. Ctrl+C and the end of the input change nothing. */
async function askFor(input: Input, names: readonly string[]): Promise<Record<string, string>> {
  // Without an output nothing that is typed is shown.
  const terminal = createInterface({ input, terminal: true })
  const left = new AbortController()
  terminal.once('SIGINT', () => left.abort())
  terminal.once('close', () => left.abort())
  const credentials: Record<string, string> = {}
  try {
    for (const name of names) {
      process.stderr.write(`${name}: `)
      const value = (await terminal.question('', { signal: left.signal })).trim()
      process.stderr.write('\n')
      if (value !== '') credentials[name] = value
    }
    return credentials
  } catch (error) {
    if (left.signal.aborted) throw new CommandError('Nothing was changed.')
    throw error
  } finally {
    terminal.close()
  }
}
