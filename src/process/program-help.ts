import type { Command as Program } from 'commander'
import type { Command } from '../command.ts'
import { painterOf } from './paint.ts'

/** The groups of commands in `tradepost --help`, with the first words of their commands. */
const GROUPS: Record<string, readonly string[]> = {
  'Begin here:': ['start', 'open', 'dashboard', 'logs', 'doctor', 'demo'],
  'Stores and people:': ['stores', 'features', 'keys', 'users', 'customers', 'payments', 'wallet'],
  'Webhooks and testing:': ['webhooks', 'clock'],
  'From another machine:': ['login', 'logout', 'get', 'post', 'mcp'],
  'Operation:': ['migrate', 'backup', 'restore', 'files', 'secrets', 'completion'],
}

const OTHER_HEADING = 'Other commands:'

/** Returns the heading under which `tradepost --help` lists a command. */
export const groupOf = (word: string): string =>
  Object.entries(GROUPS).find(([, words]) => words.includes(word))?.[0] ?? OTHER_HEADING

/** Sets the summary, the examples and the hint after errors of a command. */
export function describeHelp(
  program: Program,
  command: Pick<Command, 'summary' | 'examples'> & Partial<Command>,
): Program {
  program.description(command.summary)
  program.showHelpAfterError(`List the options: ${usageOf(program)} --help`)
  program.addHelpText('after', ({ error }) => {
    const paint = painterOf(error ? process.stderr : process.stdout)
    const permissions = permissionList(command)
    const examples = command.examples.map((line) => `  ${line}`).join('\n')
    return `${permissions}\n${paint('bold', 'Examples:')}\n${examples}`
  })
  return program
}

/** Returns the words of a command, such as `tradepost keys create`. */
const usageOf = (program: Program): string =>
  program.parent ? `${usageOf(program.parent)} ${program.name()}` : program.name()

const READ = ':read'

/** Lists the permission names, which are too many for the description of the option. */
function permissionList({ options = [] }: Partial<Command>): string {
  const option = options.find(({ flags }) => flags.startsWith('--permissions'))
  const names = option?.values?.()
  if (!Array.isArray(names)) return ''
  const areas = names
    .filter((name) => name.endsWith(READ))
    .map((name) => name.slice(0, -READ.length))
  return `\nPermissions (write does not include read):\n  all\n${areas
    .map((area) => `  ${area}:read, ${area}:write`)
    .join('\n')}\n`
}
