import http from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { notFound, Refusal } from '../kernel/errors.ts'
import { RawAnswer } from './client-endpoint.ts'
import type { Answer } from './idempotency.ts'
import { knownPaths, methodsOfPatterns, type Route } from './known-paths.rules.ts'
import { nameMissingRecord } from './name-missing.rules.ts'
import { compileSerializer, type Serializer } from './serializer.ts'

/** The fields of an endpoint that the pipeline reads. The endpoints of each API have more fields. */
interface PipelineEndpoint extends Route {
  response: z.ZodObject
  /** The status of success; 200 if omitted. */
  status?: number
  isExisting?(result: unknown): boolean
}

/**
 * The steps of every call, in this order. Each API defines its steps. Refusals of any step are rendered
 * in the form of the API (server.ts), and its hooks get every answer.
 */
export interface Pipeline<E extends PipelineEndpoint, Caller> {
  /** Finds the caller and counts the call, before its body is read. Throws to refuse the call. */
  admit(request: FastifyRequest, reply: FastifyReply, endpoint: E): Promise<Caller>
  /** Finds the caller for an unknown path or method. The call is then refused (decision 12). */
  admitUnknown(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** Reads the request, and runs the use case. */
  run(admittedCall: AdmittedCall<E, Caller>): Promise<Answer | RawAnswer>
  /** Routes that the API mounts itself. */
  ownRoutes?: readonly Route[]
  /** Options of the route of an endpoint. */
  optionsOf?(endpoint: E): { compress?: object | false; bodyLimit?: number }
}

/** A call that was admitted. */
export interface AdmittedCall<E, Caller> {
  endpoint: E
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  serialize: Serializer
}

/** All methods except CONNECT, which Node does not emit as a request. */
const METHODS = http.METHODS.filter((method) => method !== 'CONNECT')

/** Mounts the endpoints of an API. All routes of our APIs are registered here. */
export function mountPipeline<E extends PipelineEndpoint, Caller>(
  server: FastifyInstance,
  pipeline: Pipeline<E, Caller>,
  endpoints: readonly E[],
) {
  if (!server.hasRequestDecorator('caller')) server.decorateRequest('caller', null)
  for (const endpoint of endpoints) {
    const serialize = compileSerializer(endpoint.response)
    server.route({
      method: endpoint.method,
      url: endpoint.path,
      ...pipeline.optionsOf?.(endpoint),
      onRequest: async (request, reply) => {
        request.setDecorator('caller', await pipeline.admit(request, reply, endpoint))
      },
      handler: async (request, reply) => {
        const caller = request.getDecorator<Caller>('caller')
        return sendAnswer(
          reply,
          await pipeline.run({ endpoint, caller, request, reply, serialize }),
        )
      },
    })
  }
  const routes = [...endpoints, ...(pipeline.ownRoutes ?? [])]
  refuseUnknownRoutes(server, routes, pipeline.admitUnknown)
}

/** Returns the answer of a successful use case. It has only the fields of the endpoint's shape. */
export const successAnswer = (
  { endpoint, serialize }: Pick<AdmittedCall<PipelineEndpoint, unknown>, 'endpoint' | 'serialize'>,
  result: unknown,
): Answer => ({
  status: endpoint.isExisting?.(result) ? 200 : (endpoint.status ?? 200),
  body: serialize({ success: true, ...(result as object) }),
})

/** Runs a step. A refusal for a missing record names the record in the path of the endpoint. */
export async function withNamedRecord<T>(
  { endpoint, request }: Pick<AdmittedCall<PipelineEndpoint, unknown>, 'endpoint' | 'request'>,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw nameMissingRecord(error, endpoint.path, request.params)
  }
}

/** Answers 404 for unknown paths, and 405 with `Allow` for unsupported methods of a known path. */
function refuseUnknownRoutes(
  server: FastifyInstance,
  endpoints: readonly Route[],
  authenticate: Authenticate,
) {
  for (const method of METHODS) {
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
  }
  const paths = knownPaths(server.prefix, endpoints)
  // Otherwise GET /products/:id would treat the path /products/reorder as an id.
  for (const { path, fullPath, methods } of paths) {
    const otherMethods = methodsOfPatterns(paths, fullPath).filter(
      (method) => !methods.includes(method),
    )
    if (otherMethods.length === 0) continue
    const refuse = refuseAfterAuthentication(authenticate, () => refuseMethod(methods))
    server.route({ method: otherMethods, url: path, onRequest: refuse, handler: refuse })
  }
  const refuse = refuseAfterAuthentication(authenticate, ({ url }) => {
    const path = decodePath(url)
    const methods = paths.find(({ pattern }) => pattern.test(path))?.methods
    if (methods) refuseMethod(methods)
    throw notFound('The path')
  })
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuse(request, reply)
  })
  server.setNotFoundHandler(refuse)
}

function refuseMethod(methods: readonly string[]): never {
  const allow = methods.join(', ')
  throw new Refusal('METHOD_NOT_ALLOWED', `Use ${allow}.`, undefined, { allow })
}

/** Returns the decoded path of a URL, as the router reads it. */
function decodePath(url: string): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Refuses every call, after authentication and before its body is read (decision 12). */
const refuseAfterAuthentication =
  (authenticate: Authenticate, refuse: (request: FastifyRequest) => never) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    await authenticate(request, reply)
    refuse(request)
  }

/** Sends JSON, or the bytes of an answer that is not JSON. */
export function sendAnswer(reply: FastifyReply, answer: Answer | RawAnswer) {
  const { status, body, headers } = answer
  if (answer instanceof RawAnswer) {
    return reply.code(status).headers(answer.headers).send(body)
  }
  return reply
    .code(status)
    .headers(headers ?? {})
    .header('content-type', 'application/json; charset=utf-8')
    .send(body)
}
