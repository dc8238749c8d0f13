import { METHODS } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalFor } from '../../http/server.ts'
import { counted } from '../../kernel/counted.ts'
import { invalid, Refusal } from '../../kernel/errors.ts'
import { VERSION } from '../../kernel/version.ts'
import type { OpenApiDocuments } from '../documents.ts'
import { storeEndpoints } from '../store-api.ts'
import { type Authentication, findKey, readCredentials } from '../store-authentication.ts'
import {
  errorMessage,
  RPC_CODES,
  RpcError,
  type RpcMessage,
  readableId,
  readMessage,
  refusalMessage,
  resultMessage,
} from './messages.ts'
import { isReadOnly, requestOf, type Tool, toolsOf } from './tools.ts'

const PATH = '/mcp'
/** HEAD follows from GET. */
const OTHER_METHODS = METHODS.filter((method) => !['POST', 'HEAD', 'CONNECT'].includes(method))
/** The versions of the protocol, the newest first. They differ in parts that this server does not have. */
const PROTOCOLS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const INSTRUCTIONS = `The tools call the Store API of one side of a Tradepost store, with the permissions of an API key.
Money is an integer in minor units: 1999 is 19.99. Times are ISO 8601 in UTC. Lists have pagination: follow next_cursor or offset.
An answer with "success": false has a code and a sentence that says what to do.`

interface McpServer {
  authentication: Authentication
  publicUrl: string
  tools(): Promise<Map<string, Tool>>
}

/** Mounts the server of the Model Context Protocol (decision 496). It keeps no session: each message stands alone. */
export function mountMcp(
  server: FastifyInstance,
  authentication: Authentication,
  documents: OpenApiDocuments,
): void {
  let tools: Promise<Map<string, Tool>> | undefined
  const mcp: McpServer = {
    authentication,
    publicUrl: authentication.auth.app.config.publicUrl,
    tools() {
      tools ??= documents.store().then((document) => toolsOf(storeEndpoints, document))
      return tools
    },
  }
  server.route({
    method: 'POST',
    url: PATH,
    onRequest: async (request) => {
      await checkCaller(mcp, request).catch((refusal: unknown) => {
        if (!isSmall(request)) throw refusal
        refusedCallers.set(request, refusal)
      })
    },
    preHandler: async (request) => {
      if (refusedCallers.has(request)) throw refusedCallers.get(request)
    },
    handler: (request, reply) => answer({ ...mcp, request, reply }),
    errorHandler: sendRefusal,
  })
  for (const method of OTHER_METHODS)
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
  server.route({
    method: OTHER_METHODS,
    url: PATH,
    handler: async (_request, reply) => {
      reply.header('allow', 'POST')
      throw new Refusal(
        'METHOD_NOT_ALLOWED',
        'This server keeps no sessions and opens no streams. Send each message with POST.',
      )
    },
    errorHandler: sendRefusal,
  })
}

/** The refusals of callers whose message is read nevertheless, because its answer repeats its id. */
const refusedCallers = new WeakMap<FastifyRequest, unknown>()

/** The largest message of a refused caller that is read. A larger one is answered without its id. */
const REFUSED_BYTES_MAX = 16 * 1024

const isSmall = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? Number.NaN) <= REFUSED_BYTES_MAX

/** Refuses a caller without a known key. The call is counted when its message is known. */
async function checkCaller({ publicUrl, authentication }: McpServer, request: FastifyRequest) {
  checkOrigin(request, publicUrl)
  const { keyText } = readCredentials(request)
  await findKey(authentication.auth, 'store', request.ip, keyText)
}

/** Answers a refusal as a message, because programs of this protocol read every answer as JSON-RPC. */
function sendRefusal(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalFor(request, error)
  reply.code(refusal.status).headers(refusal.headers ?? {})
  send(reply, refusalMessage(refusal, readableId(request.body), request.id))
}

/**
 * Refuses calls from pages of other origins. A page whose name was pointed at this server would otherwise be of the
 * same origin for the browser.
 */
function checkOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin } = headers
  if (origin === undefined || origin === new URL(publicUrl).origin) return
  throw new Refusal(
    'ORIGIN_NOT_ALLOWED',
    'Pages of other origins may not call this address. Call it from a program, which sends no Origin.',
  )
}

/** A message with the server that answers it. */
interface McpCall extends McpServer {
  request: FastifyRequest
  reply: FastifyReply
}

