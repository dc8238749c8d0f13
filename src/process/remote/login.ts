import { createInterface } from 'node:readline/promises'
import { text as readText } from 'node:stream/consumers'
import {
  type ClientContext,
  CommandError,
  type Input,
  isFinalRefusal,
  type RemoteRefusal,
  text,
} from '../../command.ts'
import { writeLogin } from './login-file.ts'
import { openRemoteStore, type Target } from './store-client.ts'
import { checkKey, parseUrl } from './target.ts'

/** Checks the key with a call, and stores it. Values that are missing are asked for at a terminal. */
export async function login(
  { options, env }: ClientContext,
  input: Input,
): Promise<Omit<Target, 'apiKey'> & { file: string }> {
  const known = {
    url: options.url ?? env.TRADEPOST_URL,
    store: text(input, 'store') ?? env.TRADEPOST_STORE,
    apiKey: options.apiKey ?? env.TRADEPOST_API_KEY,
  }
  const answers = process.stdin.isTTY ? await askFor(known) : await readKey(known)
  const target = {
    url: parseUrl(answers.url),
    apiKey: checkKey(answers.apiKey),
    store: answers.store,
  }
  await checkTarget(target)
  const { url, store } = target
  return { url, store, file: await writeLogin(env, target) }
}

/** A key without `account:read` is refused with INSUFFICIENT_SCOPE, which shows that it is valid. */
async function checkTarget(target: Target): Promise<void> {
  try {
    await openRemoteStore(target).call('GET', '/account')
  } catch (error) {
    if (isFinalRefusal(error) && (error as RemoteRefusal).code === 'INSUFFICIENT_SCOPE') return
    throw error
  }
}

type KnownParts = { [K in keyof Target]: string | undefined }

async function readKey({ url, store, apiKey }: KnownParts): Promise<Target> {
  if (!url) throw new CommandError('--url is missing.', 2)
  if (!store) throw new CommandError('--store is missing.', 2)
  const key = apiKey ?? (await readText(process.stdin)).trim()
  if (key) return { url, store, apiKey: key }
  throw new CommandError('The API key is missing: write it to standard input.', 2)
}

async function askFor(known: KnownParts): Promise<Target> {
  const ask = async (question: string, output?: NodeJS.WritableStream) => {
    // Without an output nothing that is typed is shown.
    const terminal = createInterface({
      input: process.stdin,
      terminal: true,
      ...(output && { output }),
    })
    const left = new AbortController()
    terminal.once('SIGINT', () => left.abort())
    terminal.once('close', () => left.abort())
    if (!output) process.stderr.write(question)
    try {
      return (await terminal.question(output ? question : '', { signal: left.signal })).trim()
    } catch {
      throw new CommandError('Nothing was changed.')
    } finally {
      if (!output) process.stderr.write('\n')
      terminal.close()
    }
  }
  return {
    url: known.url ?? (await ask('Address, such as https://shop.example.com: ', process.stderr)),
    store: known.store ?? (await ask('Id of the store: ', process.stderr)),
    apiKey: known.apiKey ?? (await ask('API key (not shown): ')),
  }
}
