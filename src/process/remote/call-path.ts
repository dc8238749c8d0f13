import { text as readText } from 'node:stream/consumers'
import { type ClientContext, CommandError, type Input, requiredArgument } from '../../command.ts'

export async function getPath({ openStore }: ClientContext, input: Input): Promise<unknown> {
  const path = pathIn(input)
  return (await openStore()).call('GET', path)
}

export async function postPath({ openStore }: ClientContext, input: Input): Promise<unknown> {
  const path = pathIn(input)
  const store = await openStore()
  return store.call('POST', path, { body: await readBody() })
}

/** The segments `.` and `..`, which would lead out of the Store API. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?]|$)/i

/** Returns a path of the Store API without `/v1`. */
function pathIn(input: Input): string {
  const written = requiredArgument(input, 'path')
  const path = written.replace(/^(?:\/?v1(?=\/))?\/?/, '/')
  if (!/^https?:/.test(written) && !/[\s#]/.test(path) && !DOT_SEGMENT.test(path)) return path
  throw new CommandError('<path>: write a path such as /orders or "/orders?limit=5".', 2)
}

/** Returns the JSON of standard input; undefined if it is empty or a terminal. */
async function readBody(): Promise<unknown> {
  if (process.stdin.isTTY) return undefined
  const body = await readText(process.stdin)
  if (body.trim() === '') return undefined
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new CommandError(`Standard input is not JSON: ${(error as Error).message}`, 2)
  }
}