async function answer(call: McpCall) {
  const { request, reply, authentication } = call
  const version = request.headers['mcp-protocol-version']
  if (version !== undefined && !PROTOCOLS.includes(String(version)))
    throw invalid('mcp-protocol-version', `Send one of ${PROTOCOLS.join(', ')}.`)
  const message = readMessage(request.headers['content-type'], request.body)
  if (message.method === 'tools/call' && message.id !== undefined)
    return send(reply, await run(message, () => callTool(call, message.params)))
  const caller = await authentication.authenticate(request, reply)
  if (message.id === undefined) return reply.code(202).send()
  const { store } = caller.contextOn(authentication.auth.app.db)
  const isAllowed = ({ endpoint }: Tool) =>
    caller.caller.permissions.has(endpoint.permission) &&
    (endpoint.feature === undefined || store.features[endpoint.feature]) &&
    (isReadOnly(endpoint) || mayWrite(request))
  return send(reply, await run(message, () => answerMethod(call, message, isAllowed)))
}

const send = (reply: FastifyReply, body: string) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body)

async function run({ id }: RpcMessage, work: () => Promise<unknown>): Promise<string> {
  try {
    return resultMessage(id, await work())
  } catch (error) {
    if (error instanceof RpcError) return errorMessage(id, error)
    throw error
  }
}

async function answerMethod(
  { tools }: McpServer,
  { method, params }: RpcMessage,
  isAllowed: (tool: Tool) => boolean,
): Promise<unknown> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: PROTOCOLS.find((item) => item === params.protocolVersion) ?? PROTOCOLS[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'tradepost', title: 'Tradepost', version: VERSION },
        instructions: INSTRUCTIONS,
      }
    case 'ping':
      return {}
    case 'tools/list': {
      const allowedTools = [...(await tools()).values()].filter(isAllowed)
      return { tools: allowedTools.map(({ definition }) => definition) }
    }
    default:
      throw new RpcError(RPC_CODES.method, 'This server has initialize, ping and tools only.')
  }
}

/** Returns true if the address of the connection has `?write=true`. */
const mayWrite = ({ query }: FastifyRequest): boolean => Object(query).write === 'true'

interface ToolResult {
  content: { type: 'text'; text: string }[]
  isError: boolean
}

const resultOf = (text: string, isError: boolean): ToolResult => ({
  content: [{ type: 'text', text }],
  isError,
})

/**
 * Calls the Store API through the whole server, which checks the key, its permissions and its rate limit, and writes
 * the request log. A refusal is the result of the tool, so that a model reads what to change.
 */
async function callTool(
  mcp: McpCall,
  { name, arguments: args = {} }: Record<string, unknown>,
): Promise<ToolResult> {
  const tool = typeof name === 'string' ? (await mcp.tools()).get(name) : undefined
  if (!tool) return refuseMessage(mcp, 'There is no such tool. List the tools with tools/list.')
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return refuseMessage(mcp, 'arguments: write a JSON object.')
  const call = requestOf(tool, args as Record<string, unknown>)
  if (typeof call === 'string') return refuse(mcp, call)
  if (!isReadOnly(tool.endpoint) && !mayWrite(mcp.request))
    return refuse(
      mcp,
      `${name} changes data, and this connection only reads. Connect with ?write=true, or start tradepost mcp with --write.`,
    )
  const response = await mcp.request.server.inject({
    method: call.method,
    url: `/v1${call.path}`,
    remoteAddress: mcp.request.ip,
    headers: {
      ...copiedHeaders(mcp.request),
      ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(call.body !== undefined && { payload: call.body }),
  })
  const result = resultOf(response.body, response.statusCode >= 400)
  const wait_s = response.headers['retry-after']
  if (wait_s === undefined) return result
  mcp.reply.header('retry-after', wait_s)
  const advice = {
    type: 'text',
    text: `Wait ${counted(Number(wait_s), 'second')} before the next call.`,
  } as const
  return { ...result, content: [...result.content, advice] }
}

/** Refuses a message that names no operation. It is counted like one that does. */
async function refuseMessage(
  { authentication, request, reply }: McpCall,
  sentence: string,
): Promise<never> {
  await authentication.authenticate(request, reply)
  throw new RpcError(RPC_CODES.params, sentence)
}

/** Refuses a call of a tool before it reaches the Store API. It is counted like one that does. */
async function refuse(
  { authentication, request, reply }: McpCall,
  sentence: string,
): Promise<ToolResult> {
  await authentication.authenticate(request, reply)
  return resultOf(sentence, true)
}

function copiedHeaders({ headers }: FastifyRequest): Record<string, string> {
  const names = ['x-api-key', 'x-store-hash', 'user-agent'] as const
  return Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]))
}
