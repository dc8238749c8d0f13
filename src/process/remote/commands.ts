import type { ClientCommand, CommandOption } from '../../command.ts'

const STORE: CommandOption = {
  flags: '--store <hash>',
  description: 'the id of one side of the store',
}
const printAnswer = (answer: unknown) => JSON.stringify(answer, null, 2)

/** The commands that need no database (decision 486). */
export const clientCommands: readonly ClientCommand[] = [
  {
    name: 'login',
    summary: 'Store the address and the API key of a store for later commands.',
    examples: ['tradepost login', 'tradepost login --url https://shop.example.com --store HASH'],
    options: [STORE],
    runHere: async (context, input) => (await import('./login.ts')).login(context, input),
    print: ({ url, store, file }: { url: string; store: string; file: string }) =>
      `Signed in to the store ${store} at ${url}. The key is in ${file}, which only you can read.`,
  },
  {
    name: 'logout',
    summary: 'Remove the stored address and API key.',
    examples: ['tradepost logout'],
    runHere: async ({ env }) => ({
      removed: await (await import('./login-file.ts')).removeLogin(env),
    }),
    print: ({ removed }: { removed: boolean }) =>
      removed
        ? 'The address and the key were removed. The key itself is still valid: revoke it if it is no longer needed.'
        : 'There was no login.',
  },
  {
    name: 'get',
    summary: 'Call GET of the API, and print the answer.',
    examples: ['tradepost get "/orders?limit=5"', 'tradepost get /account --json'],
    args: ['<path>'],
    options: [STORE],
    runHere: async (context, input) => (await import('./call-path.ts')).getPath(context, input),
    print: printAnswer,
  },
  {
    name: 'post',
    summary: 'Call POST of the API with the JSON of standard input, and print the answer.',
    examples: ['tradepost post /customers', 'tradepost post /orders --json'],
    args: ['<path>'],
    options: [STORE],
    runHere: async (context, input) => (await import('./call-path.ts')).postPath(context, input),
    print: printAnswer,
  },
  {
    name: 'mcp',
    summary: 'Serve the API of a store to a program with a language model, on standard input.',
    examples: [
      'tradepost mcp',
      'tradepost mcp --url https://shop.example.com --store HASH --write',
    ],
    options: [STORE, { flags: '--write', description: 'also allow changes' }],
    hasOwnOutput: true,
    runHere: async (context, input) => (await import('./relay-mcp.ts')).relayMcp(context, input),
  },
]
