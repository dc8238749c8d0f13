import http from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { notFound, Refusal } from '../kernel/errors.ts'
import { RawAnswer } from './client-endpoint.ts'
import type { Answer } from './idempotency.ts'
import { knownPaths, methodsOfPatterns, type Route } from './known-paths.rules.ts'
import { nameMissing } from './name-missing.rules.ts'
import { compileSerializer, type Serializer } from './serializer.ts'

/** The parts of an endpoint that the pipeline reads; the endpoints of each API have more. */
interface PipelineEndpoint extends Route {
  response: z.ZodObject
  /** The status of success; 200 if omitted. */
  status?: number
}

/**
 * The steps of every call, in this order. An API fills them in; refusals of any step are rendered
 * in its form (server.ts), and its hooks see every answer.
 */
export interface Pipeline<E extends PipelineEndpoint, Caller> {
  /** Finds the caller and counts the call, before its body is read. Throws to refuse the call. */
  admit(request: FastifyRequest, reply: FastifyReply, e: E): Promise<Caller>
  /** The same for an unknown path or method, which is refused afterwards (decision 70). */
  admitUnknown(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** Reads the request, and runs the use case. */
  run(visit: Visit<E, Caller>): Promise<Answer | RawAnswer>
  /** Routes that the API mounts itself. */
  beside?: readonly Route[]
  /** Options of the route of an endpoint. */
  optionsOf?(e: E): { compress?: object | false; bodyLimit?: number }
}

/** A call that was admitted. */
export interface Visit<E, Caller> {
  e: E
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  serialize: Serializer
}

/** Node never emits CONNECT as a request. */
const METHODS = http.METHODS.filter((method) => method !== 'CONNECT')

/** Mounts the endpoints of an API. All routes of our APIs are registered here. */
export function mountPipeline<E extends PipelineEndpoint, Caller>(
  server: FastifyInstance,
  pipeline: Pipeline<E, Caller>,
  endpoints: readonly E[],
) {
  if (!server.hasRequestDecorator('caller')) server.decorateRequest('caller', null)
  for (const e of endpoints) {
    const serialize = compileSerializer(e.response)
    server.route({
      method: e.method,
      url: e.path,
      ...pipeline.optionsOf?.(e),
      onRequest: async (request, reply) => {
        request.setDecorator('caller', await pipeline.admit(request, reply, e))
      },
      handler: async (request, reply) => {
        const caller = request.getDecorator<Caller>('caller')
        return send(reply, await pipeline.run({ e, caller, request, reply, serialize }))
      },
    })
  }
  const routes = [...endpoints, ...(pipeline.beside ?? [])]
  refuseUnknownRoutes(server, routes, pipeline.admitUnknown)
}

/** The answer of a use case that succeeded: the fields of its endpoint's shape and no others. */
export const succeed = (
  { e, serialize }: Pick<Visit<PipelineEndpoint, unknown>, 'e' | 'serialize'>,
  result: unknown,
): Answer => ({
  status: e.status ?? 200,
  body: serialize({ success: true, ...(result as object) }),
})

/** Runs a step; a record that is not found is named as in the path of the endpoint. */
export async function namingMissing<T>(
  { e, request }: Pick<Visit<PipelineEndpoint, unknown>, 'e' | 'request'>,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw nameMissing(error, e.path, request.params)
  }
}

/** Answers 404 for unknown paths, and 405 with `Allow` for unsupported methods of a known path. */
function refuseUnknownRoutes(
  server: FastifyInstance,
  endpoints: readonly Route[],
  identify: Identify,
) {
  for (const method of METHODS) {
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
  }
  const known = knownPaths(server.prefix, endpoints)
  // A path such as /products/reorder would otherwise be taken for an id by GET /products/:id.
  for (const { path, full, methods } of known) {
    const others = methodsOfPatterns(known, full).filter((method) => !methods.includes(method))
    if (others.length === 0) continue
    const refuse = refusing(identify, () => refuseMethod(methods))
    server.route({ method: others, url: path, onRequest: refuse, handler: refuse })
  }
  const refuse = refusing(identify, ({ url }) => {
    const path = decoded(url)
    const methods = known.find(({ pattern }) => pattern.test(path))?.methods
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

/** The path of an address as the router reads it. */
function decoded(url: string): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

type Identify = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Refuses every call, after authentication and before its body is read (decision 70). */
const refusing =
  (identify: Identify, refuse: (request: FastifyRequest) => never) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    await identify(request, reply)
    refuse(request)
  }

/** Sends JSON, or the bytes of an answer that is not JSON. */
export function send(reply: FastifyReply, answer: Answer | RawAnswer) {
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
