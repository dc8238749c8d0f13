import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { FileContent } from '../features/licensing/index.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { CallerAndStore, Surface } from '../http/mount.ts'
import { nameMissingRecord } from '../http/name-missing.rules.ts'
import { notFound } from '../kernel/errors.ts'
import type { StoreContext } from '../store-context.ts'

/** A download of a server-side file, whose answer is not JSON. */
interface ContentRoute<Params extends z.ZodObject> {
  path: string
  params: Params
  /** The endpoint whose permission a caller needs. */
  endpoint: Endpoint | undefined
  read(
    context: StoreContext,
    params: z.output<Params>,
    headers: FastifyRequest['headers'],
  ): Promise<FileContent>
}

/** Mounts a download of a server-side file. */
export function mountContent<Params extends z.ZodObject>(
  server: FastifyInstance,
  { app, authenticate }: Pick<Surface, 'app' | 'authenticate'>,
  { path, params: shape, endpoint, read }: ContentRoute<Params>,
) {
  if (!endpoint) throw new Error(`The endpoint for the permission of ${path} is missing.`)
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { contextOn }: CallerAndStore,
  ) => {
    const params = shape.safeParse(request.params)
    if (!params.success) throw notFound('File')
    const { status, headers, body } = await read(contextOn(app.db), params.data, request.headers)
    return reply.code(status).headers(headers).send(body)
  }
  server.get(path, async (request, reply) => {
    const callerAndStore = await authenticate(request, reply, endpoint)
    return send(request, reply, callerAndStore).catch((error) => {
      throw nameMissingRecord(error, path, request.params)
    })
  })
}
