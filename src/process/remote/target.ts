import { stat } from 'node:fs/promises'
import { CommandError, type Input, type RemoteOptions, text } from '../../command.ts'
import { readLogin } from './login-file.ts'
import type { Target } from './store-client.ts'

type Environment = Readonly<Record<string, string | undefined>>

const DATA_DIR_DEFAULT = './data'

interface Selection {
  options: RemoteOptions & { dataDir?: string }
  input: Input
  env: Environment
}

/**
 * Returns the store of the options, of the environment, or else of the login. A login is used only if nothing names
 * a database and there is none in this folder. Returns undefined if the command runs on this machine.
 */
export async function findTarget(selection: Selection): Promise<Target | undefined> {
  const { options, env } = selection
  if (options.url ?? (options.dataDir === undefined ? env.TRADEPOST_URL : undefined))
    return requireTarget(selection)
  if (options.apiKey !== undefined)
    throw new CommandError('--api-key: add --url with the address of the server.', 2)
  if (options.dataDir ?? env.DATA_DIR ?? env.DATABASE_URL) return undefined
  if (await stat(DATA_DIR_DEFAULT).catch(() => undefined)) return undefined
  const login = await readLogin(env)
  return login && withStore(login, selection)
}

/** Returns the store of the options, of the environment, or else of the login, and refuses a command without one. */
export async function requireTarget(selection: Selection): Promise<Target> {
  const { options, input, env } = selection
  const address = options.url ?? env.TRADEPOST_URL
  const login = await readLogin(env)
  if (!address) {
    if (login) return withStore(login, selection)
    throw new CommandError(
      'The address of a store is missing. Run tradepost login, or write --url, --api-key and --store.',
      2,
    )
  }
  const url = parseUrl(address)
  const stored = login?.url === url ? login : undefined
  const apiKey = options.apiKey ?? env.TRADEPOST_API_KEY ?? stored?.apiKey
  if (!apiKey)
    throw new CommandError(
      `The API key for ${url} is missing. Set TRADEPOST_API_KEY, or run tradepost login.`,
      2,
    )
  const store = text(input, 'store') ?? env.TRADEPOST_STORE ?? stored?.store
  if (!store)
    throw new CommandError(
      'The store is missing. Write --store with the id of one side, which the dashboard shows next to its API keys.',
      2,
    )
  return withStore({ url, apiKey: checkKey(apiKey), store }, selection)
}

function withStore(target: Target, { input, env }: Selection): Target {
  if (input.test)
    throw new CommandError('--test: leave it out, and name the test side with --store.', 2)
  return { ...target, store: text(input, 'store') ?? env.TRADEPOST_STORE ?? target.store }
}

/** Refuses a key that no header can have. The message does not repeat it. */
export function checkKey(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new CommandError('The API key has a space or another character that no key has.', 2)
}

/** Returns an address without a path of the API, such as `https://shop.example.com`. */
export function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search)
    throw new CommandError('--url: write an address such as https://shop.example.com.', 2)
  return `${url.origin}${url.pathname.replace(/\/(v1\/?)?$/, '')}`
}
