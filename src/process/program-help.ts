import type { Command as Program } from 'commander'
import type { Command } from '../command.ts'
import { painterOf } from './paint.ts'

/** The groups of the top help, with the first words of their commands. */
const GROUPS: Record<string, readonly string[]> = {
  'Begin here:': ['start', 'open', 'dashboard', 'logs', 'doctor', 'demo'],
  'Stores and people:': ['stores', 'features', 'keys', 'users', 'customers', 'wallet'],
  'Webhooks and testing:': ['webhooks', 'clock'],
  'Operation:': ['migrate', 'backup', 'restore', 'secrets', 'completion'],
}

const OTHER = 'Other commands:'

/** The heading under which the top help lists a command. */
export const groupOf = (word: string): string =>
  Object.entries(GROUPS).find(([, words]) => words.includes(word))?.[0] ?? OTHER

/** Sets the summary, the examples and the form of errors of a command. */
export function describeHelp(
  program: Program,
  command: Pick<Command, 'summary' | 'examples'> & Partial<Command>,
): Program {
  program.description(command.summary)
  program.showHelpAfterError(`Show what is allowed: ${usageOf(program)} --help`)
  program.addHelpText('after', ({ error }) => {
    const paint = painterOf(error ? process.stderr : process.stdout)
    const values = shortValues(command)
    const examples = command.examples.map((line) => `  ${line}`).join('\n')
    return `${values}\n${paint('bold', 'Examples:')}\n${examples}`
  })
  return program
}

/** `tradepost keys create` */
const usageOf = (program: Program): string =>
  program.parent ? `${usageOf(program.parent)} ${program.name()}` : program.name()

/** Lists the permission names, which are too many for the description of the option. */
function shortValues({ options = [] }: Partial<Command>): string {
  const option = options.find(({ flags }) => flags.startsWith('--permissions'))
  const names = option?.values?.()
  if (!Array.isArray(names)) return ''
  const areas = names.filter((name) => name.endsWith(':read')).map((name) => name.slice(0, -5))
  return `\nPermissions (write does not include read):\n  all\n${areas
    .map((area) => `  ${area}:read, ${area}:write`)
    .join('\n')}\n`
}
